from __future__ import annotations

from typing import Any

import pytest

from schemas import (
    BOOLEAN,
    INT_OR_STRING,
    INTEGER,
    NUMBER,
    PRESERVE,
    STRING,
    Schema,
    array,
    judged,
    mapping,
    needs,
    obj,
)


def typed(got: str, want: str, field: str = "spec.f") -> str:
    """The complaint about a value of a wrong type."""
    return f'{field}: Invalid value: "{got}": {field} in body must be of type {want}: "{got}"'


@pytest.mark.parametrize(
    ("schema", "value", "faults"),
    [
        (BOOLEAN, True, []),
        (BOOLEAN, "true", [typed("string", "boolean")]),
        (BOOLEAN, 1, [typed("integer", "boolean")]),
        (INTEGER, 1, []),
        (INTEGER, 1.0, []),
        (INTEGER, "1", [typed("string", "integer")]),
        (INTEGER, True, [typed("boolean", "integer")]),
        (INTEGER, None, [typed("null", "integer")]),
        (INTEGER | {"nullable": True}, None, []),
        (NUMBER, 1, []),
        (NUMBER, 1.5, []),
        (NUMBER, 2**64, []),
        (NUMBER, "1.5", [typed("string", "number")]),
        (STRING, 1.5, [typed("number", "string")]),
        (STRING, [], [typed("array", "string")]),
        (array(INTEGER), {}, [typed("object", "array")]),
        (obj(), [], [typed("array", "object")]),
        (mapping(INTEGER), "x", [typed("string", "object")]),
        (PRESERVE, {"anything": [None]}, []),
        (INT_OR_STRING, 5, []),
        (INT_OR_STRING, "5%", []),
        (INT_OR_STRING, 1.5, [typed("number", "integer,string")]),
        (STRING | {"format": "date"}, 5, [typed("int64", "date")]),
        (STRING | {"format": "date"}, 1.5, [typed("float64", "date")]),
        (STRING | {"format": "date"}, True, [typed("", "date")]),
        (STRING | {"format": "date"}, [], []),
        (STRING | {"format": "banana"}, [], [typed("array", "string")]),
        (INTEGER | {"format": "int32"}, "x", [typed("string", "integer")]),
    ],
)
def test_the_type_of_a_value_is_judged(schema: Schema, value: Any, faults: list[str]) -> None:
    assert judged(schema, value) == faults


@pytest.mark.parametrize(
    ("schema", "value", "message"),
    [
        pytest.param(
            STRING | {"enum": ["a", "b"]},
            "c",
            'Unsupported value: "c": supported values: "a", "b"',
            id="enum",
        ),
        pytest.param(
            INTEGER | {"enum": [1, 2]}, 3, 'Unsupported value: 3: supported values: "1", "2"', id="integers"
        ),
        pytest.param(
            STRING | {"nullable": True, "enum": ["a", None]},
            None,
            'Unsupported value: null: supported values: "a", "null"',
            id="null-is-in-no-enum",
        ),
        pytest.param(
            STRING | {"minLength": 2},
            "é",
            'Invalid value: "é": spec.f in body should be at least 2 chars long',
            id="min-length",
        ),
        pytest.param(
            STRING | {"maxLength": 3}, "abcd", "Too long: may not be more than 3 bytes", id="max-length"
        ),
        pytest.param(
            STRING | {"maxLength": 1, "minLength": 5, "pattern": "x"},
            "ab",
            "Too long: may not be more than 1 byte",
            id="one-complaint-about-a-text",
        ),
        pytest.param(
            STRING | {"pattern": "^a"},
            "b",
            "Invalid value: \"b\": spec.f in body should match '^a'",
            id="pattern",
        ),
        pytest.param(
            STRING | {"format": "date"},
            "b",
            'Invalid value: "b": spec.f in body must be of type date: "b"',
            id="format",
        ),
        pytest.param(
            array(INTEGER, minItems=2),
            [1],
            "Invalid value: 1: spec.f in body should have at least 2 items",
            id="min-items",
        ),
        pytest.param(
            array(INTEGER, maxItems=1), [1, 2], "Too many: 2: must have at most 1 item", id="max-items"
        ),
        pytest.param(
            array(INTEGER, uniqueItems=True),
            [1, 1],
            'Invalid value: "": spec.f in body shouldn\'t contain duplicates',
            id="unique-items",
        ),
        pytest.param(
            mapping(INTEGER, minProperties=2),
            {"a": 1},
            "Invalid value: 1: spec.f in body should have at least 2 properties",
            id="min-properties",
        ),
        pytest.param(
            mapping(INTEGER, maxProperties=1),
            {"a": 1, "b": 2},
            "Too many: 2: must have at most 1 item",
            id="max-properties",
        ),
        pytest.param(
            {"type": "object", "additionalProperties": False},
            {"a": 1},
            'Invalid value: "a": spec.f.a in body is a forbidden property',
            id="forbidden-property",
        ),
    ],
)
def test_a_value_beyond_a_limit_is_refused(schema: Schema, value: Any, message: str) -> None:
    assert judged(schema, value) == [f"spec.f: {message}"]


@pytest.mark.parametrize(
    ("enum", "value"),
    [(["a"], "a"), ([1], 1), ([1], 1.0), ([1], 1.5), ([1.5], 1.5), (["a"], 97), ([{"a": [1]}], {"a": [1]})],
)
def test_a_value_is_converted_before_it_is_looked_up(enum: list[Any], value: Any) -> None:
    assert judged(PRESERVE | {"enum": enum}, value) == []


@pytest.mark.parametrize(
    ("enum", "value"),
    [([1], True), ([True], 1), (["1"], 1), ([1], "1"), ([{"a": 1}], {"a": 1.5}), ([[]], {})],
)
def test_what_go_does_not_convert_is_not_found(enum: list[Any], value: Any) -> None:
    assert len(judged(PRESERVE | {"enum": enum}, value)) == 1


@pytest.mark.parametrize(
    ("schema", "value", "faults"),
    [
        pytest.param(obj(a=INTEGER) | needs("a"), {}, ["spec.f.a: Required value"], id="in-an-object"),
        pytest.param(
            array(obj() | needs("a")), [{"a": 1}, {}], ["spec.f[1].a: Required value"], id="in-a-list"
        ),
        pytest.param(
            mapping(obj() | needs("a")), {"x.y/z": {}}, ["spec.f.x.y/z.a: Required value"], id="in-a-map"
        ),
        pytest.param(
            obj(a=obj(b=array(INTEGER))),
            {"a": {"b": [1, "x", None]}},
            [typed("string", "integer", "spec.f.a.b[1]"), typed("null", "integer", "spec.f.a.b[2]")],
            id="deep",
        ),
    ],
)
def test_a_fault_is_named_with_its_path(schema: Schema, value: Any, faults: list[str]) -> None:
    assert judged(schema, value) == faults
