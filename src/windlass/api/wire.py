"""From Python values to what goes on the wire, and the marks by which a type says how."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, MutableMapping, Sequence
from datetime import UTC, date, datetime
from enum import Enum
from typing import TYPE_CHECKING, Any, get_args, get_origin

if TYPE_CHECKING:
    from collections.abc import Callable

Json = dict[str, Any]
"""An object as it stands on the wire."""

_PLAIN = frozenset({str, int, bool, float, type(None)})


class Encoded:
    """Marks a type whose values are written by `write`, where their Python type alone does not say how."""

    __slots__ = ("write",)

    def __init__(self, write: Callable[[Any], Any]) -> None:
        self.write = write

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Encoded) and self.write == other.write

    def __hash__(self) -> int:
        return hash(self.write)


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


def writer(annotation: Any, marks: Sequence[Any] = ()) -> Callable[[Any], Any]:
    """The writer that a type asks for, also inside `X | None`, a list or a map; otherwise `encode`."""
    for mark in marks:
        if isinstance(mark, Encoded):
            return mark.write
    inner = [writer(option, getattr(option, "__metadata__", ())) for option in get_args(annotation)]
    special = next((write for write in inner if write is not encode), None)
    if special is None:
        return encode
    origin = get_origin(annotation)
    if origin in (set, frozenset):
        return lambda values: sorted(special(value) for value in values)
    if origin in (list, tuple, Sequence):
        return lambda values: [special(value) for value in values]
    if origin in (dict, Mapping, MutableMapping):
        return lambda values: {key: special(value) for key, value in values.items()}
    return lambda value: None if value is None else special(value)


def _encode_other(value: Any) -> Any:
    for kind, write in _OTHERS:
        if isinstance(value, kind):
            return write(value)
    raise TypeError(f"{type(value).__name__} has no form on the wire: {value!r}")


def _moment(value: datetime) -> str:
    moment = value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    return moment.isoformat().replace("+00:00", "Z")


_OTHERS: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (Enum, lambda value: value.value),
    (datetime, _moment),  # before date, which it is a kind of
    (date, date.isoformat),
    (bytes, lambda value: b64encode(value).decode()),
    ((set, frozenset), lambda value: sorted(map(encode, value))),
    (Mapping, lambda value: {str(key): encode(item) for key, item in value.items()}),
    ((list, tuple), lambda value: [encode(item) for item in value]),
    (str, str.__str__),
    (int, int.__int__),
    (float, float.__float__),
)
