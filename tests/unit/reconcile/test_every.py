from __future__ import annotations

from datetime import timedelta

import pytest

from sink import EVERYTHING, RecordingSink, running
from windlass.api import Key
from windlass.reconcile import Every

HOUR = timedelta(hours=1)


async def test_everything_is_woken_once_in_each_period() -> None:
    sink = RecordingSink()
    async with running(Every(HOUR, jitter=0), sink):
        await sink.clock.advance(HOUR * 0.99)
        assert sink.woken == []
        await sink.clock.advance(HOUR * 2.02)

    assert sink.woken == [(EVERYTHING, "every 1:00:00")] * 3


async def test_keys_that_are_named_are_woken_alone() -> None:
    keys, sink = (Key("", "a"), Key("default", "b")), RecordingSink()
    async with running(Every(HOUR, jitter=0, keys=keys), sink):
        await sink.clock.advance(HOUR)

    assert sink.woken == [(key, "every 1:00:00") for key in keys]


async def test_chance_makes_waits_shorter_by_its_part_at_most() -> None:
    sink = RecordingSink()
    async with running(Every(HOUR, jitter=0.25), sink):
        await sink.clock.advance(HOUR * 100)

    waits = sink.clock.sleeps
    assert HOUR * 0.75 <= min(waits) < max(waits) <= HOUR
    assert len(set(waits)) > 50


async def test_the_same_start_gives_the_same_waits() -> None:
    waits = []
    for _ in range(2):
        sink = RecordingSink()
        async with running(Every(HOUR), sink):
            await sink.clock.advance(HOUR * 5)
        waits.append(sink.clock.sleeps)

    assert waits[0] == waits[1]


@pytest.mark.parametrize(
    ("period", "jitter"), [(timedelta(), 0), (timedelta(microseconds=1), 0), (HOUR, 1.0), (HOUR, -0.5)]
)
def test_a_timer_that_makes_no_sense_is_refused(period: timedelta, jitter: float) -> None:
    with pytest.raises(ValueError, match="Every"):
        Every(period, jitter=jitter)


def test_a_key_where_keys_belong_is_told() -> None:
    with pytest.raises(TypeError, match=r"say keys=\(Key\(namespace='', name='all'\),\)"):
        Every(HOUR, keys=Key("", "all"))  # type: ignore[arg-type]
