"""`==`, `<` and their like, `in`, and the operators of logic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.cel.declare import Function, Overload
from windlass.schema.cel.operation import compare, contains, equal
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    INT,
    STRING,
    TIMESTAMP,
    UINT,
    A,
    B,
    Type,
    list_of,
    map_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.schema.cel.value import Value

_ORDERED: Final[tuple[tuple[str, Type, Type], ...]] = (
    ("bool", BOOL, BOOL),
    ("int64", INT, INT),
    ("int64_double", INT, DOUBLE),
    ("int64_uint64", INT, UINT),
    ("uint64", UINT, UINT),
    ("uint64_double", UINT, DOUBLE),
    ("uint64_int64", UINT, INT),
    ("double", DOUBLE, DOUBLE),
    ("double_int64", DOUBLE, INT),
    ("double_uint64", DOUBLE, UINT),
    ("string", STRING, STRING),
    ("bytes", BYTES, BYTES),
    ("timestamp", TIMESTAMP, TIMESTAMP),
    ("duration", DURATION, DURATION),
)


def differ(left: Value, right: Value) -> bool:
    """Whether two values are not equal; those that cannot be compared are not."""
    try:
        return not equal(left, right)
    except EvaluationError:
        return True


def less(left: Value, right: Value) -> bool:
    """Whether the left value comes first."""
    return compare(left, right) < 0


def less_or_equal(left: Value, right: Value) -> bool:
    """Whether the right value does not come first."""
    return compare(left, right) <= 0


def greater(left: Value, right: Value) -> bool:
    """Whether the right value comes first."""
    return compare(left, right) > 0


def greater_or_equal(left: Value, right: Value) -> bool:
    """Whether the left value does not come first."""
    return compare(left, right) >= 0


def within(sought: Value, container: Value) -> bool:
    """Whether a list has an element, or a map a key."""
    return contains(container, sought)


def invert(value: Value) -> bool:
    """The other truth.

    Raises:
        EvaluationError: the value is no truth.
    """
    if isinstance(value, bool):
        return not value
    raise EvaluationError("no such overload")


def _relation(name: str, prefix: str, call: Callable[[Value, Value], bool]) -> Function:
    return Function(
        name,
        tuple(Overload(f"{prefix}_{suffix}", (left, right), BOOL, call) for suffix, left, right in _ORDERED),
    )


LOGIC: Final = (
    Function("_?_:_", (Overload("conditional", (BOOL, A, A), A, None),)),
    Function("_&&_", (Overload("logical_and", (BOOL, BOOL), BOOL, None),)),
    Function("_||_", (Overload("logical_or", (BOOL, BOOL), BOOL, None),)),
    Function("!_", (Overload("logical_not", (BOOL,), BOOL, invert),)),
    Function("@not_strictly_false", (Overload("not_strictly_false", (BOOL,), BOOL, None),)),
    Function("_==_", (Overload("equals", (A, A), BOOL, equal),)),
    Function("_!=_", (Overload("not_equals", (A, A), BOOL, differ),)),
)
"""The operators on truths, and equality."""

RELATIONS: Final = (
    _relation("_<_", "less", less),
    _relation("_<=_", "less_equals", less_or_equal),
    _relation("_>_", "greater", greater),
    _relation("_>=_", "greater_equals", greater_or_equal),
    Function(
        "@in",
        (
            Overload("in_list", (A, list_of(A)), BOOL, within),
            Overload("in_map", (A, map_of(A, B)), BOOL, within),
        ),
    ),
)
"""Order, and membership."""
