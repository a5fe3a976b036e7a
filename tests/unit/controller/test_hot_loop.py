"""Two sides that write one field back and forth are slowed down and named."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from operating import operating
from polling import soon, until
from widget import Widget, WidgetStatus
from windlass.aio import ManualClock
from windlass.api import ObjectMeta
from windlass.client import MergePatch
from windlass.controller import BreakerOptions, ControllerOptions
from windlass.kinds.core.v1 import ConfigMap
from windlass.kinds.events.v1 import Event
from windlass.reconcile import Context, Reconciler, Result

if TYPE_CHECKING:
    import pytest


class Mapping(Reconciler[Widget]):
    owns = (ConfigMap,)
    runs = 0

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[Any]:
        self.runs += 1
        await ctx.apply(ConfigMap(metadata=ObjectMeta(name="w"), data={"size": "ours"}))
        return Result.ready(WidgetStatus(size=self.runs))


async def test_a_fight_over_a_field_is_slowed_down_and_told(caplog: pytest.LogCaptureFixture) -> None:
    clock, reconciler = ManualClock(), Mapping()
    options = ControllerOptions(breaker=BreakerOptions(writing_runs=10))
    async with operating(reconciler, clock=clock, controller=options) as operator:
        rival = operator.client.using(field_manager="rival")
        await operator.make()
        await operator.ready()
        for _ in range(40):
            await rival.patch(ConfigMap, "w", MergePatch({"data": {"size": "theirs"}}), "default")
            await operator.quiet()
        slowed = reconciler.runs

        assert slowed < 20
        assert ".data.size" in caplog.text
        assert "rival" in caplog.text
        await clock.advance(timedelta(minutes=2))
        await soon(lambda: reconciler.runs > slowed)

        async def told() -> bool:
            events = await operator.client.list(Event, "default")
            return any(each.reason == "HotLoop" and "rival" in (each.note or "") for each in events)

        await until(told)


async def test_a_person_who_wants_it_looked_at_now_or_left_alone_does_not_wait_for_a_loop_to_slow_down() -> (
    None
):
    clock, reconciler = ManualClock(), Mapping()
    breaker = BreakerOptions(writing_runs=3, first=timedelta(minutes=1))
    async with operating(reconciler, clock=clock, controller=ControllerOptions(breaker=breaker)) as operator:
        await operator.make()
        await operator.ready()
        [controller] = operator.manager.controllers
        while not controller.queue.delayed:
            await operator.client.patch(ConfigMap, "w", MergePatch({"data": {"size": "theirs"}}), "default")
            await operator.quiet()
        held = reconciler.runs
        annotations = {"windlass.dev/reconcile-at": "now"}
        await operator.client.patch(
            Widget, "w", MergePatch({"metadata": {"annotations": annotations}}), "default"
        )

        await soon(lambda: reconciler.runs > held)
