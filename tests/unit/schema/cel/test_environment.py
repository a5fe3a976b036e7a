"""An environment makes programs of texts."""

from __future__ import annotations

import pytest

from windlass.schema.cel.environment import Environment
from windlass.schema.cel.library import KUBERNETES
from windlass.schema.cel.problem import EvaluationError, ExpressionError
from windlass.schema.cel.type import BOOL, INT, STRING, object_type

BASE = Environment(variables={"n": INT}, libraries=KUBERNETES)


def test_a_text_becomes_a_program() -> None:
    program = BASE.program("n > 3 && ['a', 'b'].exists(x, x == 'b')")

    assert program.evaluate({"n": 5}).value is True
    assert program.evaluate({"n": 3}).value is False


def test_a_program_costs_what_it_costs_in_kubernetes() -> None:
    assert BASE.program("quantity('1Gi').isGreaterThan(quantity('1M'))").evaluate({}).cost == 3


def test_a_text_whose_types_do_not_fit_becomes_none() -> None:
    with pytest.raises(ExpressionError, match=r"found no matching overload for '_\+_'"):
        BASE.program("n + 'x'")


def test_an_extended_environment_knows_more_and_the_old_one_does_not() -> None:
    extended = BASE.extended({"o": object_type("O")}, {"O": {"name": STRING}})
    twice = extended.extended({"p": object_type("P")}, {"P": {"ready": BOOL}})

    program = twice.program("o.name == 'x' && p.ready && n == 1")
    assert program.evaluate({"o": {"name": "x"}, "p": {"ready": True}, "n": 1}).value is True
    with pytest.raises(ExpressionError, match="undeclared reference to 'p'"):
        extended.program("p.ready")
    with pytest.raises(ExpressionError, match="undeclared reference to 'o'"):
        BASE.program("o.name")


@pytest.mark.parametrize("expression", ["[int].exists(x, x == int)", "type(o) == O", "duration == duration"])
def test_a_name_of_a_type_that_no_value_has_makes_no_program(expression: str) -> None:
    environment = BASE.extended({"o": object_type("O")}, {"O": {"name": STRING}})

    with pytest.raises(EvaluationError, match=r"reference to undefined type: (x|O|duration)$"):
        environment.program(expression)
