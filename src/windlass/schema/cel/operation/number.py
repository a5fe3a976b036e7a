"""Numbers: int and uint have 64 bits, and complain when these are too few."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.value import INT_MAX, INT_MIN, UINT_MAX, Uint

if TYPE_CHECKING:
    from windlass.schema.cel.value import Value

_TWO_TO_63: Final = 2.0**63
_TWO_TO_64: Final = 2.0**64
_NUMBERS: Final = frozenset({int, float, Uint})


def is_number(value: Value) -> bool:
    """Whether a value is an int, a uint or a double; a bool is none."""
    return type(value) in _NUMBERS


def checked_int(value: int) -> int:
    """The same, if it has no more than 64 bits.

    Raises:
        EvaluationError: it has.
    """
    if INT_MIN <= value <= INT_MAX:
        return value
    raise EvaluationError("integer overflow")


def checked_uint(value: int) -> Uint:
    """An unsigned integer, if it is none of a sign or more than 64 bits.

    Raises:
        EvaluationError: it is.
    """
    if 0 <= value <= UINT_MAX:
        return Uint(value)
    raise EvaluationError("unsigned integer overflow")


def int_of_double(value: float) -> int:
    """The integer part of a double.

    Raises:
        EvaluationError: it does not fit.
    """
    if -_TWO_TO_63 < value < _TWO_TO_63:
        return int(value)
    raise EvaluationError("integer overflow")


def uint_of_double(value: float) -> Uint:
    """The integer part of a double.

    Raises:
        EvaluationError: it does not fit.
    """
    if 0 <= value < _TWO_TO_64:
        return Uint(int(value))
    raise EvaluationError("unsigned integer overflow")


def quotient(left: int, right: int) -> int:
    """A division that rounds towards zero.

    Raises:
        EvaluationError: the divisor is zero.
    """
    if right == 0:
        raise EvaluationError("division by zero")
    found = abs(left) // abs(right)
    return found if (left < 0) == (right < 0) else -found


def remainder(left: int, right: int) -> int:
    """What a division that rounds towards zero leaves, with the sign of the dividend.

    Raises:
        EvaluationError: the divisor is zero, or the quotient does not fit.
    """
    if right == 0:
        raise EvaluationError("modulus by zero")
    if left == INT_MIN and right == -1:
        raise EvaluationError("integer overflow")
    found = abs(left) % abs(right)
    return found if left >= 0 else -found


def divided(left: float, right: float) -> float:
    """A division of doubles, which knows infinity and what is no number."""
    if right != 0:
        return left / right
    if left == 0 or math.isnan(left):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)
