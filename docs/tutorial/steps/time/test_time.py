from datetime import UTC, datetime, timedelta

from preview import Preview, PreviewController
from preview.types import PreviewSpec
from windlass import ObjectMeta
from windlass.aio import ManualClock
from windlass.kinds.apps.v1 import Deployment
from windlass.testing import Starter, TrialOptions


async def test_a_preview_ends_in_time(operator: Starter, controller: PreviewController) -> None:
    clock = ManualClock(datetime.now(UTC))
    async with operator(controller, options=TrialOptions(clock=clock)) as trial:
        spec = PreviewSpec(image="example.com/shop:pr-42", ttl=timedelta(hours=1))
        await trial.client.create(Preview(metadata=ObjectMeta(name="shop-42"), spec=spec))
        shown = await trial.until(Preview, "shop-42", lambda found: found.status.expires is not None)
        await trial.rest()

        assert shown.status.expires is not None
        await clock.advance(shown.status.expires - clock.now())

        await trial.gone(Deployment, "shop-42")
        await trial.until(Preview, "shop-42", lambda found: found.status.conditions[0].reason == "Expired")
