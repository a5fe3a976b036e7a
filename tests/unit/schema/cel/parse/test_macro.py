"""Macros become what cel-go makes of them."""

from __future__ import annotations

import pytest

from cel_tree import written
from windlass.schema.cel.parse import OPTIONAL_MACROS, STANDARD_MACROS, parse
from windlass.schema.cel.problem import ExpressionError


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("has(a.b)", "a@4.b~@3"),
        ("has(a.b, c)", "has(a@4.b@5, c@9)@3"),
        ("x.has(a.b)", "x@0.has(a@6.b@7)@5"),
        (
            "x.all(y, y.b)",
            (
                "loop(y of x@0; @result: True@5, @not_strictly_false(@result@5)@5, "
                "_&&_(@result@5, y@9.b@10)@5, @result@5)@5"
            ),
        ),
        (
            "x.exists(y, y)",
            (
                "loop(y of x@0; @result: False@8, @not_strictly_false(!_(@result@8)@8)@8, "
                "_||_(@result@8, y@12)@8, @result@8)@8"
            ),
        ),
        (
            "x.exists_one(y, y)",
            (
                "loop(y of x@0; @result: 0@12, True@12, "
                "_?_:_(y@16, _+_(@result@12, 1@12)@12, @result@12)@12, _==_(@result@12, 1@12)@12)@12"
            ),
        ),
        (
            "x.map(v, v > 1, v + 1)",
            (
                "loop(v of x@0; @result: []@5, True@5, _?_:_(_>_(v@9, 1@13)@11, "
                "_+_(@result@5, [_+_(v@16, 1@20)@18]@5)@5, @result@5)@5, @result@5)@5"
            ),
        ),
        ("x.map(v, v)", "loop(v of x@0; @result: []@5, True@5, _+_(@result@5, [v@9]@5)@5, @result@5)@5"),
        (
            "x.filter(v, v)",
            (
                "loop(v of x@0; @result: []@8, True@8, "
                "_?_:_(v@12, _+_(@result@8, [v@9]@8)@8, @result@8)@8, @result@8)@8"
            ),
        ),
        (
            "x.optMap(y, y + 1)",
            (
                "_?_:_(x@0.hasValue()@8, optional.of(loop(#unused of []@8; y: x@0.value()@8, False@8, y@8, "
                "_+_(y@12, 1@16)@14)@8)@8, optional.none()@8)@8"
            ),
        ),
        (
            "x.optFlatMap(y, y)",
            (
                "_?_:_(x@0.hasValue()@12, loop(#unused of []@12; y: x@0.value()@12, False@12, y@12, y@16)@12, "
                "optional.none()@12)@12"
            ),
        ),
    ],
)
def test_what_a_macro_stands_for(text: str, tree: str) -> None:
    assert written(parse(text, (*STANDARD_MACROS, *OPTIONAL_MACROS)).root) == tree


def test_a_call_with_another_count_of_arguments_is_no_macro() -> None:
    assert written(parse("x.all(y)").root) == "x@0.all(y@6)@5"


def test_what_was_written_is_kept() -> None:
    tree = parse("has(a.b)")
    assert written(tree.macros[tree.root.id]) == "has(a@4.b@5)@3"


def test_ids_are_unique_though_a_target_is_copied() -> None:
    tree = parse("[1, x{a: {2: y[3]}}].optMap(a, b)", OPTIONAL_MACROS)
    seen: list[int] = []

    def visit(node: object) -> None:
        if isinstance(node, tuple):
            for part in node:
                visit(part)
        elif hasattr(node, "id"):
            seen.append(node.id)
            for name in ("arguments", "target", "elements", "entries", "fields", "key", "value", "range"):
                visit(getattr(node, name, None))
            for name in ("start", "condition", "step", "result", "operand"):
                visit(getattr(node, name, None))

    visit(tree.root)
    assert len(seen) == len(set(seen)) > 20


def test_copies_of_copies_come_to_an_end() -> None:
    with pytest.raises(ExpressionError, match="expands to more than 50000 nodes"):
        parse("x" + ".optMap(y, y)" * 40, OPTIONAL_MACROS)
