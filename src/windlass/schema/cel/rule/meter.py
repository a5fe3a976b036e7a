"""What may be spent on the rules of one object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.schema.cel.problem import CostError, EvaluationError
from windlass.schema.cel.rule import limit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.schema.cel.rule.compile import Expression
    from windlass.schema.cel.value import Value


class SpentError(CostError):
    """All that may be spent on an object is spent."""

    def __init__(self) -> None:
        super().__init__("failed due to running out of cost budget, no further validation rules will be run")


class Meter:
    """Evaluates expressions while there is something left for it."""

    def __init__(self) -> None:
        self._left = limit.OBJECT

    def demand(self) -> None:
        """Make sure that there is something left.

        Raises:
            SpentError: there is not.
        """
        if self._left <= 0:
            raise SpentError

    def value(self, expression: Expression, variables: Mapping[str, Value]) -> Value:
        """What an expression comes to.

        Raises:
            SpentError: it cost more than was left.
            CostError: it would cost more than one evaluation may.
            EvaluationError: it has no value.
        """
        try:
            outcome = expression.program.evaluate(variables, limit.CALL)
        except EvaluationError as error:
            self._spend(error.cost)
            raise
        self._spend(outcome.cost)
        return outcome.value

    def _spend(self, cost: int) -> None:
        if cost > self._left:
            raise SpentError
        self._left -= cost
