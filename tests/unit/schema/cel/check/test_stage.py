"""Types, problems and their places are those of Kubernetes."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cel_checking import RULES, Case, recorded
from windlass.schema.cel import ast
from windlass.schema.cel.problem import ExpressionError
from windlass.schema.cel.type import DURATION, INT


@pytest.mark.parametrize("scope", ["variables", *RULES])
def test_types_and_problems_are_those_that_kubernetes_tells(scope: str) -> None:
    known = {case: lines for case, lines in recorded() if case.scope == scope}

    found = {case: case.lines() for case in known}

    assert known
    assert {case: lines for case, lines in found.items() if lines != known[case]} == {}


def test_a_problem_is_shown_in_its_line() -> None:
    with pytest.raises(ExpressionError) as raised:
        Case("variables", "b &&\n  s.size() >\t'😀' &&\n  x").check()

    assert str(raised.value) == (
        "ERROR: <input>:2:12: found no matching overload for '_>_' applied to '(int, string)'\n"
        " |   s.size() > '😀' &&\n"
        " | ...........^\n"
        "ERROR: <input>:3:3: undeclared reference to 'x' (in container '')\n"
        " |   x\n"
        " | ..^"
    )


def test_of_many_problems_a_hundred_are_told() -> None:
    with pytest.raises(ExpressionError) as raised:
        Case("variables", f"[{', '.join(f'x{number}' for number in range(130))}]").check()

    assert len(raised.value.problems) == 100
    assert str(raised.value).endswith("\n30 more errors were truncated")


@pytest.mark.parametrize(
    ("expression", "kind", "name"),
    [
        ("optional.of(1)", ast.Call, "optional.of"),
        (".optional.of(1)", ast.Call, "optional.of"),
        ("google.protobuf.Duration", ast.Identifier, "google.protobuf.Duration"),
        (".i", ast.Identifier, "i"),
        ("a.b.c", ast.Identifier, "a.b.c"),
    ],
)
def test_the_tree_says_what_names_with_dots_were_resolved_to(
    expression: str, kind: type[ast.Expression], name: str
) -> None:
    root = Case("variables", f"[{expression}]").check().tree.root

    assert isinstance(root, ast.ListLiteral)
    (node,) = root.elements
    assert type(node) is kind
    assert name in (getattr(node, "function", None), getattr(node, "name", None))
    assert getattr(node, "target", None) is None


@pytest.mark.parametrize(
    "expression",
    [
        "[{'k': optional.of(1)}, {'k': optional.none()}]",
        "has(optional.of(msd).a.b)",
        "[1].map(x, optional.of(x)).exists(x, x == optional.none())",
        "optional.of(1).orValue(2) == 3 ? optional.of('a') : optional.of('b')",
    ],
)
def test_what_is_around_a_resolved_name_keeps_its_nodes(expression: str) -> None:
    checked = Case("variables", expression).check()

    nodes = list(ast.walk(checked.tree.root))
    assert {node.id for node in nodes} == checked.types.keys()
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    assert {call.id for call in calls} <= checked.references.keys()
    assert not [call for call in calls if isinstance(call.target, ast.Identifier)]


def test_the_name_of_a_type_refers_to_the_type() -> None:
    checked = Case("variables", "type(i) == int || type(p) == google.protobuf.Duration").check()

    found = {each.name: each.constant for each in checked.references.values() if each.name}
    assert found == {"i": None, "int": INT, "p": None, "google.protobuf.Duration": DURATION}


@pytest.mark.parametrize(
    "expression",
    [
        f"{'[' * 240}1{']' * 240}",
        f"{'[1].map(x, ' * 100}x{')' * 100}",
        f"[1]{'.map(x, [x])' * 100}",
        f"any{'.a' * 240}",
        f"{'!' * 9999}b",
        f"i{' + i' * 240}",
        f"b{' && b' * 5000}",
        f"{'b ? 1 : ' * 240}1",
    ],
)
def test_an_expression_may_be_nested_deeply(expression: str) -> None:
    Case("variables", expression).check()


@pytest.mark.parametrize(
    "expression",
    [
        # Each step makes a type of two of the last: the last one would have 2 ** 200 parts.
        f"[1]{'.map(x, {x: x})' * 200}",
        # Each step wraps the last type in two hundred lists.
        "[1]" + f".map(x, {'[' * 200}x{']' * 200})" * 200,
    ],
)
def test_types_that_grow_without_bounds_are_refused(expression: str) -> None:
    with pytest.raises(ExpressionError, match="the types of the expression are too intricate"):
        Case("variables", expression).check()


@given(
    st.lists(st.sampled_from([case.expression for case, _ in recorded()]), min_size=1, max_size=3),
    st.lists(st.integers(0, 200), max_size=4),
)
def test_any_text_is_checked_or_refused(expressions: list[str], cuts: list[int]) -> None:
    text = " ".join(expressions)
    for cut in cuts:
        text = text[cut:] + text[: cut // 2]

    with suppress(ExpressionError):
        Case("variables", text).check()
