"""Elements found in lists without looking at each, where that is possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.cel.problem import CostError
from windlass.schema.cel.value import Duration, Timestamp, Uint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.schema.cel.value import Value

_PLAIN: Final = frozenset({str, int, bytes, bool, Uint, Duration, Timestamp})
_MOST_COMPARISONS: Final = 1_000_000
"""More of them cost more than an expression may in Kubernetes."""


def are_plain(*lists: Sequence[Value]) -> bool:
    """Whether all elements are of one type, of which Python and CEL agree what is equal."""
    kinds = {type(value) for values in lists for value in values}
    return len(kinds) == 1 and kinds <= _PLAIN


def bound_comparisons(left: int, right: int) -> None:
    """Refuse to compare each of many with each of many others.

    Raises:
        CostError: no limit on costs allows so many.
    """
    if left * right > _MOST_COMPARISONS:
        raise CostError
