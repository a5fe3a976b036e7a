"""Calls: which implementation, with which arguments, at which price."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windlass.schema.cel.evaluate.frame import attempt
from windlass.schema.cel.evaluate.price import PRICES
from windlass.schema.cel.problem import CostError, EvaluationError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from windlass.schema.cel.evaluate.frame import Code, Frame
    from windlass.schema.cel.evaluate.price import Pricing
    from windlass.schema.cel.value import Value

_FAILED: Any = object()
"""What stands for an argument that has no value; it weighs 1."""


@dataclass(frozen=True, slots=True)
class Callee:
    """What is called. `overload` is empty where only the values tell which one it is.

    With an error among its arguments, an `eager` call still evaluates the others and is paid for.
    """

    function: str
    overload: str
    call: Callable[..., Value]
    pricing: Pricing | None
    eager: bool = True

    def price(self, arguments: Sequence[Value], result: Value) -> int:
        """What a call has cost."""
        if self.pricing is not None:
            priced = self.pricing.actual(self.function, self.overload, arguments, result)
            if priced is not None:
                return priced
        standard = PRICES.get(self.overload)
        return 1 if standard is None else standard(arguments)

    @property
    def is_flat(self) -> bool:
        """Whether every call costs 1."""
        return self.pricing is None and self.overload not in PRICES


def call_code(callee: Callee, arguments: Sequence[Code]) -> Code:
    """Code that evaluates the arguments and makes the call."""
    match arguments:
        case [only]:
            return _unary(callee, only)
        case [left, right] if callee.function in ("_==_", "_!=_"):
            return _equality(callee, left, right)
        case [left, right] if callee.eager:
            return _binary(callee, left, right)
    return _variadic(callee, tuple(arguments))


def _unary(callee: Callee, argument: Code) -> Code:
    call, flat = callee.call, callee.is_flat

    def run(frame: Frame) -> Value:
        if flat:
            frame.cost += 1
            return call(argument(frame))
        value = result = _FAILED
        try:
            value = argument(frame)
            result = call(value)
        finally:
            frame.cost += callee.price((value,), result)
        return result

    return run


def _binary(callee: Callee, left: Code, right: Code) -> Code:
    call, flat = callee.call, callee.is_flat

    def run(frame: Frame) -> Value:
        first = second = result = _FAILED
        try:
            first = left(frame)
            second = right(frame)
            result = call(first, second)
        except CostError:
            raise
        except EvaluationError:
            _fail(frame, callee, first, second, right)
            raise
        frame.cost += 1 if flat else callee.price((first, second), result)
        return result

    return run


def _equality(callee: Callee, left: Code, right: Code) -> Code:
    """Written out since most rules have one, of two texts or numbers."""
    compare = callee.call

    def run(frame: Frame) -> Value:
        first = second = _FAILED
        try:
            first = left(frame)
            second = right(frame)
            result = compare(first, second)
        except CostError:
            raise
        except EvaluationError:
            _fail(frame, callee, first, second, right)
            raise
        kind = type(first)
        frame.cost += 1 if kind is int and type(second) is int else callee.price((first, second), result)
        return result

    return run


def _fail(frame: Frame, callee: Callee, first: Value, second: Value, right: Code) -> None:
    """Charge for a call that had no arguments: cel-go evaluates all of them before it notices."""
    if first is _FAILED:
        second = attempt(right, frame)
    frame.cost += callee.price((first, second), _FAILED)


def _variadic(callee: Callee, arguments: tuple[Code, ...]) -> Code:
    call, flat = callee.call, callee.is_flat
    last = len(arguments) - 1

    def run(frame: Frame) -> Value:
        values: list[Value] = []
        try:
            for argument in arguments:
                values.append(argument(frame))  # noqa: PERF401 - one that fails must leave the others
            result = call(*values)
        except CostError:
            raise
        except EvaluationError:
            # cel-go charges if it has got to the last argument.
            if len(values) >= last:
                frame.cost += 1 if flat else callee.price([*values, _FAILED][: last + 1], _FAILED)
            raise
        frame.cost += 1 if flat else callee.price(values, result)
        return result

    return run
