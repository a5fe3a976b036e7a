from __future__ import annotations

import asyncio

from polling import soon
from windlass.apiserver.streaming.inlet import Inlet


async def test_what_came_is_read_in_its_order_and_then_the_end() -> None:
    inlet = Inlet()
    await inlet.feed(b"one")
    await inlet.feed(b"two")
    inlet.close()

    assert [await inlet.read() for _ in range(4)] == [b"one", b"two", b"", b""]


async def test_a_reader_waits_for_what_comes() -> None:
    inlet = Inlet()
    reading = asyncio.ensure_future(inlet.read())
    await asyncio.sleep(0)
    assert not reading.done()

    await inlet.feed(b"x")

    assert await reading == b"x"


async def test_who_brings_too_much_waits_until_it_is_read() -> None:
    inlet = Inlet()
    await inlet.feed(b"x" * 256 * 1024)
    feeding = asyncio.ensure_future(inlet.feed(b"more"))
    await asyncio.sleep(0)
    assert not feeding.done()

    await inlet.read()
    await soon(feeding.done)

    assert await inlet.read() == b"more"


async def test_nobody_waits_for_a_reader_that_has_gone() -> None:
    inlet = Inlet()
    await inlet.feed(b"x" * 256 * 1024)
    feeding = asyncio.ensure_future(inlet.feed(b"more"))
    inlet.close()
    await feeding

    assert len(await inlet.read()) == 256 * 1024
    assert await inlet.read() == b""
