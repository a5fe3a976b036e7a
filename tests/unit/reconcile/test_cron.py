from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from sink import EVERYTHING, RecordingSink, running
from windlass.aio import ManualClock
from windlass.reconcile import Cron

HOUR = timedelta(hours=1)


async def test_everything_is_woken_at_the_moments_of_the_schedule() -> None:
    sink = RecordingSink(ManualClock(datetime(2026, 1, 1, 0, 30, tzinfo=UTC)))
    async with running(Cron("0 */2 * * *"), sink):
        await sink.clock.advance(HOUR * 1.49)
        assert sink.woken == []
        await sink.clock.advance(HOUR * 2.02)

    assert sink.woken == [(EVERYTHING, "cron 0 */2 * * *")] * 2


async def test_the_schedule_is_read_in_its_zone() -> None:
    sink = RecordingSink(ManualClock(datetime(2026, 7, 1, tzinfo=UTC)))
    async with running(Cron("0 3 * * *", "Europe/Berlin"), sink):
        await sink.clock.advance(HOUR * 0.99)
        assert sink.woken == []
        await sink.clock.advance(HOUR * 0.02)

    assert len(sink.woken) == 1


class Adjusted(ManualClock):
    """A clock whose wall time somebody sets."""

    ahead = timedelta()

    def now(self) -> datetime:
        return super().now() + self.ahead


@pytest.mark.parametrize(
    ("ahead", "after", "expected"), [(HOUR * 5, HOUR * 0.5, 1), (-HOUR * 5, HOUR * 9, 0)]
)
async def test_a_wall_clock_that_is_set_is_followed(
    ahead: timedelta, after: timedelta, expected: int
) -> None:
    clock = Adjusted(datetime(2026, 1, 1, tzinfo=UTC))
    sink = RecordingSink(clock)
    async with running(Cron("0 5 * * *"), sink):
        clock.ahead = ahead
        await clock.advance(after)

        assert len(sink.woken) == expected


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../etc/passwd", ""])
def test_a_zone_that_is_not_known_is_refused(zone: str) -> None:
    with pytest.raises(ValueError, match="no time zone"):
        Cron("@daily", zone)
