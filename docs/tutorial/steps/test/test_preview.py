from preview import Preview, PreviewController
from preview.types import PreviewSpec
from windlass import ObjectMeta
from windlass.kinds.apps.v1 import Deployment
from windlass.testing import Starter, TrialOptions

SHOP = Preview(
    metadata=ObjectMeta(name="shop-42"), spec=PreviewSpec(image="example.com/shop:pr-42", replicas=2)
)


async def test_a_preview_comes_up_and_stays_up(operator: Starter, controller: PreviewController) -> None:
    async with operator(controller, options=TrialOptions(whole=True)) as trial:
        await trial.client.create(SHOP)
        assert (await trial.ready(Preview, "shop-42")).status.ready_replicas == 2

        await trial.client.delete(Deployment, "shop-42")
        await trial.until(Deployment, "shop-42", lambda found: found.status.ready_replicas == 2)
        await trial.settled()


async def test_it_needs_no_more_than_it_declares(operator: Starter, controller: PreviewController) -> None:
    async with operator(controller, options=TrialOptions(least_privilege=True)) as trial:
        await trial.client.create(SHOP)
        await trial.until(Preview, "shop-42", lambda found: bool(found.status.conditions))
        assert trial.granted is not None
        assert trial.granted.missing == []
