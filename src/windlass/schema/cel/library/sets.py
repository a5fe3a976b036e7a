"""Lists taken as sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.cel.declare import Library
from windlass.schema.cel.library.membership import are_plain, bound_comparisons
from windlass.schema.cel.library.signature import function, plain
from windlass.schema.cel.operation import contains
from windlass.schema.cel.type import BOOL, list_of, parameter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.schema.cel.value import Value

_LIST: Final = list_of(parameter("T"))


def _contains(values: Sequence[Value], part: Sequence[Value]) -> bool:
    if are_plain(values, part):
        return set(values).issuperset(part)
    bound_comparisons(len(values), len(part))
    return all(contains(values, value) for value in part)


def _equivalent(left: Sequence[Value], right: Sequence[Value]) -> bool:
    return _contains(left, right) and _contains(right, left)


def _intersects(left: Sequence[Value], right: Sequence[Value]) -> bool:
    if are_plain(left, right):
        return not set(left).isdisjoint(right)
    bound_comparisons(len(left), len(right))
    return any(contains(right, value) for value in left)


SETS: Final = Library(
    "cel.lib.ext.sets",
    (
        function("sets.contains", plain("list_sets_contains_list", (_LIST, _LIST), BOOL, _contains)),
        function("sets.equivalent", plain("list_sets_equivalent_list", (_LIST, _LIST), BOOL, _equivalent)),
        function("sets.intersects", plain("list_sets_intersects_list", (_LIST, _LIST), BOOL, _intersects)),
    ),
)
