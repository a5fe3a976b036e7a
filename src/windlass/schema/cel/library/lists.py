"""Functions on lists: those of Kubernetes, and cel-go's extension library in its version 3."""

from __future__ import annotations

from functools import cmp_to_key, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from windlass.schema.cel.declare import Library
from windlass.schema.cel.library.membership import are_plain, bound_comparisons
from windlass.schema.cel.library.signature import function, method, plain, untyped
from windlass.schema.cel.library.sort_by import SORT_BY
from windlass.schema.cel.operation import compare, contains, equal, is_list, type_name
from windlass.schema.cel.problem import CostError, EvaluationError
from windlass.schema.cel.type import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    UINT,
    A,
    list_of,
    parameter,
)
from windlass.schema.cel.value import INT_MAX, INT_MIN, UINT_MAX, Duration, Uint, type_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from windlass.schema.cel.type import Type
    from windlass.schema.cel.value import Value

_SUMMABLE: Final = (INT, UINT, DOUBLE, DURATION)
_COMPARABLE: Final = (INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES)
_LIST: Final = list_of(parameter("T"))
_LONGEST_RANGE: Final = 1_000_000
"""A longer one costs more than an expression may in Kubernetes."""


def _name(of: Type) -> str:
    """How cel-go has a type in the names of its own overloads."""
    return {TIMESTAMP: "google.protobuf.Timestamp", DURATION: "google.protobuf.Duration"}.get(of, of.name)


def _order(left: Value, right: Value) -> int:
    """Minus one, zero or one; zero also for what cannot be compared, such as NaN."""
    try:
        return compare(left, right)
    except EvaluationError:
        return 0


def _is_sorted(values: Sequence[Value]) -> bool:
    return all(_order(left, right) <= 0 for left, right in pairwise(values))


def _sum_integers(values: Sequence[int]) -> int:
    total = 0
    for value in values:
        total += value
        if not INT_MIN <= total <= INT_MAX:
            raise EvaluationError("integer overflow")
    return total


def _sum_unsigned(values: Sequence[int]) -> Uint:
    total = 0
    for value in values:
        total += value
        if total > UINT_MAX:
            raise EvaluationError("unsigned integer overflow")
    return Uint(total)


def _sum_doubles(values: Sequence[float]) -> float:
    total = 0.0
    for value in values:  # one by one, since Python's sum is more exact than Go's
        total += value
    return total


def _sum_durations(values: Sequence[Duration]) -> Duration:
    total = 0
    for value in values:
        total += value.nanoseconds
        if not INT_MIN <= total <= INT_MAX:
            raise EvaluationError("integer overflow")
    return Duration(total)


_SUMS: Final[dict[Type, Callable[..., Value]]] = {
    INT: _sum_integers,
    UINT: _sum_unsigned,
    DOUBLE: _sum_doubles,
    DURATION: _sum_durations,
}


def _extreme(name: str, preferred: int, values: Sequence[Value]) -> Value:
    if not len(values):
        raise EvaluationError(f"{name} called on empty list")
    found = values[0]
    for value in values:
        if _order(value, found) == preferred:
            found = value
    return found


def _index_of(values: Sequence[Value], value: Value) -> int:
    return next((index for index, each in enumerate(values) if equal(each, value)), -1)


def _last_index_of(values: Sequence[Value], value: Value) -> int:
    return next((index for index in reversed(range(len(values))) if equal(values[index], value)), -1)


def _slice(values: Sequence[Value], start: int, end: int) -> Sequence[Value]:
    call = f"cannot slice({start}, {end})"
    if start < 0 or end < 0:
        raise EvaluationError(f"{call}, negative indexes not supported")
    if start > end:
        raise EvaluationError(f"{call}, start index must be less than or equal to end index")
    if end > len(values):
        raise EvaluationError(f"{call}, list is length {len(values)}")
    return [values[index] for index in range(start, end)]


def _flatten(values: Sequence[Value], *depths: int) -> list[Value]:
    if not is_list(values) or not all(type(depth) is int for depth in depths):
        names = ", ".join(map(type_name, depths))
        raise EvaluationError(f"no such overload: {type_name(values)}.flatten({names})")
    depth = depths[0] if depths else 1
    if depth < 0:
        raise EvaluationError("level must be non-negative")
    flat: list[Value] = []
    # Open lists are kept here and not on Python's stack, which a deep value could exhaust.
    remaining = [(iter(values), depth)]
    while remaining:
        items, left = remaining[-1]
        for item in items:
            if left and is_list(item):
                remaining.append((iter(item), left - 1))
                break
            flat.append(item)
        else:
            remaining.pop()
    return flat


def _sort(values: Sequence[Value]) -> Sequence[Value]:
    return _sort_by(values, values)


def _sort_by(values: Sequence[Value], keys: Sequence[Value]) -> Sequence[Value]:
    if not is_list(values) or not is_list(keys):
        raise EvaluationError("no such overload")
    if len(values) != len(keys):
        raise EvaluationError(
            "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, "
            f"but got {len(values)} and {len(keys)} elements respectively"
        )
    if not len(values):
        return values
    if type_of(keys[0]) not in _COMPARABLE:
        raise EvaluationError("list elements must be comparable")
    if len({type_of(key).kind for key in keys}) > 1:
        raise EvaluationError("list elements must have the same type")
    rank = cmp_to_key(_order)
    return [values[index] for index in sorted(range(len(keys)), key=lambda index: rank(keys[index]))]


def _range(size: int) -> Sequence[int]:
    if size > _LONGEST_RANGE:
        raise CostError
    return range(size)


def _reverse(values: Sequence[Value]) -> Sequence[Value]:
    return list(reversed(values))


def _distinct(values: Sequence[Value]) -> Sequence[Value]:
    if are_plain(values):
        return list(dict.fromkeys(values))
    bound_comparisons(len(values), len(values))
    found: list[Value] = []
    for value in values:
        if not contains(found, value):
            found.append(value)
    return found


KUBERNETES_LISTS: Final = Library(
    "kubernetes.lists",
    (
        function(
            "isSorted",
            *(method(f"list_{of}_is_sorted_bool", (list_of(of),), BOOL, _is_sorted) for of in _COMPARABLE),
        ),
        function("sum", *(method(f"list_{of}_sum_{of}", (list_of(of),), of, _SUMS[of]) for of in _SUMMABLE)),
        *(
            function(
                name,
                *(
                    method(f"list_{of}_{name}_{of}", (list_of(of),), of, partial(_extreme, name, preferred))
                    for of in _COMPARABLE
                ),
            )
            for name, preferred in (("min", -1), ("max", 1))
        ),
        function("indexOf", method("list_a_index_of_int", (list_of(A), A), INT, _index_of)),
        function("lastIndexOf", method("list_a_last_index_of_int", (list_of(A), A), INT, _last_index_of)),
    ),
)

LISTS: Final = Library(
    "cel.lib.ext.lists",
    (
        function("slice", method("list_slice", (_LIST, INT, INT), _LIST, _slice)),
        function(
            "flatten",
            untyped("list_flatten", (list_of(_LIST),), _LIST, _flatten),
            untyped("list_flatten_int", (list_of(DYN), INT), list_of(DYN), _flatten),
        ),
        function(
            "sort",
            *(untyped(f"list_{_name(of)}_sort", (list_of(of),), list_of(of), _sort) for of in _COMPARABLE),
        ),
        function(
            "@sortByAssociatedKeys",
            *(
                untyped(f"list_{_name(of)}_sortByAssociatedKeys", (_LIST, list_of(of)), _LIST, _sort_by)
                for of in _COMPARABLE
            ),
        ),
        function("lists.range", plain("lists_range", (INT,), list_of(INT), _range)),
        function("reverse", method("list_reverse", (_LIST,), _LIST, _reverse)),
        function("distinct", method("list_distinct", (_LIST,), _LIST, _distinct)),
    ),
    (SORT_BY,),
)
