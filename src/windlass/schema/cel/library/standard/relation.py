"""`==`, `<` and their like, `in`, and the operators of logic."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Final

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
from windlass.schema.cel.value import Duration, Timestamp, Uint

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.schema.cel.value import Value

_COMPARABLE: Final = frozenset({bool, int, Uint, float, str, bytes, Timestamp, Duration})
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


def _comparing(function: str, holds: Callable[[Any, Any], bool]) -> Callable[[Value, Value], bool]:
    def call(left: Value, right: Value) -> bool:
        kind = type(left)
        if kind is type(right) and (kind is int or kind is str):
            return holds(left, right)
        if kind not in _COMPARABLE:
            raise EvaluationError(f"no such overload: {function}")
        return holds(compare(left, right), 0)

    return call


def _relation(name: str, prefix: str, holds: Callable[[Any, Any], bool]) -> Function:
    call = _comparing(name, holds)
    return Function(
        name,
        tuple(
            Overload(f"{prefix}_{suffix}", (left, right), BOOL, call, untyped=True)
            for suffix, left, right in _ORDERED
        ),
    )


LOGIC: Final = (
    Function("_?_:_", (Overload("conditional", (BOOL, A, A), A, None),)),
    Function("_&&_", (Overload("logical_and", (BOOL, BOOL), BOOL, None),)),
    Function("_||_", (Overload("logical_or", (BOOL, BOOL), BOOL, None),)),
    Function("!_", (Overload("logical_not", (BOOL,), BOOL, invert, untyped=True),)),
    Function("@not_strictly_false", (Overload("not_strictly_false", (BOOL,), BOOL, None),)),
    Function("_==_", (Overload("equals", (A, A), BOOL, equal, untyped=True),)),
    Function("_!=_", (Overload("not_equals", (A, A), BOOL, differ, untyped=True),)),
)
"""The operators on truths, and equality."""

RELATIONS: Final = (
    _relation("_<_", "less", operator.lt),
    _relation("_<=_", "less_equals", operator.le),
    _relation("_>_", "greater", operator.gt),
    _relation("_>=_", "greater_equals", operator.ge),
    Function(
        "@in",
        (
            Overload("in_list", (A, list_of(A)), BOOL, within, untyped=True),
            Overload("in_map", (A, map_of(A, B)), BOOL, within, untyped=True),
        ),
    ),
)
"""Order, and membership."""
