"""The parts of a moment, in any time zone, and of a duration."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from windlass.schema.cel.declare import Function, Overload
from windlass.schema.cel.operation import DAY, SECOND, calendar
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import DURATION, INT, STRING, TIMESTAMP
from windlass.schema.golang import quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.schema.cel.value import Duration, Timestamp

_NUMBER: Final = re.compile("[+-]?[0-9]{1,18}")
_FIRST: Final = int(datetime(1, 1, 3, tzinfo=UTC).timestamp())
_LAST: Final = int(datetime(9999, 12, 29, tzinfo=UTC).timestamp())

_PARTS: Final[tuple[tuple[str, str, Callable[[int], int]], ...]] = (
    ("getFullYear", "year", lambda local: calendar(local).year),
    ("getMonth", "month", lambda local: calendar(local).month - 1),
    ("getDayOfYear", "day_of_year", lambda local: calendar(local).day_of_year),
    ("getDayOfMonth", "day_of_month", lambda local: calendar(local).day - 1),
    ("getDate", "day_of_month_1_based", lambda local: calendar(local).day),
    ("getDayOfWeek", "day_of_week", lambda local: calendar(local).day_of_week),
    ("getHours", "hours", lambda local: local % DAY // 3600),
    ("getMinutes", "minutes", lambda local: local % 3600 // 60),
    ("getSeconds", "seconds", lambda local: local % 60),
)
_UNITS: Final = {
    "getHours": ("hours", 3600 * SECOND),
    "getMinutes": ("minutes", 60 * SECOND),
    "getSeconds": ("seconds", SECOND),
    "getMilliseconds": ("milliseconds", SECOND // 1000),
}


def _local(moment: Timestamp, zone: str) -> int:
    """Seconds since 1970 as the clocks of a zone count them."""
    seconds = moment.nanoseconds // SECOND
    hours, colon, minutes = zone.partition(":")
    if not colon:
        return seconds + _named_offset(zone, seconds)
    offset = _number(hours) * 60
    offset += -_number(minutes) if zone.startswith("-") else _number(minutes)
    return seconds + offset * 60


def _number(text: str) -> int:
    if _NUMBER.fullmatch(text):
        return int(text)
    raise EvaluationError(f"strconv.Atoi: parsing {quoted(text)}: invalid syntax")


def _named_offset(name: str, seconds: int) -> int:
    # Python's calendar ends a little before a zone could carry a moment past it.
    moment = datetime.fromtimestamp(min(max(seconds, _FIRST), _LAST), _zone(name))
    offset = moment.utcoffset()
    return int(offset.total_seconds()) if offset is not None else 0


@cache
def _zone(name: str) -> ZoneInfo:
    if ".." in name or name.startswith(("/", "\\")):
        raise EvaluationError("time: invalid location name")
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise EvaluationError(f"unknown time zone {name}") from error


def _in_utc(part: Callable[[int], int]) -> Callable[[Timestamp], int]:
    return lambda moment: part(moment.nanoseconds // SECOND)


def _in_zone(part: Callable[[int], int]) -> Callable[[Timestamp, str], int]:
    return lambda moment, zone: part(_local(moment, zone))


def _milliseconds(moment: Timestamp) -> int:
    return moment.nanoseconds % SECOND // (SECOND // 1000)


def _milliseconds_in_zone(moment: Timestamp, zone: str) -> int:
    _local(moment, zone)
    return _milliseconds(moment)


def _in_units(unit: int) -> Callable[[Duration], int]:
    def call(duration: Duration) -> int:
        count = abs(duration.nanoseconds) // unit
        return count if duration.nanoseconds >= 0 else -count

    return call


def _function(
    name: str, suffix: str, utc: Callable[[Timestamp], int], zoned: Callable[[Timestamp, str], int]
) -> Function:
    overload = f"timestamp_to_{suffix}"
    # That of the seconds is named otherwise.
    in_zone = f"{overload}_tz" if suffix == "seconds" else f"{overload}_with_tz"
    overloads: tuple[Overload, ...] = (
        Overload(overload, (TIMESTAMP,), INT, utc, member=True),
        Overload(in_zone, (TIMESTAMP, STRING), INT, zoned, member=True),
    )
    if name in _UNITS:
        called, unit = _UNITS[name]
        spent = Overload(f"duration_to_{called}", (DURATION,), INT, _in_units(unit), member=True)
        overloads = (*overloads, spent)
    return Function(name, overloads)


TIMES: Final = (
    *(_function(name, suffix, _in_utc(part), _in_zone(part)) for name, suffix, part in _PARTS),
    _function("getMilliseconds", "milliseconds", _milliseconds, _milliseconds_in_zone),
)
"""`getFullYear`, `getHours` and so on."""
