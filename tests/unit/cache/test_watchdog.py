"""A block that ends when it is silent, or no longer wanted."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from caching import turns
from windlass.aio import ManualClock
from windlass.cache.watchdog import Silence, Watchdog
from windlass.errors import WindlassError

PATIENCE = timedelta(seconds=10)


class UnwantedError(WindlassError):
    """Somebody has no more use for a block."""


async def test_silence_ends_the_block() -> None:
    clock = ManualClock()

    async def wait() -> None:
        async with Watchdog(clock, PATIENCE):
            await asyncio.get_running_loop().create_future()

    task = asyncio.create_task(wait())
    await turns(3)
    await clock.advance(timedelta(seconds=9))
    assert not task.done()
    await clock.advance(timedelta(seconds=1))
    with pytest.raises(Silence, match="10 s"):
        await task
    assert not task.cancelling()


async def test_a_sign_of_life_gives_it_the_whole_time_again() -> None:
    clock = ManualClock()
    watchdog = Watchdog(clock, PATIENCE)

    async def wait() -> None:
        async with watchdog:
            await asyncio.get_running_loop().create_future()

    task = asyncio.create_task(wait())
    await turns(3)
    for _ in range(5):
        await clock.advance(timedelta(seconds=9))
        watchdog.heard()
    assert not task.done()
    await clock.advance(timedelta(seconds=10))
    with pytest.raises(Silence):
        await task


async def test_a_block_that_is_done_in_time_is_left_alone() -> None:
    clock = ManualClock()
    async with Watchdog(clock, PATIENCE):
        await asyncio.sleep(0)
    await clock.advance(timedelta(minutes=1))
    await turns(3)


async def test_the_first_reason_to_end_it_counts_even_from_within() -> None:
    async def wait() -> None:
        async with Watchdog(ManualClock(), PATIENCE) as watchdog:
            watchdog.end(UnwantedError("first"))
            watchdog.end(UnwantedError("second"))
            await asyncio.get_running_loop().create_future()

    with pytest.raises(UnwantedError, match="first"):
        await wait()


async def test_a_block_that_ends_before_it_notices_still_says_why() -> None:
    with pytest.raises(UnwantedError):
        async with Watchdog(ManualClock(), PATIENCE) as watchdog:
            watchdog.end(UnwantedError("now"))
    await asyncio.sleep(0)


async def test_what_the_block_raises_is_raised() -> None:
    with pytest.raises(RuntimeError, match="mine"):
        async with Watchdog(ManualClock(), PATIENCE):
            raise RuntimeError("mine")


async def test_being_cancelled_by_others_is_being_cancelled() -> None:
    watchdog = Watchdog(ManualClock(), PATIENCE)

    async def wait() -> None:
        async with watchdog:
            await asyncio.get_running_loop().create_future()

    for reason in (None, UnwantedError("too")):
        watchdog = Watchdog(ManualClock(), PATIENCE)
        task = asyncio.create_task(wait())
        await turns(3)
        if reason:
            watchdog.end(reason)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
