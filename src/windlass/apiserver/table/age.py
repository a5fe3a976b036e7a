"""How long ago something was, in the few digits that people read."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final

UNKNOWN: Final = "<unknown>"
INVALID: Final = "<invalid>"

_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)
_ZERO: Final = datetime(1, 1, 1, tzinfo=UTC)
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
    minutes, hours = seconds // 60, seconds // 3600
    days, years = hours // 24, hours // 24 // 365
    steps = (
        (seconds < 120, f"{max(seconds, 0)}s"),
        (minutes < 10, _two(minutes, "m", seconds % 60, "s")),
        (minutes < 180, f"{minutes}m"),
        (hours < 8, _two(hours, "h", minutes % 60, "m")),
        (hours < 48, f"{hours}h"),
        (days < 8, _two(days, "d", hours % 24, "h")),
        (days < 2 * 365, f"{days}d"),
        (years < 8, _two(years, "y", days % 365, "d")),
    )
    return next((text for fits, text in steps if fits), f"{years}y")


def _two(large: int, unit: str, small: int, small_unit: str) -> str:
    return f"{large}{unit}{small}{small_unit}" if small else f"{large}{unit}"
