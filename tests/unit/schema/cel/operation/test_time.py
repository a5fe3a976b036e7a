from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.schema.cel.operation import (
    calendar,
    duration_text,
    go_duration_text,
    parse_date,
    parse_date_time,
    parse_duration,
    parse_timestamp,
    parse_wordy_duration,
    timestamp_text,
)
from windlass.schema.cel.value import INT_MAX, INT_MIN, Duration, Timestamp

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NANOSECONDS = st.integers(INT_MIN, INT_MAX)


@pytest.mark.property
@given(NANOSECONDS)
def test_a_duration_that_was_written_as_go_does_is_read_again(nanoseconds: int) -> None:
    assert parse_duration(go_duration_text(Duration(nanoseconds))) == Duration(nanoseconds)


@pytest.mark.property
@given(st.datetimes(timezones=st.just(UTC)), st.integers(-14 * 60, 14 * 60))
def test_a_moment_that_was_written_is_read_again(moment: datetime, minutes: int) -> None:
    microseconds = (moment - EPOCH) // timedelta(microseconds=1)
    written = Timestamp(microseconds * 1000, minutes * 60)

    read = parse_timestamp(timestamp_text(written))

    # Beyond the years that four digits can tell, there is nothing to read.
    if read is not None:
        assert (read.nanoseconds, read.offset) == (written.nanoseconds, written.offset)


@pytest.mark.property
@given(st.datetimes(timezones=st.just(UTC)))
def test_the_calendar_is_that_of_python(moment: datetime) -> None:
    day = calendar((moment - EPOCH) // timedelta(seconds=1))

    found = datetime(day.year, day.month, day.day, tzinfo=UTC)
    assert found.date() == moment.date()
    assert day.day_of_year == moment.timetuple().tm_yday - 1
    assert day.day_of_week == moment.isoweekday() % 7


@pytest.mark.parametrize(
    ("text", "nanoseconds"),
    [
        ("0", 0),
        ("-0", 0),
        ("1.5h", 5400 * 10**9),
        ("-.5s", -5 * 10**8),
        ("00000000000000000000000000000001s", 10**9),
        ("9223372036854775807ns", INT_MAX),
        ("-9223372036854775808ns", INT_MIN),
        *((text, None) for text in ("", "-", "1", "s", ".s", "1 s", "1d", "--1s", "9223372036854775808ns")),
        ("1" * 5000 + "h", None),
    ],
)
def test_durations_are_read_as_go_reads_them(text: str, nanoseconds: int | None) -> None:
    assert parse_duration(text) == (None if nanoseconds is None else Duration(nanoseconds))


@pytest.mark.parametrize(
    ("text", "hours"),
    [("3 days", 72), ("1 Week 2 HOURS", 170), ("1h", 1), ("90 min", 1.5), ("soon", None), ("1 parsec", None)],
)
def test_a_schema_takes_durations_in_words(text: str, hours: float | None) -> None:
    expected = None if hours is None else Duration(int(hours * 3600 * 10**9))

    assert parse_wordy_duration(text) == expected


@pytest.mark.parametrize(
    ("nanoseconds", "text"),
    [
        (0, "0s"),
        (1, "1ns"),
        (1_500, "1.5\u00b5s"),
        (-20_000_001, "-20.000001ms"),
        (10**9, "1s"),
        (16_100_000_000, "16.1s"),
        (60 * 10**9, "1m0s"),
        (3600 * 10**9 + 5, "1h0m0.000000005s"),
    ],
)
def test_a_duration_is_printed_as_go_prints_it(nanoseconds: int, text: str) -> None:
    assert go_duration_text(Duration(nanoseconds)) == text


def test_a_duration_is_written_in_seconds() -> None:
    written = [duration_text(Duration(each)) for each in (0, 1, -1, 15 * 10**8, 3600 * 10**9)]

    assert written == ["0s", "0.000000001s", "-0.000000001s", "1.5s", "3600s"]


def test_a_schema_takes_moments_without_a_zone_and_days() -> None:
    assert parse_date_time("1970-01-02T00:00:00") == Timestamp(86_400 * 10**9)
    assert parse_date_time("") == Timestamp(0)
    assert parse_timestamp("1970-01-02T00:00:00") is None
    assert parse_date("1970-01-02") == Timestamp(86_400 * 10**9)
    assert parse_date("1970-02-30") is None
