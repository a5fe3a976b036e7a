"""Which of two values comes first."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from windlass.schema.cel.operation.number import is_number
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.value import Duration, Timestamp, Uint

if TYPE_CHECKING:
    from windlass.schema.cel.value import Value

_ORDERED: Final = frozenset({str, int, bytes, Uint, bool, Duration, Timestamp})
"""Types that Python orders as CEL does; texts by code points, which is the order of their UTF-8."""


def compare(left: Value, right: Value) -> int:
    """-1, 0 or 1: whether the left value is less than the right one, equal or greater.

    Raises:
        EvaluationError: the two cannot be compared.
    """
    kind = type(left)
    if kind is not type(right) or kind not in _ORDERED:
        if not is_number(left) or not is_number(right):
            raise EvaluationError("no such overload")
        if isinstance(left, float) or isinstance(right, float):
            left, right = float(left), float(right)
            if math.isnan(left) or math.isnan(right):
                raise EvaluationError("NaN values cannot be ordered")
    return int(left > right) - int(left < right)
