from __future__ import annotations

from typing import Any

import pytest

from schemas import INTEGER, STRING, Schema, judged, needs, obj

A_AND_B = obj(a=INTEGER, b=INTEGER)


def condition(text: str) -> str:
    return f'<nil>: Invalid value: "": "spec.f" must {text}'


@pytest.mark.parametrize(
    ("schema", "value", "faults"),
    [
        pytest.param({"oneOf": [needs("a"), needs("b")]}, {"b": 1}, [], id="one-of"),
        pytest.param(
            {"oneOf": [needs("a"), needs("b")]},
            {"a": 1, "b": 1},
            [condition("validate one and only one schema (oneOf). Found 2 valid alternatives")],
            id="two-of",
        ),
        pytest.param(
            {"oneOf": [needs("a"), needs("b")]},
            {},
            [
                condition("validate one and only one schema (oneOf). Found none valid"),
                "spec.f.a: Required value",
            ],
            id="none-of",
        ),
        pytest.param({"anyOf": [needs("a"), needs("b")]}, {"a": 1, "b": 1}, [], id="any-of"),
        pytest.param(
            {"anyOf": [needs("a"), needs("b")]},
            {},
            [condition("validate at least one schema (anyOf)"), "spec.f.a: Required value"],
            id="not-any-of",
        ),
        pytest.param(
            {"allOf": [{"minProperties": 2}, {"maxProperties": 5}]},
            {"a": 1},
            [
                "spec.f: Invalid value: 1: spec.f in body should have at least 2 properties",
                condition("validate all the schemas (allOf)"),
            ],
            id="not-all-of",
        ),
        pytest.param(
            {"allOf": [needs("a"), needs("b")]},
            {},
            [
                "spec.f.a: Required value",
                "spec.f.b: Required value",
                condition("validate all the schemas (allOf). None validated"),
            ],
            id="none-of-all",
        ),
        pytest.param({"not": needs("a", "b")}, {"a": 1}, [], id="not"),
        pytest.param(
            {"not": needs("a")}, {"a": 1}, [condition("not validate the schema (not)")], id="yet-it-does"
        ),
    ],
)
def test_conditions_are_joined(schema: Schema, value: Any, faults: list[str]) -> None:
    assert judged(A_AND_B | schema, value) == faults


def test_the_alternative_of_which_most_was_checked_is_explained() -> None:
    shallow = needs("x")
    deep = {"properties": {"a": {"minimum": 5}, "b": {"minimum": 5}}}

    found = judged(A_AND_B | {"anyOf": [shallow, deep]}, {"a": 1, "b": 9})

    assert found == [
        condition("validate at least one schema (anyOf)"),
        "spec.f.a: Invalid value: 1: spec.f.a in body should be greater than or equal to 5",
    ]


def test_a_complaint_that_is_made_twice_is_told_once() -> None:
    limit = {"maxLength": 1}

    assert judged(STRING | limit | {"allOf": [limit]}, "abc") == [
        "spec.f: Too long: may not be more than 1 byte",
        condition("validate all the schemas (allOf). None validated"),
    ]


def test_conditions_do_not_hold_for_null() -> None:
    assert judged(STRING | {"nullable": True, "not": {}}, None) == []


def test_deeply_nested_alternatives_are_explained_in_reasonable_time() -> None:
    schema: Schema = {"minimum": 5}
    for _ in range(40):
        schema = {"anyOf": [schema, {"maximum": -5}]}

    assert "spec.f: Invalid value: 1: spec.f in body should be greater than or equal to 5" in judged(
        INTEGER | schema, 1
    )
