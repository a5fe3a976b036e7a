"""Trees and their places are those of cel-go."""

from __future__ import annotations

import pytest

from cel_syntax import REFUSED, first
from cel_tree import written
from windlass.schema.cel.parse import parse
from windlass.schema.cel.problem import ExpressionError


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("self.a == 'x'", "_==_(self@0.a@4, 'x'@10)@7"),
        ("a || b || c || d || e", "_||_(_||_(_||_(a@0, b@5)@2, c@10)@7, _||_(d@15, e@20)@17)@12"),
        ("a && b || c", "_||_(_&&_(a@0, b@5)@2, c@10)@7"),
        ("1 + 2 * 3 - 4", "_-_(_+_(1@0, _*_(2@4, 3@8)@6)@2, 4@12)@10"),
        ("a < b == c", "_==_(_<_(a@0, b@4)@2, c@9)@6"),
        ("a in [1, ?b, 2,]", "@in(a@0, [1@6, ?b@10, 2@13]@5)@2"),
        ("a ? b : c ? d : e", "_?_:_(a@0, b@4, _?_:_(c@8, d@12, e@16)@10)@2"),
        ("(a ? b : c) ? d : e", "_?_:_(_?_:_(a@1, b@5, c@9)@3, d@14, e@18)@12"),
        ("-1.foo()", "-1@0.foo()@6"),
        ("--1", "1@2"),
        ("- 1", "-1@0"),
        ("-(1)", "-_(1@2)@0"),
        ("1 - -1", "_-_(1@0, -1@4)@2"),
        ("!-1", "!_(-1@1)@0"),
        ("!!a.b", "a@2.b@3"),
        ("!!!a.b", "!_(a@3.b@4)@0"),
        ("a.b[0].c(d, e)", "_[_](a@0.b@1, 0@4)@3.c(d@9, e@12)@8"),
        ("a.b.?c[?0]", "_[?_](_?._(a@0.b@1, 'c'@5)@3, 0@8)@6"),
        (".a.b", ".a@1.b@2"),
        (".f(x)", ".f(x@3)@2"),
        ("a.for.if", "a@0.for@1.if@5"),
        ("{'a': 1, ?b: c,}", "{'a'@1: 1@6@4, ?b@10: c@13@11}@0"),
        ("{,}", "{}@0"),
        ("[,]", "[]@0"),
        ("a.b.c{d: 1, ?e: f}", "a.b.c{d: 1@9@7, ?e: f@16@14}@5"),
        ("as{}.x", "as{}@2.x@4"),
        ("a // it is said\n  + b", "_+_(a@0, b@20)@18"),
    ],
)
def test_a_tree_and_the_places_of_its_nodes(text: str, tree: str) -> None:
    assert written(parse(text).root) == tree


@pytest.mark.parametrize(("text", "problem"), REFUSED)
def test_what_is_wrong_first_and_where(text: str, problem: str) -> None:
    with pytest.raises(ExpressionError) as refused:
        parse(text)
    assert first(str(refused.value)) == problem


def test_every_problem_is_told_in_the_order_of_the_text() -> None:
    with pytest.raises(ExpressionError) as refused:
        parse("[1].map(var, var @ var)")
    assert [problem.message for problem in refused.value.problems] == [
        "reserved identifier: var",
        "argument is not an identifier",
        "reserved identifier: var",
        "Syntax error: token recognition error at: '@'",
        "Syntax error: extraneous input 'var' expecting ')'",
    ]


@pytest.mark.parametrize("depth", [1, 10, 248])
@pytest.mark.parametrize(("opening", "closing"), ["()", "[]", ("a[", "]"), ("{1: ", "}")])
def test_brackets_go_as_deep_as_in_cel_go(depth: int, opening: str, closing: str) -> None:
    assert parse(opening * depth + "1" + closing * depth).root.id
    with pytest.raises(
        ExpressionError, match=r"^ERROR: <input>:-1:0: expression recursion limit exceeded: 250$"
    ):
        parse(opening * 250 + "1" + closing * 250)


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".b" * 251,
        "+".join("1" * 252),
        "<".join("1" * 252),
        "a" + "[0]" * 251,
        "[" * 60 + "]+[1]+[1]+[1]+[1]+[1]" * 60,
    ],
)
def test_a_chain_is_no_deeper_than_in_cel_go(text: str) -> None:
    with pytest.raises(ExpressionError, match=r"^ERROR: <input>:-1:0: max recursion depth exceeded$"):
        parse(text)


def test_a_chain_of_logic_may_be_long_as_it_is_balanced() -> None:
    tree = parse(" && ".join("a" * 10_000))
    assert tree.root.offset == 5 * 5000 - 3


def test_a_text_may_have_so_many_characters() -> None:
    assert parse(" " * 99_999 + "1").root.offset == 99_999
    with pytest.raises(ExpressionError, match="code point size exceeds limit: size: 100001, limit 100000"):
        parse(" " * 100_000 + "1")
