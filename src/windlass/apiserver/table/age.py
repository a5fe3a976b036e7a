"""How long ago something was, in the few digits that people read."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final

UNKNOWN: Final = "<unknown>"
INVALID: Final = "<invalid>"

_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)
_ZERO: Final = datetime(1, 1, 1, tzinfo=UTC)
_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "y": 365 * 86_400}
_STEPS: Final = tuple(
    (number * _UNITS[limit], (unit, smaller))
    for number, limit, unit, smaller in (
        (2, "m", "s", ""),
        (10, "m", "m", "s"),
        (3, "h", "m", ""),
        (8, "h", "h", "m"),
        (2, "d", "h", ""),
        (8, "d", "d", "h"),
        (2, "y", "d", ""),
        (8, "y", "y", "d"),
    )
)
_LONGEST: Final = timedelta(seconds=(2**63 - 1) // 10**9)  # what Go's durations hold


def moment(text: str) -> datetime | None:
    """The moment that a text in RFC 3339 stands for; `None` for any other text."""
    if not _MOMENT.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def since(text: str | None, now: datetime) -> str:
    """How long ago a moment of an object was: `5m30s`, `<unknown>` where it was never set."""
    when = moment(text) if text else None
    return UNKNOWN if when is None or when == _ZERO else human(now - when)


def since_given(text: str, now: datetime) -> str:
    """How long ago a moment was that somebody wrote into a custom resource, where any text may stand."""
    if text in ("", "null"):
        return UNKNOWN
    return INVALID if moment(text) is None else since(text, now)


def human(span: timedelta) -> str:
    """A span of time in its one or two largest units."""
    seconds = int(min(span, _LONGEST).total_seconds())
    if seconds < -1:
        return INVALID
    seconds = max(seconds, 0)
    unit, smaller = next((units for limit, units in _STEPS if seconds < limit), ("y", ""))
    length = _UNITS[unit]
    rest = seconds % length // _UNITS[smaller] if smaller else 0
    return f"{seconds // length}{unit}{rest}{smaller}" if rest else f"{seconds // length}{unit}"
