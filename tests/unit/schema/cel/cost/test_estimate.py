from __future__ import annotations

import pytest

from windlass.schema.cel.check import check
from windlass.schema.cel.cost import MOST, Path, Range, estimate
from windlass.schema.cel.environment import Environment
from windlass.schema.cel.library import KUBERNETES
from windlass.schema.cel.parse import parse
from windlass.schema.cel.type import INT, STRING, list_of, map_of

ENVIRONMENT = Environment(
    variables={
        "text": STRING,
        "number": INT,
        "texts": list_of(STRING),
        "lists": list_of(list_of(STRING)),
        "labels": map_of(STRING, STRING),
    },
    libraries=KUBERNETES,
)
SIZES = {
    ("text",): 20,
    ("texts",): 10,
    ("texts", "@items"): 30,
    ("lists",): 4,
    ("lists", "@items"): 5,
    ("lists", "@items", "@items"): 6,
    ("labels",): 3,
    ("labels", "@keys"): 40,
    ("labels", "@values"): 50,
}


def sizes(path: Path) -> Range | None:
    return Range(0, SIZES[path]) if path in SIZES else None


def estimated(expression: str, *, sized: bool = True) -> Range:
    checked = check(parse(expression, ENVIRONMENT.macros), ENVIRONMENT)
    return estimate(checked, sizes) if sized else estimate(checked)


def test_what_is_written_has_its_size_and_all_else_any() -> None:
    assert estimated("text == 'abc'", sized=False) == Range(2, 2)
    assert estimated("text == text", sized=False).max > MOST // 20


@pytest.mark.parametrize(
    ("expression", "cost"),
    [
        ("text.size() < 5", Range(3, 3)),
        ("text == text", Range(3, 4)),
        ("texts.all(t, t == 'x')", Range(2, 52)),
        ("lists.all(l, l.all(t, t == text))", Range(2, 142)),
        ("labels.all(k, labels[k] == 'x')", Range(2, 23)),
        ("has(labels.x)", Range(1, 1)),
    ],
)
def test_sizes_are_found_by_where_values_come_from(expression: str, cost: Range) -> None:
    assert estimated(expression) == cost


def test_what_is_decided_by_its_left_side_costs_at_least_that() -> None:
    assert estimated("number == 1 && texts.all(t, t == 'x')") == Range(2, 54)


def test_a_choice_costs_its_condition_and_either_branch() -> None:
    assert estimated("number == 1 ? texts.size() : [text, text].size()") == Range(4, 15)


def test_a_name_that_a_macro_gives_knows_where_its_value_comes_from() -> None:
    assert (
        estimated("texts.sortBy(t, t).all(t, t == 'x')").max
        < estimated("texts.sortBy(t, t).all(t, t == 'x')", sized=False).max
    )


def test_an_expression_that_nests_as_deeply_as_one_may_is_estimated() -> None:
    deep = "[" * 120 + "text" + "]" * 120

    assert estimated(deep) == Range.exactly(120 * 10 + 1)
