"""What may be spent on the rules of one object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.schema.cel.problem import CostError, EvaluationError
from windlass.schema.cel.rule import limit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.schema.cel.evaluate import Program
    from windlass.schema.cel.value import Value


class SpentError(CostError):
    """Nothing is left for the rules of an object."""

    def __init__(self) -> None:
        super().__init__("failed due to running out of cost budget, no further validation rules will be run")


class Meter:
    """Evaluates programs while something is left for it."""

    def __init__(self, budget: int) -> None:
        self.left = budget

    def value(self, program: Program, variables: Mapping[str, Value]) -> Value:
        """What a program comes to.

        Raises:
            SpentError: it cost more than was left.
            CostError: it would cost more than one evaluation may.
            EvaluationError: it has no value.
        """
        try:
            outcome = program.evaluate(variables, limit.CALL)
        except EvaluationError as error:
            self._spend(error.cost)
            raise
        self._spend(outcome.cost)
        return outcome.value

    def _spend(self, cost: int) -> None:
        if cost > self.left:
            raise SpentError
        self.left -= cost
