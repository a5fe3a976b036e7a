from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.reconcile.schedule import Schedule

MINUTE = timedelta(minutes=1)
BERLIN = ZoneInfo("Europe/Berlin")


def moments(schedule: Schedule, after: datetime, count: int) -> list[datetime]:
    found = []
    for _ in range(count):
        after = schedule.next(after)
        found.append(after)
    return found


def walls(text: str, start: str, count: int) -> list[str]:
    """The next moments, in UTC, as text."""
    after = datetime.fromisoformat(start).replace(tzinfo=UTC)
    return [f"{each:%Y-%m-%d %H:%M}" for each in moments(Schedule(text), after, count)]


@pytest.mark.parametrize(
    ("text", "start", "expected"),
    [
        ("* * * * *", "2026-01-01 00:00:30", ["2026-01-01 00:01", "2026-01-01 00:02"]),
        ("*/20 * * * *", "2026-01-01 00:00", ["2026-01-01 00:20", "2026-01-01 00:40", "2026-01-01 01:00"]),
        ("5/20 3 * * *", "2026-01-01 00:00", ["2026-01-01 03:05", "2026-01-01 03:25", "2026-01-01 03:45"]),
        ("0 9-17/4 * * *", "2026-01-01 10:00", ["2026-01-01 13:00", "2026-01-01 17:00", "2026-01-02 09:00"]),
        ("0 0 * * mon-fri", "2026-01-02 12:00", ["2026-01-05 00:00", "2026-01-06 00:00"]),
        ("0 0 * * SUN,sat", "2026-01-01 00:00", ["2026-01-03 00:00", "2026-01-04 00:00"]),
        ("0 0 * * 5-7", "2026-01-01 00:00", ["2026-01-02 00:00", "2026-01-03 00:00", "2026-01-04 00:00"]),
        ("0 0 1 jan,Jul *", "2026-01-01 00:00", ["2026-07-01 00:00", "2027-01-01 00:00"]),
        ("0 0 29 2 *", "2026-01-01 00:00", ["2028-02-29 00:00", "2032-02-29 00:00"]),
        ("0 0 29 2 *", "2096-03-01 00:00", ["2104-02-29 00:00"]),
        ("0 0 31 * *", "2026-01-31 00:00", ["2026-03-31 00:00", "2026-05-31 00:00"]),
        ("@hourly", "2026-01-01 00:00", ["2026-01-01 01:00"]),
        ("@daily", "2026-01-01 00:00", ["2026-01-02 00:00"]),
        ("@midnight", "2026-01-01 00:00", ["2026-01-02 00:00"]),
        ("@weekly", "2026-01-01 00:00", ["2026-01-04 00:00"]),
        ("@monthly", "2026-01-01 00:00", ["2026-02-01 00:00"]),
        ("@Yearly", "2026-01-01 00:00", ["2027-01-01 00:00"]),
        ("@annually", "2026-01-01 00:00", ["2027-01-01 00:00"]),
        ("0 0 13 * fri", "2026-01-01 00:00", ["2026-01-02 00:00", "2026-01-09 00:00", "2026-01-13 00:00"]),
        ("0 0 */2 * mon", "2026-01-01 00:00", ["2026-01-05 00:00", "2026-01-19 00:00"]),
        ("0 0 30 2 mon", "2026-01-01 00:00", ["2026-02-02 00:00"]),
    ],
)  # fmt: skip
def test_moments_are_as_cron_has_them(text: str, start: str, expected: list[str]) -> None:
    assert walls(text, start, len(expected)) == expected


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("* * * *", "it needs minute, hour"),
        ("", "it needs minute, hour"),
        ("@every 5m", "it needs minute, hour"),
        ("@reboot", "it needs minute, hour"),
        ("60 * * * *", "'60' is no minute: it lies between 0 and 59"),
        ("* 24 * * *", "'24' is no hour"),
        ("* * 0 * *", "'0' is no day of the month"),
        ("* * * foo *", "'foo' is no month"),
        ("* * * * 8", "'8' is no day of the week"),
        ("* * * * fri-mon", "'fri-mon' is no day of the week"),
        ("*/0 * * * *", "'\\*/0' is no minute"),
        ("1,,2 * * * *", "'' is no minute"),
        ("-5 * * * *", "'' is no minute"),
        ("٣ * * * *", "is no minute"),
        ("0 0 30 2 *", "never happens"),
        ("0 0 31 4,6,9,11 *", "never happens"),
    ],
)
def test_what_is_no_schedule_is_refused_with_the_field_at_fault(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Schedule(text)


@pytest.mark.parametrize(
    ("text", "start", "expected"),
    [
        pytest.param("30 2 * * *", "2026-03-28 12:00+00:00", ["03-29 03:00+02:00", "03-30 02:30+02:00"], id="fixed, left out"),
        pytest.param("0,30 2 * * *", "2026-03-28 12:00+00:00", ["03-29 03:00+02:00", "03-30 02:00+02:00"], id="fixed, left out twice"),
        pytest.param("30 * * * *", "2026-03-29 00:00+00:00", ["03-29 01:30+01:00", "03-29 03:30+02:00"], id="star, left out"),
        pytest.param("30 2 * * *", "2026-10-24 12:00+00:00", ["10-25 02:30+02:00", "10-26 02:30+01:00"], id="fixed, repeated"),
        pytest.param("30 * * * *", "2026-10-25 00:00+00:00", ["10-25 02:30+02:00", "10-25 02:30+01:00", "10-25 03:30+01:00"], id="star, repeated"),
        pytest.param("*/30 2 * * *", "2026-10-25 00:10+00:00", ["10-25 02:30+02:00", "10-25 02:00+01:00", "10-25 02:30+01:00", "10-26 02:00+01:00"], id="star, in order"),
    ],
)  # fmt: skip
def test_summer_time_in_berlin_is_handled_as_cron_does(text: str, start: str, expected: list[str]) -> None:
    found = moments(Schedule(text, BERLIN), datetime.fromisoformat(start), len(expected))

    assert [each.astimezone(BERLIN).isoformat(" ", "minutes")[5:] for each in found] == expected


def test_a_day_that_a_zone_left_out_is_not_made_up_for() -> None:
    apia = ZoneInfo("Pacific/Apia")  # it had no 30 December 2011
    found = moments(Schedule("0 10 * * *", apia), datetime(2011, 12, 29, 12, tzinfo=UTC), 2)

    assert [f"{each.astimezone(apia):%d %H:%M}" for each in found] == ["29 10:00", "31 10:00"]


def field(first: int, last: int) -> st.SearchStrategy[str]:
    value = st.integers(first, last)
    span = st.tuples(value, value).map(lambda pair: f"{min(pair)}-{max(pair)}")
    step = st.integers(1, 15)
    stepped = st.tuples(st.just("*") | span, step).map(lambda pair: f"{pair[0]}/{pair[1]}")
    part = st.one_of(value.map(str), span, stepped)
    return st.one_of(st.just("*"), st.lists(part, min_size=1, max_size=3).map(",".join))


def allowed(text: str, first: int, last: int) -> set[int]:
    """The values of a field, found by asking for each whether it belongs."""
    found = set()
    for part in text.split(","):
        span, _, step = part.partition("/")
        low, _, high = (f"{first}-{last}" if span == "*" else span).partition("-")
        found |= {
            value
            for value in range(int(low), int(high or low) + 1)
            if (value - int(low)) % int(step or 1) == 0
        }
    return found


class Daemon:
    """Cron as it works: it wakes each minute, and looks what is to run by the clock on the wall."""

    def __init__(self, text: str, zone: ZoneInfo) -> None:
        bounds = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
        self.texts = text.split()
        self.fields = [allowed(each, *bound) for each, bound in zip(self.texts, bounds, strict=True)]
        self.zone = zone
        self.starred = self.texts[0][0] == "*" or self.texts[1][0] == "*"

    def matches(self, wall: datetime) -> bool:
        minute, hour, day, month, weekday = self.fields
        days = (wall.day in day, bool({wall.isoweekday() % 7, wall.isoweekday()} & weekday))
        starred = self.texts[2][0] == "*" or self.texts[4][0] == "*"
        return (
            wall.minute in minute
            and wall.hour in hour
            and wall.month in month
            and (all(days) if starred else any(days))
        )

    def run(self, start: datetime, minutes: int) -> list[datetime]:
        """The minutes after the start at which something runs."""
        wall = start.astimezone(self.zone).replace(tzinfo=None)
        seen = wall  # the furthest that the clock on the wall has come
        ran = []
        for step in range(1, minutes + 1):
            now = start + step * MINUTE
            wall = now.astimezone(self.zone).replace(tzinfo=None)
            if self.starred:
                if self.matches(wall):
                    ran.append(now)
                continue
            missed = [seen + MINUTE * skip for skip in range(1, (wall - seen) // MINUTE + 1)]
            seen = max(seen, wall)
            if any(self.matches(each) for each in missed):
                ran.append(now)
        return ran


CHANGES = [
    ("Europe/Berlin", "2026-03-29 01:00+00:00"),
    ("Europe/Berlin", "2026-10-25 01:00+00:00"),
    ("America/New_York", "2026-03-08 07:00+00:00"),
    ("America/New_York", "2026-11-01 06:00+00:00"),
    ("Australia/Lord_Howe", "2026-04-04 15:00+00:00"),
    ("Australia/Lord_Howe", "2026-10-03 15:30+00:00"),
    ("America/Santiago", "2026-04-05 03:00+00:00"),
    ("America/Santiago", "2026-09-06 04:00+00:00"),
    ("Asia/Kolkata", "2026-02-28 18:30+00:00"),
]


@pytest.mark.property
@given(
    text=st.tuples(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7)).map(" ".join),
    change=st.sampled_from(CHANGES),
    before=st.integers(181, 1000),
)
def test_it_agrees_with_a_daemon_that_looks_at_the_clock_each_minute(
    text: str, change: tuple[str, str], before: int
) -> None:
    zone = ZoneInfo(change[0])
    start = datetime.fromisoformat(change[1]) - before * MINUTE
    end = start + 2000 * MINUTE
    try:
        schedule = Schedule(text, zone)
    except ValueError as error:
        assert "never happens" in str(error)  # noqa: PT017 - a random date may be 31 February
        return

    found, after = [], start
    while (after := schedule.next(after)) <= end:
        found.append(after)
        if len(found) == 30:
            break

    assert found == Daemon(text, zone).run(start, 2000)[:30]


@pytest.mark.parametrize(
    ("text", "start", "expected"),
    [
        ("30 2 29 3 *", "2026-03-28 12:00", ["2027-03-29 00:30"]),  # clocks went forward over it
        ("30 2 25 10 *", "2026-10-24 12:00", ["2026-10-25 00:30", "2026-10-25 01:30"]),  # and back
        ("0 0 */30 * mon", "2026-03-01 00:00", ["2026-03-01 23:00", "2026-03-08 23:00"]),
    ],
)
def test_read_literally_it_follows_the_clock_on_the_wall_and_a_step_makes_a_list(
    text: str, start: str, expected: list[str]
) -> None:
    after = datetime.fromisoformat(start).replace(tzinfo=UTC)
    found = moments(Schedule(text, BERLIN, literal=True), after, len(expected))
    assert [f"{each:%Y-%m-%d %H:%M}" for each in found] == expected
