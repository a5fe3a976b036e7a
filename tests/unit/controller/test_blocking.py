"""An object whose reconcile blocks the event loop is named, and does not keep the others waiting again."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from operating import operating
from polling import soon, until
from widget import Widget, WidgetStatus
from windlass.aio import ManualClock
from windlass.api import Key
from windlass.client import MergePatch
from windlass.controller import BlockingOptions
from windlass.controller.blocking import Blocking
from windlass.kinds.events.v1 import Event
from windlass.reconcile import Context, Reconciler, Result

if TYPE_CHECKING:
    from windlass.controller import Controller

BAD, GOOD = Key("default", "bad"), Key("default", "good")
TWO, TEN = timedelta(seconds=2), timedelta(seconds=10)


async def test_an_object_is_held_back_longer_each_time_and_then_quarantined() -> None:
    clock = ManualClock()
    blocking = Blocking(BlockingOptions(), clock)

    holds = [blocking.note(BAD, TWO).hold for _ in range(4)]
    assert [each.total_seconds() for each in holds] == [1, 8, 600, 600]
    assert blocking.note(BAD, TWO).quarantined
    assert blocking.held(BAD) == timedelta(minutes=10)
    assert blocking.held(GOOD) == timedelta()
    await clock.advance(timedelta(minutes=4))
    assert blocking.held(BAD) == timedelta(minutes=6)
    await clock.advance(timedelta(minutes=67))
    assert blocking.note(BAD, TWO).hold == timedelta(seconds=1)  # it is forgiven


def test_what_blocked_for_long_is_not_run_again_soon() -> None:
    blocking = Blocking(BlockingOptions(), ManualClock())
    assert blocking.note(BAD, timedelta(seconds=30)).hold == timedelta(minutes=1)
    assert blocking.note(GOOD, timedelta(hours=1)).hold == timedelta(minutes=5)
    blocking.forget(BAD)
    assert blocking.held(BAD) == timedelta()


@pytest.mark.parametrize("options", [{"offences": 0}, {"factor": 0}, {"first": timedelta(hours=1)}])
def test_options_that_make_no_sense_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="BlockingOptions"):
        BlockingOptions(**options)  # type: ignore[arg-type]


class Sleeping(Reconciler[Widget]):
    """Blocks the event loop for `bad`, as far as the controller is told."""

    def __init__(self) -> None:
        self.controller: Controller | None = None
        self.runs: list[str] = []

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        self.runs.append(resource.metadata.name)
        if resource.metadata.name == "bad":
            assert self.controller is not None
            assert self.controller.blocked(asyncio.current_task(), TEN, "app.py:7 in reconcile")
        return Result.ready(WidgetStatus(size=resource.spec.size), again=timedelta(seconds=1))


async def test_an_object_that_blocked_waits_and_others_do_not(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    reconciler = Sleeping()
    async with operating(reconciler) as operator:
        (reconciler.controller,) = operator.manager.controllers
        await operator.make("bad")
        await operator.ready("bad")
        await operator.client.patch(Widget, "bad", MergePatch({"spec": {"size": 2}}), "default")
        await operator.make("good")
        await operator.ready("good")
        await operator.client.patch(Widget, "good", MergePatch({"spec": {"size": 2}}), "default")
        await soon(lambda: reconciler.runs.count("good") >= 2)
        assert reconciler.runs.count("bad") == 1

        async def told() -> list[str]:
            events = await operator.client.list(Event, "default")
            return [each.note or "" for each in events if each.reason == "BlockedEventLoop"]

        (note,) = await until(told)
        assert "blocked the event loop for 10 s at app.py:7 in reconcile" in note
        assert "call what blocks with ctx.thread. The object is held back for 20 s" in note
        assert "default/bad: the reconcile blocked the event loop" in caplog.text
        assert b"windlass_event_loop_blocked_total" in operator.manager.metrics.expose().body


class Spinning(Sleeping):
    """Blocks, is retried at once, and ends without a break; the loop learns of the block afterwards."""

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        self.runs.append(resource.metadata.name)
        task, controller = asyncio.current_task(), self.controller
        assert controller is not None
        asyncio.get_running_loop().call_soon(lambda: self.told.append(controller.blocked(task, TEN, "")))
        return Result.ready(resource.status.model_copy(), again=timedelta(milliseconds=100))

    def __init__(self) -> None:
        super().__init__()
        self.told: list[bool] = []


async def test_a_run_that_ends_without_a_break_is_held_back_though_it_is_queued_again() -> None:
    reconciler = Spinning()
    clock = ManualClock()
    async with operating(reconciler, clock=clock) as operator:
        (reconciler.controller,) = operator.manager.controllers
        await operator.make("bad")
        await operator.ready("bad")
        await operator.quiet()
        for _ in range(10):
            await clock.advance(timedelta(seconds=1))
        held = len(reconciler.runs)
        assert reconciler.told == [True] * held
        assert held < 3
        await clock.advance(timedelta(minutes=2))
        await soon(lambda: len(reconciler.runs) > held)


async def test_a_task_that_reconciles_nothing_blames_no_object() -> None:
    reconciler = Sleeping()
    async with operating(reconciler) as operator:
        (controller,) = operator.manager.controllers
        assert not controller.blocked(asyncio.current_task(), TWO, "")
        assert not controller.blocked(None, TWO, "")
