from __future__ import annotations

import pytest

from schemas import (
    EMBEDDED,
    INT_OR_STRING,
    INTEGER,
    PRESERVE,
    STRING,
    Schema,
    array,
    checked,
    checked_field,
    mapping,
    needs,
    obj,
)

FIELD_TYPE = ".type: Required value: must not be empty for specified object fields"
EITHER: Schema = {"anyOf": [INTEGER, STRING]}


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        pytest.param({"description": "anything"}, FIELD_TYPE, id="no-type"),
        pytest.param({"type": "array"}, ".items: Required value: must be specified", id="no-items"),
        pytest.param(
            array({}), ".items.type: Required value: must not be empty for specified array items", id="items"
        ),
        pytest.param(mapping({}), ".additionalProperties" + FIELD_TYPE, id="untyped-values-of-a-map"),
        pytest.param(
            obj(a=STRING) | {"anyOf": [{"type": "object"}]},
            ".anyOf[0].type: Forbidden: must be empty to be structural",
            id="type-in-any-of",
        ),
        pytest.param(
            obj(a=STRING) | {"oneOf": [{"properties": {"a": {"default": False}}}]},
            ".oneOf[0].properties[a].default: Forbidden: must be undefined to be structural",
            id="default-in-one-of",
        ),
        pytest.param(
            array(STRING) | {"not": {"items": {"nullable": True}}},
            ".not.items.nullable: Forbidden: must be false to be structural",
            id="nullable-in-not",
        ),
        pytest.param(
            obj(a=STRING) | {"allOf": [{"x-kubernetes-validations": [{"rule": "true"}]}]},
            ".allOf[0].x-kubernetes-validations: Forbidden: must be empty to be structural",
            id="rule-in-all-of",
        ),
        pytest.param(
            obj() | {"allOf": [{"additionalProperties": {}}]},
            ".allOf[0].additionalProperties: Forbidden: must be undefined to be structural",
            id="values-in-all-of",
        ),
        pytest.param(
            obj(metadata=obj()) | {"not": {"properties": {"metadata": {}}}},
            ".not.properties[metadata]: Forbidden: must not be specified in a nested context",
            id="metadata-in-not",
        ),
        pytest.param(
            INT_OR_STRING | PRESERVE,
            ".x-kubernetes-preserve-unknown-fields: Invalid value: true: "
            "must be false if x-kubernetes-int-or-string is true",
            id="int-or-string-of-anything",
        ),
        pytest.param(EITHER, FIELD_TYPE, id="either-type-without-int-or-string"),
        pytest.param(
            PRESERVE | EMBEDDED,
            ".type: Required value: must be object if x-kubernetes-embedded-resource is true",
            id="untyped-embedded-resource",
        ),
        pytest.param(
            STRING | EMBEDDED | PRESERVE,
            '.type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true',
            id="embedded-text",
        ),
        pytest.param(
            {"type": "object"} | EMBEDDED,
            ".properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without "
            "x-kubernetes-preserve-unknown-fields",
            id="embedded-resource-of-nothing",
        ),
        pytest.param(
            obj(kind=INTEGER) | EMBEDDED,
            '.properties[kind].type: Invalid value: "integer": must be string',
            id="embedded-kind",
        ),
        pytest.param(
            STRING | {"pattern": "("},
            '.pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: '
            "error parsing regexp: missing closing ): `(`",
            id="pattern",
        ),
        pytest.param(
            STRING | {"anyOf": [{"pattern": "a**"}]},
            '.anyOf[0].pattern: Invalid value: "a**": must be a valid regular expression, but isn\'t: '
            "error parsing regexp: invalid nested repetition operator: `**`",
            id="pattern-in-any-of",
        ),
    ],
)
def test_a_schema_that_is_not_structural_is_refused(schema: Schema, fault: str) -> None:
    assert checked_field(schema) == [fault]


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"properties": {}}, "root.type: Required value: must not be empty at the root"),
        (STRING, 'root.type: Invalid value: "string": must be object at the root'),
        (mapping(STRING), "root.additionalProperties: Forbidden: must not be used at the root"),
        (
            obj(metadata=STRING),
            'root.properties[metadata].type: Invalid value: "string": must be object',
        ),
        (
            obj(apiVersion=INTEGER),
            'root.properties[apiVersion].type: Invalid value: "integer": must be string',
        ),
        (
            obj(a=STRING) | {"anyOf": [{"properties": {"b": {"minLength": 1}}}]},
            "root.properties[b]: Required value: because it is defined in root.anyOf[0].properties[b]",
        ),
        (
            obj() | {"not": {"items": {"minLength": 1}}},
            "root.items: Required value: because it is defined in root.not.items",
        ),
    ],
)
def test_the_root_of_a_schema_is_an_object(schema: Schema, fault: str) -> None:
    assert checked(schema) == [fault]


@pytest.mark.parametrize(
    "metadata",
    [
        obj(labels=mapping(STRING)),
        obj() | {"description": "x"},
        obj() | {"maxProperties": 0},
        obj(name=STRING, generateName=STRING, labels=mapping(STRING)),
    ],
)
def test_metadata_at_the_root_says_nothing_but_names(metadata: Schema) -> None:
    assert checked(obj(metadata=metadata)) == [
        (
            "root.properties[metadata]: Forbidden: must not specify anything other than name and generateName, "
            "but metadata is implicitly specified"
        )
    ]


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param(PRESERVE, id="anything-without-a-type"),
        pytest.param(INT_OR_STRING, id="int-or-string"),
        pytest.param(INT_OR_STRING | EITHER, id="int-or-string-spelt-out"),
        pytest.param(INT_OR_STRING | {"allOf": [EITHER, {"pattern": "^1"}]}, id="spelt-out-with-more"),
        pytest.param({"type": "object", "additionalProperties": True}, id="any-additional-properties"),
        pytest.param({"type": "object"} | EMBEDDED | PRESERVE, id="embedded-resource"),
        pytest.param(obj(a=STRING) | {"oneOf": [needs("a"), {"not": needs("a")}]}, id="one-of-required"),
        pytest.param(obj(a=STRING) | {"anyOf": [{"properties": {"b": {}}}]}, id="conditions-below-the-root"),
    ],
)
def test_a_structural_schema_is_taken(schema: Schema) -> None:
    assert checked_field(schema) == []


def test_the_integer_comes_first_in_int_or_string() -> None:
    assert checked_field(INT_OR_STRING | {"anyOf": EITHER["anyOf"][::-1]}) == [
        f".anyOf[{index}].type: Forbidden: must be empty to be structural" for index in (0, 1)
    ]


def test_every_fault_of_a_schema_is_named_in_the_order_of_the_messages() -> None:
    assert checked(obj(spec={"properties": {"b": {"type": "array"}, "a": {}}})) == [
        f"root.properties[spec].properties[a]{FIELD_TYPE}",
        "root.properties[spec].properties[b].items: Required value: must be specified",
        f"root.properties[spec]{FIELD_TYPE}",
    ]


@pytest.mark.parametrize("names", [("name",), ("generateName",), ("name", "generateName")])
def test_names_in_metadata_may_be_restricted(names: tuple[str, ...]) -> None:
    assert checked(obj(metadata=obj(**{name: STRING | {"maxLength": 3} for name in names}))) == []
