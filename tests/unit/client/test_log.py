from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from windlass.client import LogOptions
from windlass.errors import ConfigError

MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("options", "query"),
    [
        (LogOptions(), {}),
        (LogOptions(container="main", follow=True), {"follow": "true", "container": "main"}),
        (LogOptions(previous=True, timestamps=True), {"previous": "true", "timestamps": "true"}),
        (LogOptions(since=timedelta(minutes=1.5)), {"sinceSeconds": "90"}),
        (
            LogOptions(since=MOMENT.astimezone(timezone(timedelta(hours=1)))),
            {"sinceTime": "2026-01-02T03:04:05Z"},
        ),
        (LogOptions(tail=0, limit=7), {"tailLines": "0", "limitBytes": "7"}),
    ],
)
def test_only_what_is_wanted_is_asked_for(options: LogOptions, query: dict[str, str]) -> None:
    assert dict(options.query()) == query


@pytest.mark.parametrize("age", [timedelta(), timedelta(milliseconds=999), timedelta(seconds=-5)])
def test_an_age_of_no_second_is_refused_where_it_is_written(age: timedelta) -> None:
    with pytest.raises(ConfigError, match="since must be a second at least"):
        LogOptions(since=age)
