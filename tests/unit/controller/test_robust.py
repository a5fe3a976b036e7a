"""What one object, or one function of somebody's, does wrong stays with it."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from operating import operating
from polling import soon
from widget import Widget, WidgetStatus
from windlass.api import Key
from windlass.controller import ControllerOptions
from windlass.manager import ManagerOptions
from windlass.reconcile import Context, Reconciler, Result

if TYPE_CHECKING:
    from collections.abc import Callable


class Acting(Reconciler[Widget]):
    """Does something particular for Widgets of size 0."""

    def __init__(self, act: Callable[[Widget, Context], Any]) -> None:
        self._act = act

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        if resource.spec.size == 0:
            found = await self._act(resource, ctx)
            if isinstance(found, Result):
                return found
        return Result.ready(WidgetStatus(size=resource.spec.size))


async def test_a_run_that_cannot_be_recorded_stops_no_other_object() -> None:
    async def act(resource: Widget, ctx: Context) -> None:
        what: Any = 7

        async def create() -> None:
            """Create nothing."""

        await ctx.effect(what, create)

    async with operating(Acting(act), controller=ControllerOptions(workers=1)) as operator:
        await operator.make("bad", size=0)
        await soon(lambda: operator.manager.controllers[0].queue.delayed)
        await operator.make("good", size=2)

        assert (await operator.ready("good")).status.size == 2


async def test_a_wait_in_the_wrong_unit_is_told_and_stops_no_other_object() -> None:
    async def act(resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        again: Any = 60
        return Result.ready(again=again)

    async with operating(Acting(act), controller=ControllerOptions(workers=1)) as operator:
        await operator.make("bad", size=0)
        failed = await operator.ready("bad", reason="ReconcileFailed")
        await operator.make("good", size=2)
        await operator.ready("good")

        assert "timedelta(seconds=60)" in failed.status.conditions[0].message


async def test_a_run_that_is_cancelled_is_counted_and_told_with_what_it_did() -> None:
    began = asyncio.Event()

    async def act(resource: Widget, ctx: Context) -> None:
        async def create() -> None:
            began.set()

        await ctx.effect("create a record", create)
        await asyncio.get_running_loop().create_future()

    options = ManagerOptions(name="tester", drain=timedelta(0))
    async with operating(Acting(act), options=options) as operator:
        await operator.make("bad", size=0)
        await began.wait()
        await operator.stop()

        (run,) = operator.manager.journal.runs("widget", Key("default", "bad"))
        assert run.outcome == "cancelled"
        assert [each.what for each in run.effects] == ["create a record"]
        exposed = operator.manager.metrics.expose().body.decode()
        assert 'controller_runtime_active_workers{controller="widget"} 0.0' in exposed
