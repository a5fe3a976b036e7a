"""Kubernetes times and durations: what they look like on the wire, and back."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from pydantic import BeforeValidator

from windlass.api.wire import Encoded

_UNITS = {
    "ns": 1,
    "us": 10**3,
    "µs": 10**3,
    "μs": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "m": 60 * 10**9,
    "h": 3600 * 10**9,
}
_PART = r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)"
_DURATION = rf"[-+]?(?:0|(?:{_PART})+)"
_MAX_NANOSECONDS = 2**63 - 1


def format_time(value: datetime) -> str:
    """The wire form of a time, to the second: `2026-01-02T03:04:05Z`. A time without a zone is UTC."""
    return _utc(value).isoformat(timespec="seconds") + "Z"


def format_micro_time(value: datetime) -> str:
    """The wire form of a time, always with six digits after the second, as leases and events want it."""
    return _utc(value).isoformat(timespec="microseconds") + "Z"


def parse_duration(text: str) -> timedelta:
    """A duration as Go writes it: `1h30m`, `1.5s`, `-10ms`. Finer than a microsecond is cut off.

    Raises:
        ValueError: the text is not a duration, or is longer than Go can hold (292 years).
    """
    if not re.fullmatch(_DURATION, text):
        raise ValueError(f"{text!r} is not a duration such as 90s, 1h30m or 250ms")
    nanoseconds = 0
    for number, unit in re.findall(_PART, text):
        whole, _, fraction = number.partition(".")
        nanoseconds += int(whole or 0) * _UNITS[unit]
        if fraction:
            nanoseconds += int(fraction) * _UNITS[unit] // 10 ** len(fraction)
    negative = text.startswith("-")
    if nanoseconds > _MAX_NANOSECONDS + negative:
        raise ValueError(f"{text!r} is longer than 292 years")
    return timedelta(microseconds=nanoseconds // 1000) * (-1 if negative else 1)


def format_duration(value: timedelta) -> str:
    """The wire form of a duration, as Go prints it: `1h30m0s`, `1.5s`, `250ms`, `0s`."""
    microseconds = abs(value) // timedelta(microseconds=1)
    sign = "-" if value < timedelta() else ""
    if microseconds == 0:
        return "0s"
    if microseconds < 10**3:
        return f"{sign}{microseconds}µs"
    if microseconds < 10**6:
        return f"{sign}{_decimal(microseconds, 3)}ms"
    minutes, microseconds = divmod(microseconds, 60 * 10**6)
    hours, minutes = divmod(minutes, 60)
    text = f"{_decimal(microseconds, 6)}s"
    if hours:
        return f"{sign}{hours}h{minutes}m{text}"
    return f"{sign}{minutes}m{text}" if minutes else sign + text


def _decimal(value: int, digits: int) -> str:
    """`value` with its point moved left by `digits`, without trailing zeros."""
    whole, fraction = divmod(value, 10**digits)
    return f"{whole}.{fraction:0{digits}d}".rstrip("0").rstrip(".")


def _utc(value: datetime) -> datetime:
    """The moment in UTC, without its zone; a time without a zone is UTC already."""
    return value if value.tzinfo is None else value.astimezone(UTC).replace(tzinfo=None)


def _duration(value: Any) -> Any:
    return parse_duration(value) if isinstance(value, str) else value


Time = Annotated[datetime, Encoded(format_time)]
"""A moment, to the second (`metav1.Time`)."""

MicroTime = Annotated[datetime, Encoded(format_micro_time)]
"""A moment, to the microsecond (`metav1.MicroTime`)."""

Duration = Annotated[timedelta, BeforeValidator(_duration), Encoded(format_duration)]
"""A length of time in Go's notation (`metav1.Duration`)."""
