"""Schedules as CronJobs write them: five fields, or a word after `@`."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from windlass.apiserver.number import parse_signed
from windlass.schema import quoted

_MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905 - reads best
_DAYS: Final = "sun mon tue wed thu fri sat".split()  # noqa: SIM905 - same
_WORDS: Final = ("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly")
_EVERY: Final = "@every "
_DURATION: Final = r"[-+]?((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+"
_ZONE: Final = ("TZ=", "CRON_TZ=")


class _Field(NamedTuple):
    low: int
    high: int
    names: dict[str, int]


_FIELDS: Final = (
    _Field(0, 59, {}),
    _Field(0, 23, {}),
    _Field(1, 31, {}),
    _Field(1, 12, {name: number for number, name in enumerate(_MONTHS, 1)}),
    _Field(0, 6, {name: number for number, name in enumerate(_DAYS)}),
)


class _Unreadable(ValueError):
    """A schedule that cannot be read; the text says why."""


def schedule_problem(schedule: str) -> str:
    """What is wrong with a schedule, or nothing."""
    try:
        _read(schedule)
    except _Unreadable as problem:
        return str(problem)
    return ""


def _read(schedule: str) -> None:
    if schedule.startswith(_ZONE):
        schedule = _without_zone(schedule)
    if schedule.startswith("@"):
        _read_word(schedule)
        return
    fields = schedule.split()
    if len(fields) != len(_FIELDS):
        raise _Unreadable(f"expected exactly 5 fields, found {len(fields)}: [{' '.join(fields)}]")
    for text, field in zip(fields, _FIELDS, strict=True):
        for expression in filter(None, text.split(",")):
            _read_range(expression, field)


def _without_zone(schedule: str) -> str:
    zone, blank, rest = schedule.partition("=")[2].partition(" ")
    if not blank:
        raise _Unreadable("invalid schedule format: runtime error: slice bounds out of range [:-1]")
    if zone not in ("", "UTC", "Local") and not _is_zone(zone):
        raise _Unreadable(f"provided bad location {zone}: unknown time zone {zone}")
    return rest.strip()


def _is_zone(zone: str) -> bool:
    from zoneinfo import available_timezones  # slow to ask, and hardly anyone writes one here

    return zone in available_timezones()


def _read_word(word: str) -> None:
    if word.startswith(_EVERY):
        duration = word.removeprefix(_EVERY)
        if not re.fullmatch(_DURATION, duration) and duration not in ("0", "+0", "-0"):
            said = _duration_problem(duration)
            raise _Unreadable(f"failed to parse duration {word}: time: {said}")
    elif word not in _WORDS:
        raise _Unreadable(f"unrecognized descriptor: {word}")


def _duration_problem(duration: str) -> str:
    number = re.match(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)", duration)
    unit = re.match(r"[^.0-9]+", duration[number.end() :]) if number else None
    if number is None:
        return f"invalid duration {quoted(duration)}"
    if unit is None:
        return f"missing unit in duration {quoted(duration)}"
    return f"unknown unit {quoted(unit[0])} in duration {quoted(duration)}"


def _read_range(expression: str, field: _Field) -> None:
    span, *steps = expression.split("/")
    limits = span.split("-")
    if limits[0] in ("*", "?"):
        start, end = field.low, field.high
    else:
        start = _number(limits[0], field.names)
        end = start if len(limits) == 1 else _number(limits[1], field.names)
        if len(limits) > 2:  # noqa: PLR2004 - from and to
            raise _Unreadable(f"too many hyphens: {expression}")
    if len(steps) > 1:
        raise _Unreadable(f"too many slashes: {expression}")
    step = _number(steps[0], {}) if steps else 1
    if steps and len(limits) == 1:
        end = field.high
    _check_bounds((start, end, step), field, expression)


def _check_bounds(found: tuple[int, int, int], field: _Field, expression: str) -> None:
    start, end, step = found
    if start < field.low:
        raise _Unreadable(f"beginning of range ({start}) below minimum ({field.low}): {expression}")
    if end > field.high:
        raise _Unreadable(f"end of range ({end}) above maximum ({field.high}): {expression}")
    if start > end:
        raise _Unreadable(f"beginning of range ({start}) beyond end of range ({end}): {expression}")
    if step == 0:
        raise _Unreadable(f"step of range should be a positive number: {expression}")


def _number(text: str, names: dict[str, int]) -> int:
    named = names.get(text.lower())
    if named is not None:
        return named
    try:
        number = parse_signed(text)
    except ValueError as error:
        why = str(error).replace("strconv.ParseInt", "strconv.Atoi")
        raise _Unreadable(f"failed to parse int from {text}: {why}") from None
    if number < 0:
        raise _Unreadable(f"negative number ({number}) not allowed: {text}")
    return number
