from preview import Preview, PreviewController
from preview.adapter import HostsFolder
from preview.types import PreviewSpec
from windlass import ObjectMeta
from windlass.kinds.core.v1 import Service
from windlass.testing import Starter, TrialOptions


async def test_a_name_comes_and_goes_with_its_preview(
    operator: Starter, controller: PreviewController, hosts: HostsFolder
) -> None:
    async with operator(controller, options=TrialOptions(whole=True)) as trial:
        spec = PreviewSpec(image="example.com/shop:pr-42")
        await trial.client.create(Preview(metadata=ObjectMeta(name="shop-42"), spec=spec))
        shown = await trial.ready(Preview, "shop-42")
        host = shown.status.url.removeprefix("http://")
        assert await hosts.find(host) == (await trial.client.get(Service, "shop-42")).spec.cluster_ip

        await trial.client.delete(Preview, "shop-42")
        await trial.gone(Preview, "shop-42")
        assert await hosts.find(host) is None
