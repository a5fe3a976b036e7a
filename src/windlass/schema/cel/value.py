"""Values of expressions.

Most are Python's own: bool, int, float, str, bytes, `None`; a list is a `Sequence`, a map a `Mapping`. What
Python does not have is here. A value of a library's own type has a class attribute `cel_type`. Values never
change.

Two traps: `True` is an `int` in Python, so ask for bool first; and `Uint` is an `int`, so ask for it before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from windlass.schema.cel import type as types
from windlass.schema.cel.type import Type

Value = Any

INT_MIN: Final = -(2**63)
INT_MAX: Final = 2**63 - 1
UINT_MAX: Final = 2**64 - 1


class Uint(int):
    """An unsigned integer."""

    __slots__ = ()
    cel_type: ClassVar[Type] = types.UINT


@dataclass(frozen=True, slots=True, order=True)
class Duration:
    """A length of time in nanoseconds."""

    cel_type: ClassVar[Type] = types.DURATION
    nanoseconds: int


@dataclass(frozen=True, slots=True, order=True)
class Timestamp:
    """A moment, in nanoseconds since 1970 in UTC.

    `offset` is that of the zone in which it was written, in seconds east of UTC. Only its text shows it.
    """

    cel_type: ClassVar[Type] = types.TIMESTAMP
    nanoseconds: int
    offset: int = field(default=0, compare=False)


class _Absent:
    """What an empty optional holds."""

    __slots__ = ()


ABSENT: Final = _Absent()


@dataclass(frozen=True, slots=True)
class Optional:
    """A value that may be `ABSENT`."""

    cel_type: ClassVar[Type] = types.optional_of(types.DYN)
    value: Value

    @property
    def is_present(self) -> bool:
        """Whether there is a value."""
        return self.value is not ABSENT


NONE: Final = Optional(ABSENT)


class GrowingList(list[Any]):
    """The list that a comprehension makes: only the comprehension holds it, so what adds to it changes it."""

    cel_type: ClassVar[Type] = types.list_of(types.DYN)


class GrowingMap(dict[Any, Any]):
    """The map that a comprehension makes: only the comprehension holds it, so what inserts changes it."""

    cel_type: ClassVar[Type] = types.map_of(types.DYN, types.DYN)


_PLAIN: Final[dict[type, Type]] = {
    bool: types.BOOL,
    int: types.INT,
    float: types.DOUBLE,
    str: types.STRING,
    bytes: types.BYTES,
    type(None): types.NULL,
    list: types.list_of(types.DYN),
    tuple: types.list_of(types.DYN),
    dict: types.map_of(types.DYN, types.DYN),
}


def type_of(value: Value) -> Type:
    """The type of a value at run time; what lists and maps hold is not looked at."""
    found = _PLAIN.get(type(value))
    if found is not None:
        return found
    if isinstance(value, Type):
        return types.TYPE
    declared = getattr(value, "cel_type", None)
    if isinstance(declared, Type):
        return declared
    if isinstance(value, Mapping):
        return _PLAIN[dict]
    if isinstance(value, Sequence):
        return _PLAIN[list]
    raise TypeError(f"{type(value).__name__} is no value of an expression")
