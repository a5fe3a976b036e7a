"""Moments in cron's notation.

Written here rather than taken from cronsim or croniter: the notation is small and finished, so that a package
more to pin and to follow would cost more than it saves, and a fault should be told in terms of its field.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_NICKNAMES = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
_MINUTE = timedelta(minutes=1)
_DAY = timedelta(days=1)
_FAR = timedelta(days=366 * 9)  # there are eight years between two leap days around 2100
_SHIFT = timedelta(hours=3)  # cron takes a larger one for a correction of the clock


@dataclass(frozen=True)
class Field:
    """The values that one field of a schedule allows, and whether it was written with a star."""

    values: frozenset[int]
    star: bool


@dataclass(frozen=True)
class _Range:
    """What a field may hold: its name for messages, its first and last value, and names for values."""

    name: str
    first: int
    last: int
    names: Sequence[str] = ()

    def parse(self, text: str) -> Field:
        values = frozenset(value for part in text.split(",") for value in self._part(part))
        return Field(values, text.startswith(("*", "?")))

    def _part(self, part: str) -> range:
        span, slash, step_text = part.partition("/")
        step = self._number(step_text) if slash else 1
        if step < 1:
            raise self._fault(part)
        if span in ("*", "?"):
            return range(self.first, self.last + 1, step)
        start_text, dash, end_text = span.partition("-")
        start = self._value(start_text)
        end = self._value(end_text) if dash else self.last if slash else start
        if not self.first <= start <= end <= self.last:
            raise self._fault(part)
        return range(start, end + 1, step)

    def _value(self, text: str) -> int:
        if text.lower() in self.names:
            return self.names.index(text.lower()) + self.first
        return self._number(text)

    def _number(self, text: str) -> int:
        if not (text.isascii() and text.isdigit()):
            raise self._fault(text)
        return int(text)

    def _fault(self, text: str) -> ValueError:
        return ValueError(f"{text!r} is no {self.name}: it lies between {self.first} and {self.last}")


_RANGES = (
    _Range("minute", 0, 59),
    _Range("hour", 0, 23),
    _Range("day of the month", 1, 31),
    _Range("month", 1, 12, _MONTHS),
    _Range("day of the week", 0, 7, _DAYS),  # Sunday is 0 and 7
)


class Schedule:
    """Moments that repeat: minute, hour, day of the month, month, day of the week, in a time zone.

    As in cron, a day has to match both day fields, or one of them where neither is written with a star. Where
    clocks go forward, what was to run at a fixed time in the hour that is left out runs when it ends; where
    they go back, it runs once, in the first of the two hours. A schedule with a star in minute or hour just
    follows the clock on the wall.

    `literal` reads it as CronJobs do: a star with a step is a list of values like any other, and every
    schedule follows the clock on the wall, so that what falls into a left-out hour is left out too.

    Raises:
        ValueError: it is no schedule, or never happens.
    """

    def __init__(self, text: str, zone: tzinfo = UTC, *, literal: bool = False) -> None:
        self.text = text
        self._zone = zone
        self._literal = literal
        fields = _NICKNAMES.get(text.strip().lower(), text).split()
        if len(fields) != len(_RANGES):
            raise ValueError(
                f"{text!r} is no schedule: it needs minute, hour, day of the month, month, day of the week, "
                f"or one of {', '.join(_NICKNAMES)}"
            )
        try:
            parsed = [self._parse(field, part) for field, part in zip(_RANGES, fields, strict=True)]
        except ValueError as error:
            raise ValueError(f"{text!r} is no schedule: {error}") from None
        minute, hour, self._day, self._month, weekday = parsed
        self._weekday = Field(frozenset(value % 7 for value in weekday.values), weekday.star)
        self._times = [time(h, m) for h in sorted(hour.values) for m in sorted(minute.values)]
        self._fixed = not (minute.star or hour.star or literal)
        if not self._can_happen():
            raise ValueError(f"{text!r} never happens: no such month has that many days")

    def next(self, after: datetime) -> datetime:
        """The first moment later than `after`, in UTC."""
        found: datetime | None = None
        at = datetime.min  # noqa: DTZ901 - the clock on the wall, which has no zone
        for wall in self._walls(after.astimezone(self._zone).replace(tzinfo=None) - _SHIFT):
            if found is not None and wall > at + _SHIFT:
                return found
            for moment in self._moments(wall):
                if moment > after and (found is None or moment < found):
                    found, at = moment, wall
        if found is None:
            raise OverflowError(f"{self.text!r} does not happen again")
        return found

    def _parse(self, field: _Range, text: str) -> Field:
        found = field.parse(text)
        every = len(found.values) == field.last - field.first + 1
        return replace(found, star=found.star and every) if self._literal else found

    def _can_happen(self) -> bool:
        longest = max(monthrange(2024, month)[1] for month in self._month.values)
        return min(self._day.values) <= longest or not (self._day.star or self._weekday.star)

    def _walls(self, start: datetime) -> Iterator[datetime]:
        """What the clock on the wall shows at each of the moments, whether or not it ever does."""
        day = start.date()
        while day - start.date() < _FAR:
            if self._has_day(day):
                walls = (datetime.combine(day, each) for each in self._times)
                yield from (wall for wall in walls if wall >= start)
            day += _DAY

    def _has_day(self, day: date) -> bool:
        if day.month not in self._month.values:
            return False
        of_month = day.day in self._day.values
        of_week = day.isoweekday() % 7 in self._weekday.values
        if self._day.star or self._weekday.star:
            return of_month and of_week
        return of_month or of_week

    def _moments(self, wall: datetime) -> tuple[datetime, ...]:
        """When the clock on the wall shows this: once, twice, or never."""
        first, second = (wall.replace(tzinfo=self._zone, fold=fold).astimezone(UTC) for fold in (0, 1))
        if first == second:
            return (first,)
        if first < second:
            return (first,) if self._fixed else (first, second)
        if self._fixed and first - second <= _SHIFT:
            return (self._jump(second, first),)
        return ()

    def _jump(self, before: datetime, after: datetime) -> datetime:
        """The first minute at which the clock on the wall has gone forward."""
        offset = before.astimezone(self._zone).utcoffset()
        while after - before > _MINUTE:
            middle = before + (after - before) // _MINUTE // 2 * _MINUTE
            if middle.astimezone(self._zone).utcoffset() == offset:
                before = middle
            else:
                after = middle
        return after
