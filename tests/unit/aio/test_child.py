from __future__ import annotations

import asyncio

import pytest

from windlass.aio.child import through


async def test_what_is_waited_through_is_over_when_a_cancellation_is_obeyed() -> None:
    over = asyncio.Event()
    waiting = asyncio.create_task(through(over.is_set, over.wait))
    await asyncio.sleep(0)

    for _ in range(3):
        waiting.cancel()
        await asyncio.wait([waiting], timeout=0)
    still = not waiting.done()
    over.set()
    await asyncio.wait([waiting])

    assert still
    assert waiting.cancelled()


async def test_what_is_waited_through_undisturbed_just_ends() -> None:
    over = asyncio.Event()
    waiting = asyncio.create_task(through(over.is_set, over.wait))
    await asyncio.sleep(0)
    over.set()

    await waiting


async def test_what_goes_wrong_in_waiting_is_raised() -> None:
    async def wait() -> None:
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        await through(lambda: False, wait)
