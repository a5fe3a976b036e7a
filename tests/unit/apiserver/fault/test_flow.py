from __future__ import annotations

import asyncio
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING

import pytest

from windlass.aio import ManualClock
from windlass.apiserver import Cut
from windlass.apiserver.fault import Faults, Flow, StreamFate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

A_SECOND = timedelta(seconds=1)


async def never() -> AsyncIterator[bytes]:
    await asyncio.get_running_loop().create_future()
    yield b""


async def of(*lines: bytes) -> AsyncIterator[bytes]:
    for line in lines:
        yield line


def flow(lines: AsyncIterator[bytes], **faults: object) -> Flow:
    fate = StreamFate(Faults(**faults), Random(1))  # type: ignore[arg-type]
    return Flow(lines, ManualClock(), fate)


async def test_who_waits_for_a_line_learns_at_once_that_it_is_cut() -> None:
    flowing = flow(never())
    waiting = asyncio.ensure_future(flowing.next())
    await asyncio.sleep(0)

    flowing.cut()

    with pytest.raises(Cut):
        await waiting


async def test_who_asks_later_learns_it_without_waiting_for_a_line() -> None:
    flowing = flow(never())
    flowing.cut()

    with pytest.raises(Cut):
        await flowing.next()


async def test_empty_pieces_are_passed_on_and_do_not_count() -> None:
    told: list[str] = []
    flowing = flow(of(b"", b"a", b"", b"b"), cut_after=1)
    flowing.told = told.append

    assert [await flowing.next() for _ in range(2)] == [b"", b"a"]
    with pytest.raises(Cut):
        await flowing.next()
    assert told == ["cut"]


async def test_a_cancellation_that_comes_as_the_block_ends_is_not_lost() -> None:
    flowing, left = flow(never(), cut_every=A_SECOND), asyncio.Event()

    async def read() -> None:
        async with flowing.lasting():
            await left.wait()

    reading = asyncio.ensure_future(read())
    await asyncio.sleep(0)
    left.set()
    await asyncio.sleep(0)
    reading.cancel()

    with pytest.raises(asyncio.CancelledError):
        await reading
