"""`+`, `-`, `*`, `/` and `%`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema.cel.declare import Function, Overload
from windlass.schema.cel.operation import (
    EARLIEST,
    LATEST,
    SECOND,
    checked_int,
    checked_uint,
    divided,
    is_list,
    quotient,
    remainder,
)
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import BYTES, DOUBLE, DURATION, INT, STRING, TIMESTAMP, UINT, A, Type, list_of
from windlass.schema.cel.value import Duration, GrowingList, Timestamp, Uint

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.schema.cel.value import Value

_TAKES: Final = {
    "_+_": frozenset({int, Uint, float, str, bytes, Duration, Timestamp}),
    "_-_": frozenset({int, Uint, float, Duration, Timestamp}),
    "_*_": frozenset({int, Uint, float}),
    "_/_": frozenset({int, Uint, float}),
    "_%_": frozenset({int, Uint}),
    "-_": frozenset({int, float, Duration}),
}


def add(left: Value, right: Value) -> Value:
    """The sum of numbers or times, or one thing after the other.

    Raises:
        EvaluationError: the two cannot be added, or the sum is too large.
    """
    kind = type(left)
    if kind is type(right):
        if kind is int:
            return checked_int(left + right)
        if kind is str or kind is float or kind is bytes:
            return left + right
        if kind is Uint:
            return checked_uint(left + right)
        if kind is Duration:
            return Duration(checked_int(left.nanoseconds + right.nanoseconds))
    if kind is GrowingList and type(right) is list:
        left.extend(right)
        return left
    return _add_others(left, right)


def _add_others(left: Value, right: Value) -> Value:
    if isinstance(left, Timestamp) and isinstance(right, Duration):
        return _moved(left, right.nanoseconds)
    if isinstance(left, Duration) and isinstance(right, Timestamp):
        return _moved(right, left.nanoseconds)
    if is_list(left) and is_list(right):
        return _add_lists(left, right)
    raise refusal("_+_", left)


def _add_lists(left: Any, right: Any) -> Any:
    if isinstance(left, GrowingList):
        left.extend(right)
        return left
    joined = getattr(left, "joined", None)
    if joined is not None:
        return joined(right)
    # An empty list leaves the other as it is, which may be a set.
    return [*left, *right] if left and right else left or right


def subtract(left: Value, right: Value) -> Value:
    """The difference of numbers or times.

    Raises:
        EvaluationError: there is none.
    """
    kind = type(left)
    if kind is type(right):
        if kind is int:
            return checked_int(left - right)
        if kind is float:
            return left - right
        if kind is Uint:
            return checked_uint(left - right)
        if kind is Duration or kind is Timestamp:
            return Duration(checked_int(left.nanoseconds - right.nanoseconds))
    if isinstance(left, Timestamp) and isinstance(right, Duration):
        return _moved(left, checked_int(-right.nanoseconds))
    raise refusal("_-_", left)


def multiply(left: Value, right: Value) -> Value:
    """The product of two numbers of the same type.

    Raises:
        EvaluationError: it is too large, or there is none.
    """
    kind = type(left)
    if kind is type(right):
        if kind is int:
            return checked_int(left * right)
        if kind is float:
            return left * right
        if kind is Uint:
            return checked_uint(left * right)
    raise refusal("_*_", left)


def divide(left: Value, right: Value) -> Value:
    """The quotient of two numbers of the same type; that of integers is rounded towards zero.

    Raises:
        EvaluationError: the divisor is an integer 0, or there is no quotient.
    """
    kind = type(left)
    if kind is type(right):
        if kind is int:
            return checked_int(quotient(left, right))
        if kind is float:
            return divided(left, right)
        if kind is Uint:
            return Uint(quotient(left, right))
    raise refusal("_/_", left)


def modulo(left: Value, right: Value) -> Value:
    """What the division of two integers of the same type leaves.

    Raises:
        EvaluationError: the divisor is 0, or these are no such integers.
    """
    kind = type(left)
    if kind is type(right):
        if kind is int:
            return remainder(left, right)
        if kind is Uint:
            return Uint(remainder(left, right))
    raise refusal("_%_", left)


def negate(value: Value) -> Value:
    """The number with the other sign.

    Raises:
        EvaluationError: there is none.
    """
    if type(value) is int:
        return checked_int(-value)
    if type(value) is float:
        return -value
    if isinstance(value, Duration):
        return Duration(checked_int(-value.nanoseconds))
    if isinstance(value, bool):
        raise EvaluationError("no such overload")
    raise refusal("-_", value)


def refusal(function: str, left: Value) -> EvaluationError:
    """What is said of operands that a function does not take; it is named if it does not take the first."""
    known = type(left) in _TAKES[function] or (function == "_+_" and is_list(left))
    # These types of cel-go dispatch calls themselves, and then do not name the function.
    if known or isinstance(left, (str, Duration, Timestamp)):
        return EvaluationError("no such overload")
    return EvaluationError(f"no such overload: {function}")


def _moved(moment: Timestamp, by: int) -> Timestamp:
    nanoseconds = moment.nanoseconds + by
    if not EARLIEST <= nanoseconds // SECOND <= LATEST:
        raise EvaluationError("timestamp overflow")
    return Timestamp(nanoseconds, moment.offset)


def _overloads(
    call: Callable[..., Value], signatures: dict[str, tuple[Type, Type, Type]]
) -> tuple[Overload, ...]:
    return tuple(
        Overload(name, (left, right), result, call, untyped=True)
        for name, (left, right, result) in signatures.items()
    )


def _same(name: str, *kinds: tuple[str, Type]) -> dict[str, tuple[Type, Type, Type]]:
    return {f"{name}_{suffix}": (kind, kind, kind) for suffix, kind in kinds}


_INT, _UINT, _DOUBLE = ("int64", INT), ("uint64", UINT), ("double", DOUBLE)

ARITHMETIC: Final = (
    Function(
        "_+_",
        _overloads(
            add,
            _same("add", ("bytes", BYTES), _DOUBLE, ("duration_duration", DURATION))
            | {
                "add_duration_timestamp": (DURATION, TIMESTAMP, TIMESTAMP),
                "add_timestamp_duration": (TIMESTAMP, DURATION, TIMESTAMP),
            }
            | _same("add", _INT, ("list", list_of(A)), ("string", STRING), _UINT),
        ),
    ),
    Function("_/_", _overloads(divide, _same("divide", _DOUBLE, _INT, _UINT))),
    Function("_%_", _overloads(modulo, _same("modulo", _INT, _UINT))),
    Function("_*_", _overloads(multiply, _same("multiply", _DOUBLE, _INT, _UINT))),
    Function(
        "-_",
        (
            Overload("negate_double", (DOUBLE,), DOUBLE, negate, untyped=True),
            Overload("negate_int64", (INT,), INT, negate, untyped=True),
        ),
    ),
    Function(
        "_-_",
        _overloads(
            subtract,
            _same("subtract", _DOUBLE, ("duration_duration", DURATION), _INT)
            | {
                "subtract_timestamp_duration": (TIMESTAMP, DURATION, TIMESTAMP),
                "subtract_timestamp_timestamp": (TIMESTAMP, TIMESTAMP, DURATION),
            }
            | _same("subtract", _UINT),
        ),
    ),
)
"""The operators on numbers, in the order in which cel-go declares their overloads."""
