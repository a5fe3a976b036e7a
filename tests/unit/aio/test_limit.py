from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from windlass.aio import ManualClock, within

SECOND = timedelta(seconds=1)


async def test_what_is_done_in_time_is_returned_and_nobody_goes_on_waiting() -> None:
    clock = ManualClock()

    async def work() -> str:
        await asyncio.sleep(0)
        return "done"

    assert await within(clock, SECOND, work()) == "done"
    assert len(asyncio.all_tasks()) == 1


async def test_what_fails_in_time_fails() -> None:
    async def work() -> None:
        raise LookupError("nothing there")

    with pytest.raises(LookupError, match="nothing there"):
        await within(ManualClock(), SECOND, work())


async def test_what_takes_longer_is_cancelled_by_the_clock_that_was_given() -> None:
    clock = ManualClock()
    ended: list[float] = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(clock.monotonic())

    limited = asyncio.create_task(within(clock, SECOND, work()))
    for _ in range(3):
        await asyncio.sleep(0)
    await clock.advance(SECOND - timedelta(microseconds=1))
    assert not limited.done()
    await clock.advance(timedelta(microseconds=1))
    with pytest.raises(TimeoutError, match="within 1 s"):
        await limited
    assert ended == [1.0]


async def test_cancelling_the_wait_cancels_the_work_and_waits_for_its_end() -> None:
    ended: list[str] = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append("work")

    limited = asyncio.create_task(within(ManualClock(), SECOND, work()))
    for _ in range(3):
        await asyncio.sleep(0)
    limited.cancel()
    with pytest.raises(asyncio.CancelledError):
        await limited
    assert ended == ["work"]
    assert len(asyncio.all_tasks()) == 1
