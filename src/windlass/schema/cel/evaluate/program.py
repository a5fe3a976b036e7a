from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from windlass.schema.cel.evaluate.compile import Compiler
from windlass.schema.cel.evaluate.frame import Frame
from windlass.schema.cel.problem import CostError, EvaluationError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.schema.cel.check import Checked
    from windlass.schema.cel.environment import Environment
    from windlass.schema.cel.evaluate.price import Pricing
    from windlass.schema.cel.value import Value


class Outcome(NamedTuple):
    """What an expression came to, and what it cost."""

    value: Value
    cost: int


class Program:
    """A checked expression that can be evaluated, any number of times and by several threads at once.

    Without a `pricing`, a call of a library's function costs what the language says, mostly 1.

    Raises:
        EvaluationError: the expression has no value whatever its variables are.
    """

    def __init__(self, checked: Checked, environment: Environment, pricing: Pricing | None = None) -> None:
        compiler = Compiler(checked, environment, pricing)
        try:
            self._code = compiler.plan(checked.tree.root).code
        except RecursionError as error:
            raise _too_deep() from error
        self._places = compiler.places

    def evaluate(self, variables: Mapping[str, Value], limit: int | None = None) -> Outcome:
        """The value of the expression for some variables, each of which is looked up when it is needed.

        Raises:
            CostError: it would cost more than `limit`.
            EvaluationError: it has no value. `cost` tells what it did cost.
        """
        frame = Frame(variables, self._places, limit)
        try:
            value = self._code(frame)
            frame.check()
        except CostError as error:
            error.cost = frame.cost
            raise
        except EvaluationError as error:
            frame.check()
            error.cost = frame.cost
            raise
        except RecursionError as error:
            raise _too_deep() from error
        return Outcome(value, frame.cost)


def _too_deep() -> EvaluationError:
    return EvaluationError("the expression is nested too deeply")
