"""Moments as Go reads and writes them, and the calendar."""

from __future__ import annotations

import re
from calendar import monthrange
from typing import Final, NamedTuple

from windlass.schema.cel.value import Timestamp

SECOND: Final = 10**9
DAY: Final = 86_400
EARLIEST: Final = -62_135_596_800
LATEST: Final = 253_402_300_799
_MOMENT: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?"
    r"(Z|([+-])([0-9]{2}):([0-9]{2}))?"
)
_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_LAST_HOUR, _LAST_MINUTE = 23, 59
_LAST_ZONE_HOUR, _LAST_ZONE_MINUTE = 24, 60
_MONTHS: Final = 12


class Calendar(NamedTuple):
    """A day: year, month and day from 1, day of the year from 0, day of the week from 0, a Sunday."""

    year: int
    month: int
    day: int
    day_of_year: int
    day_of_week: int


def parse_timestamp(text: str) -> Timestamp | None:
    """A moment such as `2006-01-02T15:04:05.5+07:00`; `None` if it is none. Its year may be 0."""
    found = _MOMENT.fullmatch(text)
    return _moment(found) if found is not None and found[8] else None


def parse_date_time(text: str) -> Timestamp | None:
    """A moment as a schema's format `date-time` takes it: the zone may be missing, and nothing is 1970."""
    if not text:
        return Timestamp(0)
    found = _MOMENT.fullmatch(text)
    return _moment(found) if found is not None else None


def parse_date(text: str) -> Timestamp | None:
    """The beginning of a day such as `2006-01-02`; `None` if it is none."""
    found = _DATE.fullmatch(text)
    if found is None:
        return None
    days = _days(int(found[1]), int(found[2]), int(found[3]))
    return None if days is None else Timestamp(days * DAY * SECOND)


def _moment(found: re.Match[str]) -> Timestamp | None:
    year, month, day, hour, minute, second = (int(found[place]) for place in range(1, 7))
    days = _days(year, month, day)
    if days is None or hour > _LAST_HOUR or minute > _LAST_MINUTE or second > _LAST_MINUTE:
        return None
    offset = 0
    if found[9]:
        hours, minutes = int(found[10]), int(found[11])
        if hours > _LAST_ZONE_HOUR or minutes > _LAST_ZONE_MINUTE:
            return None
        offset = (hours * 3600 + minutes * 60) * (-1 if found[9] == "-" else 1)
    seconds = days * DAY + hour * 3600 + minute * 60 + second - offset
    return Timestamp(seconds * SECOND + int((found[7] or "").ljust(9, "0")[:9]), offset)


def _days(year: int, month: int, day: int) -> int | None:
    """Days since 1970, if there is such a day."""
    # The calendar repeats itself every 400 years, and Python's has no year 0.
    if not 1 <= month <= _MONTHS or not 1 <= day <= monthrange(year % 400 + 400, month)[1]:
        return None
    shifted = year - (month <= 2)  # noqa: PLR2004 - years that begin in March end with the day that leaps
    era, of_era = divmod(shifted, 400)
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468


def calendar(seconds: int) -> Calendar:
    """The day of a moment in seconds since 1970."""
    days = seconds // DAY
    era, of_era = divmod(days + 719_468, 146_097)
    year_of_era = (of_era - of_era // 1460 + of_era // 36_524 - of_era // 146_096) // 365
    of_year = of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * of_year + 2) // 153
    day = of_year - (153 * shifted + 2) // 5 + 1
    month = shifted + 3 if shifted < 10 else shifted - 9  # noqa: PLR2004 - the year began in March
    year = year_of_era + era * 400 + (month <= 2)  # noqa: PLR2004
    first = _days(year, 1, 1) or 0
    return Calendar(year, month, day, days - first, (days + 4) % 7)


def timestamp_text(moment: Timestamp) -> str:
    """A moment as RFC 3339 writes it, in the zone in which it was written."""
    seconds, nanoseconds = divmod(moment.nanoseconds, SECOND)
    local = seconds + moment.offset
    day, time = calendar(local), local % DAY
    fraction = f".{nanoseconds:09}".rstrip("0") if nanoseconds else ""
    return (
        f"{day.year:04}-{day.month:02}-{day.day:02}"
        f"T{time // 3600:02}:{time // 60 % 60:02}:{time % 60:02}{fraction}{_zone(moment.offset)}"
    )


def _zone(offset: int) -> str:
    if offset == 0:
        return "Z"
    hours, minutes = divmod(abs(offset) // 60, 60)
    return f"{'-' if offset < 0 else '+'}{hours:02}:{minutes:02}"
