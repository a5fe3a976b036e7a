from datetime import UTC, datetime, timedelta

import pytest

from windlass.apiserver.table.age import human, since, since_given

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("span", "text"),
    [
        (timedelta(seconds=-5), "<invalid>"),
        (timedelta(seconds=-1.5), "0s"),
        (timedelta(0), "0s"),
        (timedelta(seconds=119.9), "119s"),
        (timedelta(seconds=120), "2m"),
        (timedelta(minutes=9, seconds=59), "9m59s"),
        (timedelta(minutes=10, seconds=30), "10m"),
        (timedelta(minutes=179), "179m"),
        (timedelta(hours=3), "3h"),
        (timedelta(hours=7, minutes=59), "7h59m"),
        (timedelta(hours=8, minutes=59), "8h"),
        (timedelta(hours=47), "47h"),
        (timedelta(hours=48), "2d"),
        (timedelta(days=7, hours=23), "7d23h"),
        (timedelta(days=8, hours=23), "8d"),
        (timedelta(days=729), "729d"),
        (timedelta(days=730), "2y"),
        (timedelta(days=731), "2y1d"),
        (timedelta(days=365 * 8 - 1), "7y364d"),
        (timedelta(days=365 * 8 + 5), "8y"),
        (timedelta(days=365 * 1000), "292y"),
    ],
    ids=str,
)
def test_a_span_is_shown_in_its_largest_units(span: timedelta, text: str) -> None:
    assert human(span) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2026-01-02T03:04:00Z", "5s"),
        ("2026-01-02T03:04:00.250000Z", "4s"),
        ("2026-01-02T04:04:00+01:00", "5s"),
        ("0001-01-01T00:00:00Z", "<unknown>"),
        ("", "<unknown>"),
        (None, "<unknown>"),
    ],
)
def test_the_moment_of_an_object_is_shown_as_its_age(text: str | None, shown: str) -> None:
    assert since(text, NOW) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2026-01-02T03:04:00Z", "5s"),
        ("2999-01-01T00:00:00Z", "<invalid>"),
        ("2026-01-02", "<invalid>"),
        ("2026-13-02T03:04:00Z", "<invalid>"),
        ("2026-01-02T03:04:00", "<invalid>"),
        ("yesterday", "<invalid>"),
        ("", "<unknown>"),
        ("null", "<unknown>"),
    ],
)
def test_any_text_may_stand_where_somebody_wrote_a_moment(text: str, shown: str) -> None:
    assert since_given(text, NOW) == shown
