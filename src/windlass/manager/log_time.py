"""Times as zap writes them, always in UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

TimeEncoding = Literal["iso8601", "rfc3339", "rfc3339nano", "epoch", "millis", "nano"]


def _iso8601(created: float) -> str:
    return datetime.fromtimestamp(created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _rfc3339(created: float) -> str:
    return datetime.fromtimestamp(created, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _rfc3339nano(created: float) -> str:
    """To the microsecond, which is what Python's clock gives; Go drops noughts at the end, so we do."""
    text = datetime.fromtimestamp(created, UTC).isoformat(timespec="microseconds").removesuffix("+00:00")
    return f"{text.rstrip('0').rstrip('.')}Z"


def _epoch(created: float) -> float:
    return created


def _millis(created: float) -> float:
    return created * 1e3


def _nano(created: float) -> int:
    return int(created * 1e6) * 1000


ENCODERS: Final[Mapping[TimeEncoding, Callable[[float], str | float]]] = {
    "iso8601": _iso8601,
    "rfc3339": _rfc3339,
    "rfc3339nano": _rfc3339nano,
    "epoch": _epoch,
    "millis": _millis,
    "nano": _nano,
}
