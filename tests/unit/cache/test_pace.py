"""When to rest, and how long to wait."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from windlass.aio import ManualClock
from windlass.cache.pace import Backoff, Pace


async def test_a_break_is_due_after_a_few_milliseconds_or_many_pieces() -> None:
    clock = ManualClock()
    pace = Pace(clock)
    assert [pace.due() for _ in range(256)] == [False] * 255 + [True]
    await pace.rest()
    assert not any(pace.due() for _ in range(100))
    await clock.advance(timedelta(milliseconds=3))
    assert any(pace.due() for _ in range(16))


def test_pauses_double_up_to_the_longest_and_begin_again() -> None:
    backoff = Backoff(timedelta(seconds=1), timedelta(seconds=8), Random(1))
    pauses = [backoff.next().total_seconds() for _ in range(100)]

    assert all(low <= pause <= 2 * low for low, pause in zip((0.5, 1, 2, 4, 4), pauses, strict=False))
    assert all(4 <= pause <= 8 for pause in pauses[5:])
    backoff.reset()
    assert backoff.next() <= timedelta(seconds=1)
