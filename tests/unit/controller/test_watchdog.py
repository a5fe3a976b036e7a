"""A worker outlives every reconcile, whatever that does with a cancellation."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from operating import moving, operating
from polling import soon
from widget import Widget, WidgetStatus
from windlass.aio import ManualClock
from windlass.api import Key
from windlass.client import Client
from windlass.controller import ControllerOptions
from windlass.controller.watchdog import Watchdog
from windlass.errors import CancelledWithinError, TimeLimitExceededError
from windlass.manager import Manager
from windlass.reconcile import Context, Reconciler, Result

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

LIMIT = timedelta(seconds=30)


class Acting(Reconciler[Widget]):
    def __init__(self, act: Callable[[], Awaitable[None]]) -> None:
        self._act = act

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        if resource.spec.size == 0:
            await self._act()
        return Result.ready(WidgetStatus(size=resource.spec.size))


async def for_ever() -> None:
    await asyncio.get_running_loop().create_future()


async def test_a_worker_outlives_a_reconcile_that_awaits_what_was_cancelled() -> None:
    async def act() -> None:
        task = asyncio.ensure_future(for_ever())
        task.cancel()
        await task

    async with operating(Acting(act), controller=ControllerOptions(workers=1)) as operator:
        await operator.make("bad", size=0)
        failed = await operator.ready("bad", reason="ReconcileFailed")
        await operator.make("good", size=2)
        await operator.ready("good")

        assert "was cancelled" in failed.status.conditions[0].message


async def test_a_worker_outlives_a_reconcile_that_is_slow_to_be_cancelled() -> None:
    clock, began = ManualClock(), asyncio.Event()

    async def act() -> None:
        if began.is_set():
            return
        began.set()
        try:
            await for_ever()
        finally:
            await clock.sleep(timedelta(seconds=10))

    options = ControllerOptions(workers=1, time_limit=LIMIT)
    async with operating(Acting(act), clock=clock, controller=options) as operator:
        await operator.make("bad", size=0)
        await began.wait()
        await operator.make("good", size=2)
        await moving(clock, operator.ready("good"))
        await moving(clock, operator.ready("bad"))

        runs = operator.manager.journal.runs("widget", Key("default", "bad"))
        assert "time limit" in runs[-1].message


async def test_a_way_out_that_takes_too_long_is_cut_short() -> None:
    clock = ManualClock()
    watchdog = Watchdog(clock, LIMIT)

    async def slow_to_end() -> None:
        with watchdog.limited():
            try:
                await for_ever()
            finally:
                await for_ever()

    looking, working = asyncio.ensure_future(watchdog.run()), asyncio.ensure_future(slow_to_end())
    await moving(clock, asyncio.wait([working]))
    looking.cancel()

    assert isinstance(working.exception(), TimeLimitExceededError)
    assert working.cancelling() == 0


async def test_a_result_in_spite_of_the_limit_leaves_the_worker_as_it_was() -> None:
    clock = ManualClock()
    watchdog = Watchdog(clock, LIMIT)

    async def stubborn() -> str:
        with watchdog.limited():
            try:
                await for_ever()
            except asyncio.CancelledError:
                return "done all the same"
        raise AssertionError

    looking, working = asyncio.ensure_future(watchdog.run()), asyncio.ensure_future(stubborn())
    assert await moving(clock, working_result(working)) == "done all the same"
    looking.cancel()

    assert working.cancelling() == 0


async def working_result(task: asyncio.Future[str]) -> str:
    return await task


async def test_a_cancellation_from_outside_stays_one() -> None:
    watchdog = Watchdog(ManualClock(), LIMIT)
    inside = asyncio.Event()

    async def work() -> None:
        with watchdog.limited():
            inside.set()
            await for_ever()

    working = asyncio.ensure_future(work())
    await inside.wait()
    working.cancel()
    await asyncio.wait([working])

    assert working.cancelled()


async def test_nobody_asked_is_told_apart() -> None:
    watchdog = Watchdog(ManualClock(), LIMIT)

    with pytest.raises(CancelledWithinError), watchdog.limited():
        raise asyncio.CancelledError


async def test_a_reconcile_that_keeps_a_cancellation_to_itself_does_not_hold_up_a_lost_lease() -> None:
    runs: list[None] = []

    async def act() -> None:
        runs.append(None)
        try:
            await for_ever()
        except asyncio.CancelledError:
            return

    async with operating() as operator:
        manager = Manager(Client(operator.transport))
        controller = manager.add(Acting(act))
        await operator.make("bad", size=0)
        caching = asyncio.ensure_future(manager.cache.run())
        leading = asyncio.ensure_future(controller.run())
        await soon(lambda: len(runs) == 1)

        leading.cancel()
        await soon(leading.done)
        caching.cancel()

        assert len(runs) == 1


async def test_nobody_looks_while_nothing_runs() -> None:
    clock = ManualClock()
    watchdog = Watchdog(clock, LIMIT)
    async with asyncio.TaskGroup() as group:
        looking = group.create_task(watchdog.run())
        await clock.advance(timedelta(days=3))
        at_rest = len(clock.sleeps)
        with watchdog.limited():
            await soon(lambda: clock.sleeps)
            await clock.advance(timedelta(seconds=10))
        busy = len(clock.sleeps)
        await clock.advance(timedelta(days=3))
        looking.cancel()

    assert at_rest == 0
    assert busy == 11
    assert len(clock.sleeps) == busy  # the last look is the one that finds nothing
