from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from windlass.api import (
    Duration,
    MicroTime,
    Model,
    Time,
    format_duration,
    format_micro_time,
    format_time,
    parse_duration,
)

EAST, WEST = timezone(timedelta(hours=5, minutes=30)), timezone(timedelta(hours=-8))


class Stamps(Model):
    at: Time | None = None
    exact_at: MicroTime | None = None
    wait: Duration | None = None


@pytest.mark.parametrize(
    ("moment", "time", "micro_time"),
    [
        (datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000000Z"),
        (datetime(2026, 1, 2, 3, 4, 5, 678, UTC), "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000678Z"),
        (datetime(2026, 1, 2, 3, 4, 5, 999999, UTC), "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.999999Z"),
        (datetime(2026, 1, 2, 3, 4, 5), "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000000Z"),  # noqa: DTZ001
        (datetime(2026, 1, 2, 3, 4, 5, tzinfo=EAST), "2026-01-01T21:34:05Z", "2026-01-01T21:34:05.000000Z"),
        (datetime(2026, 1, 2, 23, 4, 5, tzinfo=WEST), "2026-01-03T07:04:05Z", "2026-01-03T07:04:05.000000Z"),
        (datetime(999, 1, 2, tzinfo=UTC), "0999-01-02T00:00:00Z", "0999-01-02T00:00:00.000000Z"),
        (datetime(1, 1, 1, tzinfo=UTC), "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"),
        (
            datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC),
            "9999-12-31T23:59:59Z",
            "9999-12-31T23:59:59.000000Z",
        ),
    ],
)
def test_a_time_is_written_in_utc(moment: datetime, time: str, micro_time: str) -> None:
    assert (format_time(moment), format_micro_time(moment)) == (time, micro_time)
    assert Stamps(at=moment, exact_at=moment).to_wire() == {"at": time, "exactAt": micro_time}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
        ("2026-01-02T03:04:05+00:00", "2026-01-02T03:04:05Z"),
        ("2026-01-02T05:04:05+02:00", "2026-01-02T03:04:05Z"),
        ("2026-01-01T19:04:05-08:00", "2026-01-02T03:04:05Z"),
        ("2026-01-02T03:04:05.999Z", "2026-01-02T03:04:05Z"),
        ("2026-01-02T03:04:05.123456789Z", "2026-01-02T03:04:05Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
    ],
)
def test_a_time_is_read_from_any_zone_and_any_precision(text: str, written: str) -> None:
    assert Stamps.from_wire({"at": text}).to_wire() == {"at": written}


def test_a_micro_time_keeps_its_microseconds() -> None:
    wire = {"exactAt": "2026-01-02T03:04:05.000001Z"}
    assert Stamps.from_wire(wire).to_wire() == wire
    finer = Stamps.from_wire({"exactAt": "2026-01-02T03:04:05.000001999Z"})
    assert finer.to_wire() == wire


moments = st.datetimes(
    min_value=datetime(2, 1, 1),  # noqa: DTZ001 - Hypothesis adds the zone
    max_value=datetime(9998, 12, 31),  # noqa: DTZ001
    timezones=st.timezones() | st.just(UTC),
    allow_imaginary=False,
)


@pytest.mark.property
@settings(deadline=None)
@given(moments)
def test_a_time_that_is_written_is_read_back_as_the_same_moment(moment: datetime) -> None:
    stamps = Stamps.from_wire(Stamps(at=moment, exact_at=moment).to_wire())
    utc = moment.astimezone(UTC)
    assert (stamps.at, stamps.exact_at) == (utc.replace(microsecond=0), utc)


# What Go (time.ParseDuration) makes of each text, in whole microseconds.
DURATIONS = [
    ("0", 0), ("0s", 0), ("+0", 0), ("-0", 0), ("0h0m0s", 0), (".0s", 0),
    ("1s", 1_000_000), ("+5s", 5_000_000), ("-5s", -5_000_000), ("1.5s", 1_500_000), (".5s", 500_000),
    ("1.s", 1_000_000), ("00001s", 1_000_000), ("1m", 60_000_000), ("1h", 3_600_000_000),
    ("90s", 90_000_000), ("1h30m", 5_400_000_000), ("1h30m0s", 5_400_000_000), ("1m1s", 61_000_000),
    ("0.5m", 30_000_000), ("1.25h", 4_500_000_000), ("39h9m14.425s", 140_954_425_000),
    ("100ms", 100_000), ("1500ms", 1_500_000), ("1us", 1), ("1µs", 1), ("1\u03bcs", 1), ("999us", 999),
    ("24h", 86_400_000_000), ("8760h", 31_536_000_000_000),
    ("1s1h", 3_601_000_000), ("1s1s", 2_000_000), ("1h1m1s1ms1us1ns", 3_661_001_001),
    ("1ns", 0), ("-1ns", 0), ("999ns", 0), ("1000ns", 1), ("1500ns", 1), ("-1500ns", -1), ("1.5us", 1),
    ("0.000001s", 1), ("0.0000001s", 0), ("3.14159265358979s", 3_141_592),
    ("1.0000000000000000000000000001s", 1_000_000), ("9007199254.740993ms", 9_007_199_254_740),
    ("9223372036854775807ns", 9_223_372_036_854_775), ("-9223372036854775808ns", -9_223_372_036_854_775),
    ("2562047h47m16.854775807s", 9_223_372_036_854_775),
    ("-2562047h47m16.854775808s", -9_223_372_036_854_775),
]  # fmt: skip


@pytest.mark.parametrize(("text", "microseconds"), DURATIONS)
def test_a_duration_is_read_as_go_reads_it(text: str, microseconds: int) -> None:
    assert parse_duration(text) == timedelta(microseconds=microseconds)


def test_a_fraction_is_exact_where_go_rounds_a_float() -> None:
    assert parse_duration("0.3333333333333333333h") == timedelta(minutes=20) - timedelta(microseconds=1)


@pytest.mark.parametrize(
    "text",
    ["", "1", "-", "+", ".", "s", ".s", "-.s", "00", "0.0", "1e3s", "1 s", " 1s", "1s ", "1d", "1w", "1S", "1H",
     "1min", "1sec", "--1s", "1-s", "1h-1m", "1,5s", "1h 30m", "PT1H", "\u0661s", "1s\n", "infs", "1..5s",
     "1.2.3s", "0x1s", "1_0s"],
)  # fmt: skip
def test_what_go_does_not_read_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a duration such as"):
        parse_duration(text)


@pytest.mark.parametrize(
    "text",
    ["9223372036854775808ns", "-9223372036854775809ns", "2562048h", "3000000h", "-3000000h", "9" * 30 + "h"],
)
def test_a_duration_longer_than_go_can_hold_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is longer than 292 years"):
        parse_duration(text)


@pytest.mark.parametrize(
    ("microseconds", "text"),
    [
        (0, "0s"),
        (1, "1µs"),
        (999, "999µs"),
        (1000, "1ms"),
        (1001, "1.001ms"),
        (1500, "1.5ms"),
        (10_000, "10ms"),
        (999_999, "999.999ms"),
        (1_000_000, "1s"),
        (1_000_001, "1.000001s"),
        (1_500_000, "1.5s"),
        (59_999_999, "59.999999s"),
        (60_000_000, "1m0s"),
        (61_000_000, "1m1s"),
        (3_600_000_000, "1h0m0s"),
        (3_661_000_000, "1h1m1s"),
        (5_400_000_000, "1h30m0s"),
        (86_400_000_000, "24h0m0s"),
        (10**15, "277777h46m40s"),
        (-1, "-1µs"),
        (-1500, "-1.5ms"),
        (-90_000_000, "-1m30s"),
    ],
)
def test_a_duration_is_written_as_go_writes_it(microseconds: int, text: str) -> None:
    assert format_duration(timedelta(microseconds=microseconds)) == text


@pytest.mark.property
@settings(deadline=None)
@given(st.timedeltas(timedelta(days=-106_000), timedelta(days=106_000)))
def test_a_duration_that_is_written_is_read_back(duration: timedelta) -> None:
    assert parse_duration(format_duration(duration)) == duration


@pytest.mark.property
@settings(deadline=None)
@given(st.text(st.sampled_from("0123456789.+-numsh"), max_size=12))
def test_any_text_is_a_duration_or_refused(text: str) -> None:
    try:
        duration = parse_duration(text)
    except ValueError:
        return
    assert parse_duration(format_duration(duration)) == duration


@pytest.mark.parametrize(
    ("value", "written"), [("90s", "1m30s"), ("0", "0s"), (timedelta(hours=1), "1h0m0s")]
)
def test_a_duration_in_a_model_is_in_go_s_notation(value: Any, written: str) -> None:
    assert Stamps.from_wire({"wait": value}).to_wire() == {"wait": written}


@pytest.mark.parametrize("value", ["PT1H", "1 hour", "00:01:00", ""])
def test_a_duration_in_another_notation_is_refused(value: str) -> None:
    with pytest.raises(ValidationError, match="is not a duration such as"):
        Stamps.model_validate({"wait": value})
