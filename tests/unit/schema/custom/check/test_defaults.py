from __future__ import annotations

import pytest

from schemas import (
    EMBEDDED,
    INT_OR_STRING,
    INTEGER,
    METADATA,
    PRESERVE,
    STRING,
    Schema,
    array,
    checked_field,
    mapping,
    needs,
    obj,
)
from windlass.schema.custom import check_schema

ANY: Schema = {"type": "object"} | EMBEDDED | PRESERVE


@pytest.mark.parametrize(
    ("schema", "faults"),
    [
        pytest.param(
            INTEGER | {"default": "x"},
            ['.default: Invalid value: "string":  in body must be of type integer: "string"'],
            id="wrong-type",
        ),
        pytest.param(
            obj(b=INTEGER | {"minimum": 3}) | {"default": {"b": 1}},
            [".default.b: Invalid value: 1: b in body should be greater than or equal to 3"],
            id="too-small-inside",
        ),
        pytest.param(
            mapping(INTEGER) | {"default": {"k": "x"}},
            ['.default.k: Invalid value: "string": .k in body must be of type integer: "string"'],
            id="in-a-map",
        ),
        pytest.param(
            array(INTEGER) | {"default": ["x"]},
            ['.default.[0]: Invalid value: "string": [0] in body must be of type integer: "string"'],
            id="in-a-list",
        ),
        pytest.param(
            STRING | {"enum": ["x"], "default": "y"},
            ['.default: Unsupported value: "y": supported values: "x"'],
            id="not-in-enum",
        ),
        pytest.param(
            obj(b=INTEGER) | {"default": {"c": 1}},
            ['.default: Invalid value: {"c":1}: must not have unknown fields'],
            id="unknown-field",
        ),
        pytest.param(
            obj(b=INTEGER | {"default": 1}) | needs("b") | {"default": {}},
            [".default.b: Required value"],
            id="required-field-that-only-its-own-default-would-fill",
        ),
        pytest.param(
            STRING | {"default": "x", "not": {}},
            ['.default: Invalid value: "": "" must not validate the schema (not)'],
            id="condition",
        ),
        pytest.param(
            array(INTEGER | {"default": "x"}),
            ['.items.default: Invalid value: "string":  in body must be of type integer: "string"'],
            id="default-of-items",
        ),
        pytest.param(mapping(INTEGER | {"default": "x"}), [], id="defaults-below-a-map-are-not-checked"),
        pytest.param(INT_OR_STRING | {"default": True}, [], id="int-or-string-takes-anything-as-a-default"),
        pytest.param(
            ANY | {"default": {"kind": "Pod"}},
            [".default.apiVersion: Required value"],
            id="embedded-without-type",
        ),
        pytest.param(
            ANY | {"default": {"apiVersion": 1, "kind": "Pod"}},
            [".default.apiVersion: Invalid value: 1: must be a string"],
            id="embedded-with-a-malformed-type",
        ),
        pytest.param(
            ANY | {"properties": {"metadata": {"type": "object", "default": {"labels": {"long": "x"}}}}},
            [
                (
                    '.properties[metadata].default: Invalid value: {"labels":{"long":"x"}}: must result in valid '
                    'metadata: metadata.labels: Invalid value: "long": too long'
                )
            ],
            id="metadata-of-an-embedded-object",
        ),
        pytest.param(
            ANY | {"properties": {"metadata": obj(name=STRING | {"default": "x"})}},
            [],
            id="name-of-an-embedded-object",
        ),
    ],
)
def test_a_default_that_its_own_schema_refuses_is_refused(schema: Schema, faults: list[str]) -> None:
    assert checked_field(schema) == faults


def test_a_check_leaves_the_schema_as_it_was() -> None:
    default = {"apiVersion": "v1", "kind": "Pod", "metadata": {"colour": "red"}}
    schema = obj(spec=ANY | {"default": default})

    assert check_schema(schema, "root", METADATA) == []
    assert default["metadata"] == {"colour": "red"}
