"""The pace of streams: few go on at once, many together."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

from windlass.apiserver.pace import Pace

MANY = 16
LARGE = 64 * 1024


def rested_at_once(pace: Pace, sent: int) -> bool:
    """Whether a stream need not wait at all."""
    resting = pace.rest(sent)
    try:
        resting.send(None)
    except StopIteration:
        return True
    resting.close()
    return False


async def test_few_streams_go_on_at_once() -> None:
    pace = Pace()
    with ExitStack() as streams:
        for _ in range(MANY - 1):
            streams.enter_context(pace.stream())

        assert rested_at_once(pace, 1)


async def test_many_streams_go_on_together() -> None:
    pace = Pace()
    with ExitStack() as streams:
        for _ in range(MANY):
            streams.enter_context(pace.stream())
        resting = [asyncio.ensure_future(pace.rest(1)) for _ in range(MANY)]
        await asyncio.sleep(0)
        assert not any(each.done() for each in resting)

        await resting[0]
        await asyncio.sleep(0)

        assert all(each.done() for each in resting)


async def test_a_stream_that_is_cut_off_leaves_the_others_resting() -> None:
    pace = Pace()
    with ExitStack() as streams:
        for _ in range(MANY):
            streams.enter_context(pace.stream())
        cut, resting = (asyncio.ensure_future(pace.rest(1)) for _ in range(2))
        await asyncio.sleep(0)

        cut.cancel()
        await asyncio.wait([cut])

        assert not resting.done()
        await resting


async def test_a_large_piece_is_followed_at_once_however_many_there_are() -> None:
    pace = Pace()
    with ExitStack() as streams:
        for _ in range(MANY):
            streams.enter_context(pace.stream())

        assert rested_at_once(pace, LARGE)
        assert not rested_at_once(pace, LARGE - 1)


async def test_streams_that_have_ended_do_not_count() -> None:
    pace = Pace()
    with ExitStack() as streams:
        for _ in range(MANY):
            streams.enter_context(pace.stream())

    assert rested_at_once(pace, 1)
