"""From Python values to what goes on the wire, and the marks by which a type says how."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

Json = dict[str, Any]
"""An object as it stands on the wire."""

_PLAIN = frozenset({str, int, bool, float, type(None)})


@dataclass(frozen=True, slots=True)
class Encoded:
    """Marks a type whose values are written by `write`, where their Python type alone does not say how."""

    write: Callable[[Any], Any]


def encode(value: Any) -> Any:
    """A value as it goes on the wire: models as objects, sets sorted, bytes in base64, times in UTC."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is dict:
        return {key: encode(item) for key, item in value.items()}
    if kind is list or kind is tuple:
        return [encode(item) for item in value]
    to_wire = getattr(value, "to_wire", None)
    if to_wire is not None:
        return to_wire()
    return _encode_other(value)


def _encode_other(value: Any) -> Any:
    match value:
        case Enum():
            return value.value
        case datetime():
            moment = value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
            return moment.isoformat().replace("+00:00", "Z")
        case bytes():
            return b64encode(value).decode()
        case set() | frozenset():
            return sorted(encode(item) for item in value)
        case dict():
            return {str(key): encode(item) for key, item in value.items()}
    raise TypeError(f"{type(value).__name__} has no form on the wire: {value!r}")
