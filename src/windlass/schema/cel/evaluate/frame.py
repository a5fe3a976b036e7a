"""What one evaluation works on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from windlass.schema.cel.problem import CostError, EvaluationError


class Frame:
    """The variables of one evaluation, those of its comprehensions, and what it has cost so far."""

    __slots__ = ("cost", "limit", "places", "variables")

    def __init__(self, variables: Mapping[str, Any], places: int, limit: int | None) -> None:
        self.variables = variables
        self.places: list[Any] = [None] * places
        self.cost = 0
        self.limit = limit

    def check(self) -> None:
        """Give up if it has become too dear.

        Raises:
            CostError: it has.
        """
        if self.limit is not None and self.cost > self.limit:
            raise CostError


Code = Callable[[Frame], Any]
"""A compiled expression. It adds what it costs to the frame, and raises `EvaluationError`."""


class Failed:
    """An error in the place of a value, to which an expression may be indifferent."""

    __slots__ = ("error",)

    def __init__(self, error: EvaluationError) -> None:
        self.error = error


def attempt(code: Code, frame: Frame) -> Any:
    """The value of an expression, or `Failed`.

    Raises:
        CostError: it became too dear, which nothing can make good.
    """
    try:
        return code(frame)
    except CostError:
        raise
    except EvaluationError as error:
        return Failed(error.with_traceback(None))
