"""Operators that do not evaluate all of their operands, or are indifferent to errors in some."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.schema.cel.evaluate.frame import attempt
from windlass.schema.cel.problem import CostError, EvaluationError
from windlass.schema.cel.value import Optional

if TYPE_CHECKING:
    from windlass.schema.cel.evaluate.frame import Code, Frame
    from windlass.schema.cel.value import Value


def junction(left: Code, right: Code, *, decisive: bool) -> Code:
    """`&&`, which `False` decides whatever the other side is, or `||`, which `True` decides."""

    def run(frame: Frame) -> bool:
        try:
            first: object = left(frame)
        except CostError:
            raise
        except EvaluationError as error:
            return other(frame, error.with_traceback(None))
        if first is decisive:
            return decisive
        if not isinstance(first, bool):
            return other(frame, EvaluationError("no such overload"))
        second = right(frame)
        if isinstance(second, bool):
            return second
        raise EvaluationError("no such overload")

    def other(frame: Frame, error: EvaluationError) -> bool:
        second: object = attempt(right, frame)
        if second is decisive:
            return decisive
        raise error

    return run


def not_strictly_false(operand: Code) -> Code:
    """Whether a value is anything but false; an error is."""

    def run(frame: Frame) -> bool:
        frame.cost += 1
        return attempt(operand, frame) is not False

    return run


def alternative(optional: Code, other: Code, *, unwrap: bool) -> Code:
    """`or` and `orValue`: an optional, or what it holds, and if that is nothing, something else."""

    def run(frame: Frame) -> Value:
        value = optional(frame)
        if not isinstance(value, Optional):
            return value
        if value.is_present:
            return value.value if unwrap else value
        return other(frame)

    return run
