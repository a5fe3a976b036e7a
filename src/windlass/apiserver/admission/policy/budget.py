"""Evaluating expressions one after the other, as far as their common budget goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.errors import WindlassError
from windlass.schema.cel import EvaluationError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.apiserver.admission.policy.expression import Expression

_PER_CALL: Final = 1_000_000
OF_VALIDATIONS: Final = 10_000_000
OF_CONDITIONS: Final = 2_500_000


class OutOfBudget(WindlassError):
    """Expressions cost more than they may together."""

    def __init__(self) -> None:
        super().__init__(
            "validation failed due to running out of cost budget, no further validation rules will be run"
        )


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The value of an expression, or why it has none."""

    value: Any = None
    error: str = ""


class Budget:
    """What is left to spend."""

    def __init__(self, most: int) -> None:
        self.left = most

    def evaluate(self, expression: Expression, variables: Inputs) -> Evaluated:
        """The value of an expression.

        Raises:
            OutOfBudget: there is not enough left.
        """
        if expression.program is None:
            return Evaluated(error=f"compilation error: {expression.problem}")
        try:
            value, cost = expression.program.evaluate(variables, _PER_CALL)
            found = Evaluated(value)
        except EvaluationError as error:
            cost = error.cost
            found = Evaluated(error=f"expression '{expression.text}' resulted in error: {error}")
        self.left -= cost + variables.spent()
        if self.left < 0:
            raise OutOfBudget
        return found


class Inputs(Mapping[str, Any]):
    """The variables of expressions. Those of a policy itself are worked out when they are first asked for."""

    def __init__(self, given: Mapping[str, Any], composed: Mapping[str, Expression] | None = None) -> None:
        self._given = dict(given)
        self._composed = _Composed(composed or {}, self)
        if composed is not None:
            self._given["variables"] = self._composed

    def spent(self) -> int:
        """What the policy's own variables have cost since this was last asked."""
        cost, self._composed.cost = self._composed.cost, 0
        return cost

    @override
    def __getitem__(self, name: str) -> Any:
        return self._given[name]

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    @override
    def __len__(self) -> int:
        return len(self._given)


class _Composed(Mapping[str, Any]):
    """The variables that a policy declares, each worked out once."""

    def __init__(self, expressions: Mapping[str, Expression], inputs: Inputs) -> None:
        self._expressions = expressions
        self._inputs = inputs
        self._found: dict[str, Any] = {}
        self.cost = 0

    @override
    def __getitem__(self, name: str) -> Any:
        if name not in self._found:
            self._found[name] = self._worked_out(name, self._expressions[name])
        return self._found[name]

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self._expressions)

    @override
    def __len__(self) -> int:
        return len(self._expressions)

    def _worked_out(self, name: str, expression: Expression) -> Any:
        if expression.program is None:
            raise EvaluationError(f'composited variable "{name}" fails to compile: {expression.problem}')
        try:
            value, cost = expression.program.evaluate(self._inputs, _PER_CALL)
        except EvaluationError as error:
            self.cost += error.cost
            raise EvaluationError(f'composited variable "{name}" fails to evaluate: {error}') from error
        self.cost += cost
        return value
