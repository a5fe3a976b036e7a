"""Values told apart and put in order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from windlass.schema.cel.type import TypeKind
from windlass.schema.cel.value import type_of

if TYPE_CHECKING:
    from windlass.schema.cel.value import Value

_NUMBERS: Final = frozenset({TypeKind.INT, TypeKind.UINT, TypeKind.DOUBLE})
_ORDERED: Final = _NUMBERS | {
    TypeKind.BOOL,
    TypeKind.STRING,
    TypeKind.BYTES,
    TypeKind.TIMESTAMP,
    TypeKind.DURATION,
}


def equal(left: Value, right: Value) -> bool:
    """Whether two values are equal: numbers of any type by their amount, lists and maps by what they hold."""
    one, other = type_of(left).kind, type_of(right).kind
    if one is not other and not (one in _NUMBERS and other in _NUMBERS):
        return False
    if isinstance(left, Mapping):
        return len(left) == len(right) and all(key in right and equal(left[key], right[key]) for key in left)
    if isinstance(left, Sequence) and not isinstance(left, (str, bytes)):
        return len(left) == len(right) and all(map(equal, left, right))
    return bool(left == right)


def contains(values: Sequence[Value], value: Value) -> bool:
    """Whether a list has an equal value."""
    return any(equal(each, value) for each in values)


def is_ordered(value: Value) -> bool:
    """Whether values of this type have an order."""
    return type_of(value).kind in _ORDERED


def compare(left: Value, right: Value) -> int:
    """Minus one, zero or one; zero also for what cannot be compared, as cel-go's libraries take it."""
    one, other = type_of(left).kind, type_of(right).kind
    if one is not other and not (one in _NUMBERS and other in _NUMBERS):
        return 0
    if any(isinstance(each, float) and math.isnan(each) for each in (left, right)):
        return 0
    return bool(left > right) - bool(left < right)
