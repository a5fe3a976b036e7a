"""Runs that take long, or fail against something remote: progress, giving up, and the delay of retries."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import Any

import pytest

from caching import eventually, turns
from operating import operating
from polling import until
from widget import Widget, WidgetStatus
from windlass.aio import ManualClock
from windlass.api import find_condition
from windlass.client import MergePatch
from windlass.reconcile import Context, Reconciler, Result

SECOND = timedelta(seconds=1)


class Waiting(Reconciler[Widget]):
    """Waits in its first run until the object has changed."""

    finalizer = "example.com/waiting"

    def __init__(self) -> None:
        self.runs: list[int] = []
        self.given_up = 0
        self.finalized = 0

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        self.runs.append(resource.spec.size)
        if len(self.runs) == 1:
            await ctx.progress("Installing", "a step that takes long")
            await ctx.superseded()
            self.given_up += 1
            return Result.waiting("Superseded")
        return Result.ready(WidgetStatus(size=resource.spec.size))

    async def finalize(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        self.finalized += 1
        return Result.ready()


async def test_a_run_shows_its_progress_and_ends_when_its_object_has_another_generation() -> None:
    waiting = Waiting()
    async with operating(waiting) as operator:
        await operator.make(size=1)

        async def is_installing() -> bool:
            found = await operator.client.get(Widget, "w", "default")
            ready = find_condition(found.status.conditions, "Ready")
            return ready is not None and (ready.status, ready.reason) == ("False", "Installing")

        await until(is_installing)
        await operator.client.patch(Widget, "w", MergePatch({"metadata": {"labels": {"a": "b"}}}), "default")
        await turns(50)
        assert waiting.given_up == 0  # a label is no other generation

        await operator.client.patch(Widget, "w", MergePatch({"spec": {"size": 2}}), "default")
        assert (await operator.ready()).status.size == 2

    assert waiting.given_up == 1


async def test_a_run_ends_when_its_object_is_deleted() -> None:
    waiting = Waiting()
    async with operating(waiting) as operator:
        await operator.make(size=1)
        await eventually(lambda: bool(waiting.runs))
        await operator.client.delete(Widget, "w", "default")
        await eventually(lambda: waiting.finalized == 1)

    assert waiting.given_up == 1


class Failing(Reconciler[Widget]):
    """Fails each time; says itself when to retry if it is told to."""

    first_retry = SECOND

    def __init__(self, clock: ManualClock, again: timedelta | None = None) -> None:
        self.at: list[float] = []
        self._clock = clock
        self._again = again

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        self.at.append(self._clock.monotonic())
        return Result.failed(RuntimeError("remote API failed"), again=self._again)


def failures(caplog: pytest.LogCaptureFixture) -> list[Any]:
    return [record for record in caplog.records if record.getMessage() == "Reconciler error"]


async def test_the_first_retry_waits_as_long_as_the_reconciler_says(caplog: pytest.LogCaptureFixture) -> None:
    clock = ManualClock()
    failing = Failing(clock)
    with caplog.at_level(logging.ERROR, "windlass.controller"):
        async with operating(failing, clock=clock) as operator:
            await operator.make()
            await eventually(lambda: len(failures(caplog)) == 1)
            await turns(100)  # until the worker waits for its next key
            await clock.advance(SECOND * 0.999)
            await turns(100)
            assert len(failing.at) == 1
            await clock.advance(SECOND * 0.12)  # a tenth of the delay is left to chance
            await eventually(lambda: len(failing.at) == 2)


async def test_a_failure_is_retried_after_the_delay_that_it_says_and_the_log_says_so_too(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = ManualClock()
    failing = Failing(clock, again=timedelta(minutes=10))
    with caplog.at_level(logging.ERROR, "windlass.controller"):
        async with operating(failing, clock=clock) as operator:
            await operator.make()
            await eventually(lambda: len(failures(caplog)) == 1)
            await turns(100)  # until the worker waits for its next key
            await clock.advance(timedelta(minutes=9, seconds=59))
            await turns(100)
            assert len(failing.at) == 1
            await clock.advance(SECOND)
            await eventually(lambda: len(failing.at) == 2)

    assert [each.windlass["retryAfter"] for each in failures(caplog)][:1] == ["600s"]


def test_a_first_retry_that_is_no_duration_is_refused() -> None:
    with pytest.raises(TypeError, match=r"first_retry is 1; write timedelta\(seconds=1\)"):

        class Wrong(Reconciler[Widget]):
            first_retry = 1  # type: ignore[assignment]

            async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
                return Result.ready()


async def test_superseded_waits_as_long_as_nothing_changes() -> None:
    began = asyncio.Event()

    class Still(Reconciler[Widget]):
        async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
            began.set()
            try:
                async with asyncio.timeout(0):
                    await ctx.superseded()
            except TimeoutError:
                return Result.ready(WidgetStatus(note="not superseded"))
            return Result.ready(WidgetStatus(note="superseded"))

    async with operating(Still()) as operator:
        await operator.make()
        assert (await operator.ready()).status.note == "not superseded"
