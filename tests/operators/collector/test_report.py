"""What a Collector says of itself, and when it is looked at again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from windlass.operators.collector.report import Pace, rolling_out
from windlass.operators.collector.types import CollectorStatus

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SOON, LATER = timedelta(minutes=1), timedelta(minutes=5)


@pytest.mark.parametrize(
    ("left", "again", "reason", "due"),
    [
        (SOON, LATER, "RollingOut", SOON),
        (LATER, SOON, "RollingOut", SOON),
        (-SOON, LATER, "NotReady", LATER),
    ],
)
def test_one_that_is_not_ready_is_looked_at_again_however_late_it_is(
    left: timedelta, again: timedelta, reason: str, due: timedelta
) -> None:
    pace = Pace(NOW, LATER, again)
    result = rolling_out(CollectorStatus(), "1 of 3 replicas are available", NOW + left, pace)

    assert (result.reason, result.again) == (reason, due)
