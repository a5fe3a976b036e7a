from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from typing_extensions import override

from cel_arbitrary import KINDS, SCHEMA, SELF, expression
from cel_evaluation import COST_EXCEEDED, PLAIN, Subject, ours, program, recorded, subject
from windlass.schema.cel.check import check
from windlass.schema.cel.declare import Function, Library, Overload
from windlass.schema.cel.environment import Environment
from windlass.schema.cel.evaluate import Program
from windlass.schema.cel.library import STANDARD
from windlass.schema.cel.parse import parse
from windlass.schema.cel.problem import CostError, EvaluationError, ExpressionError
from windlass.schema.cel.type import DYN, INT, STRING, object_type
from windlass.schema.cel.value import Value


def test_values_errors_and_costs_are_those_that_kubernetes_gave() -> None:
    known = recorded("cel_values.txt")

    assert {each: ours(each) for each in known} == known


def test_values_of_objects_are_those_that_kubernetes_gave() -> None:
    known = recorded("cel_adapted.txt")

    assert {each: ours(each, subject()) for each in known} == known


def test_an_expression_may_cost_its_limit_and_no_unit_more() -> None:
    made = program("[1, 2, 3].map(x, x + 1).all(y, y > 0)")
    cost = made.evaluate({}).cost

    assert made.evaluate({}, cost).value is True
    with pytest.raises(CostError, match=COST_EXCEEDED):
        made.evaluate({}, cost - 1)


def test_an_error_beyond_the_limit_is_one_of_the_limit() -> None:
    with pytest.raises(CostError, match=COST_EXCEEDED):
        program("[1].map(x, x)[0] / 0").evaluate({}, 5)


@pytest.mark.parametrize(
    "loop",
    [
        "LIST.all(a, LIST.all(b, LIST.all(c, LIST.all(d, true))))",
        "LIST.exists(a, LIST.exists(b, LIST.exists(c, LIST.exists(d, 1 / 0 == a))))",
        "LIST.map(a, LIST.map(b, LIST.map(c, LIST.filter(d, false))))",
    ],
)
def test_a_loop_of_a_hundred_million_rounds_ends_at_the_limit(loop: str) -> None:
    made = program(loop.replace("LIST", str([*range(100)])))

    with pytest.raises(CostError) as caught:
        made.evaluate({}, 10_000)

    assert 10_000 < caught.value.cost < 10_200


def test_an_error_that_the_other_side_outweighs_does_not_outweigh_the_limit() -> None:
    with pytest.raises(CostError, match=COST_EXCEEDED):
        program("[1, 2, 3].map(x, x * 2).size() == 7 || true").evaluate({}, 10)


class Lazily(Mapping[str, Value]):
    """Variables that note which of them were looked at."""

    def __init__(self, **values: Value) -> None:
        self._values = values
        self.asked: list[str] = []

    @override
    def __getitem__(self, name: str) -> Value:
        self.asked.append(name)
        return self._values[name]

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    @override
    def __len__(self) -> int:
        return len(self._values)


def test_a_variable_is_looked_up_only_if_its_value_matters() -> None:
    variables = Lazily(a=1, b=2)

    program("a == 1 || b == 2", PLAIN.extended({"a": INT, "b": INT})).evaluate(variables)

    assert variables.asked == ["a"]


def test_a_variable_without_a_value_is_named() -> None:
    with pytest.raises(EvaluationError, match=r"^no such attribute\(s\): a$"):
        program("a == 1", PLAIN.extended({"a": INT})).evaluate({})


def test_a_variable_of_a_loop_hides_one_outside_and_not_beyond_the_loop() -> None:
    made = program("[1, 2].map(a, a * 10) + [a]", PLAIN.extended({"a": INT}))

    assert made.evaluate({"a": 7}).value == [10, 20, 7]


def test_a_program_can_be_evaluated_again_with_other_values() -> None:
    made = program("[1, 2, 3].filter(x, x > a)", PLAIN.extended({"a": INT}))

    assert [made.evaluate({"a": a}).value for a in (0, 2, 0)] == [[1, 2, 3], [3], [1, 2, 3]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int(dyn('x'))", "type conversion error from 'string' to 'int'"),
        ("'a'.matches(string('('))", "error parsing regexp: missing closing ): `(`"),
        ("{'a': 1}[dyn(null)]", "invalid qualifier type: types.Null"),
    ],
)
def test_a_constant_that_has_no_value_makes_no_program(text: str, message: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        program(text)

    assert str(caught.value) == message


def test_an_expression_of_the_greatest_depth_is_evaluated() -> None:
    assert program("+".join(["1"] * 250)).evaluate({}).value == 250
    assert program("[1]" + ".map(x, x)" * 240).evaluate({}).value == [1]
    with pytest.raises(EvaluationError, match="no such key: a"):
        program("dyn({})" + ".a" * 240).evaluate({})


class Prices:
    """What a call costs, which notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def actual(self, function: str, overload: str, arguments: Sequence[Value], result: Value) -> int | None:
        """A hundred, if anything is returned at all."""
        self.asked.append((function, overload, list(arguments), result))
        return 100 if result else None


def test_calls_of_a_library_are_priced_by_whoever_knows_the_library() -> None:
    twice = Function("twice", (Overload("twice_int", (INT,), INT, lambda value: value * 2),))
    environment = Environment(libraries=(STANDARD, Library("test", (twice,))))
    prices = Prices()

    made = Program(check(parse("twice(1 + 1) + twice(0)"), environment), environment, prices)

    assert made.evaluate({}) == (4, 1 + 100 + 1 + 1)
    assert prices.asked == [("twice", "twice_int", [2], 4), ("twice", "twice_int", [0], 0)]


def test_values_of_a_type_that_no_overload_takes_are_refused_by_name() -> None:
    made = program("a.getHours()", PLAIN.extended({"a": DYN}))

    with pytest.raises(EvaluationError, match=r"^no such overload: getHours\(int\)$"):
        made.evaluate({"a": 1})


def test_an_object_can_be_made_of_a_type_that_the_environment_lets_expressions_make() -> None:
    environment = replace(
        PLAIN, objects={"Patch": {"op": STRING, "value": DYN}}, constructible=frozenset({"Patch"})
    )

    def value(text: str) -> Value:
        return program(text, environment).evaluate({}).value

    assert value("Patch{op: 'add', ?value: optional.none()}") == {"op": "add"}
    assert value("Patch{op: 'add'}.op") == "add"
    assert value("has(Patch{op: 'add'}.value)") is False
    assert value("type(Patch{op: 'add'})") == object_type("Patch")


def test_an_object_of_any_other_type_cannot_be_made() -> None:
    environment = PLAIN.extended({}, {"Patch": {"op": STRING}})

    with pytest.raises(EvaluationError, match=r"^unknown type 'Patch'$"):
        program("Patch{op: 'add'}", environment).evaluate({})


@pytest.mark.parametrize("seed", range(8))
def test_no_expression_fails_otherwise_than_it_may(seed: int) -> None:
    chance = Random(seed)
    about = Subject(SCHEMA, SELF, SELF)

    for _ in range(60):
        text = expression(chance, chance.choice(KINDS), depth=3, strange=0.3)
        with suppress(EvaluationError, ExpressionError):
            program(text, about.environment).evaluate(about.variables, 100_000)
