from __future__ import annotations

from typing import Any

import pytest

from schemas import EMBEDDED, PRESERVE, STRING, Schema, array, checked, checked_field, mapping, obj

TYPES = 'supported values: "array", "boolean", "integer", "number", "object", "string"'


@pytest.mark.parametrize(
    ("schema", "faults"),
    [
        pytest.param({"type": "float"}, [f'.type: Unsupported value: "float": {TYPES}'], id="type"),
        pytest.param(
            {"type": "null"},
            [
                f'.type: Unsupported value: "null": {TYPES}',
                ".type: Forbidden: type cannot be set to null, use nullable as an alternative",
            ],
            id="null",
        ),
        pytest.param(
            {"type": "array", "items": [STRING]},
            [".items: Forbidden: items must be a schema object and not an array"],
            id="tuple-items",
        ),
        pytest.param(
            obj(a=STRING) | {"additionalProperties": False},
            [".additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive"],
            id="closed-object",
        ),
        pytest.param(obj(a=STRING) | {"additionalProperties": True}, [], id="open-object"),
        pytest.param(
            array(STRING, uniqueItems=True),
            [
                (
                    ".uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity "
                    "becomes quadratic"
                )
            ],
            id="unique-items",
        ),
        pytest.param(
            obj() | {"x-kubernetes-preserve-unknown-fields": False},
            [".x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined"],
            id="preserve-unknown-fields-false",
        ),
        pytest.param(
            obj(metadata={"type": "object"} | EMBEDDED | PRESERVE) | EMBEDDED,
            [
                (
                    ".properties[metadata].x-kubernetes-embedded-resource: "
                    "Forbidden: must not be used inside of resource meta"
                )
            ],
            id="embedded-in-metadata",
        ),
        pytest.param(
            obj(metadata=obj(labels=mapping(STRING | {"default": "x"}))) | EMBEDDED,
            [
                (
                    ".properties[metadata].properties[labels].additionalProperties.default: Forbidden: "
                    "must not be set inside additionalProperties applying to object metadata"
                )
            ],
            id="default-label",
        ),
    ],
)
def test_what_openapi_knows_and_a_definition_does_not_is_refused(schema: Schema, faults: list[str]) -> None:
    assert checked_field(schema) == faults


@pytest.mark.parametrize(
    ("keyword", "value"),
    [
        ("$ref", "#/definitions/x"),
        ("$ref", ""),
        ("id", "x"),
        ("patternProperties", {"a": STRING}),
        ("definitions", {"a": STRING}),
        ("dependencies", {"a": ["b"]}),
        ("additionalItems", False),
    ],
)
def test_some_keywords_are_not_supported(keyword: str, value: Any) -> None:
    assert checked_field(STRING | {keyword: value}) == [f".{keyword}: Forbidden: {keyword} is not supported"]


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        (
            obj(metadata=obj(name=STRING | {"default": "x"})),
            "root.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata",
        ),
        (
            obj(kind=STRING | {"default": "x"}),
            "root.properties[kind].default: Forbidden: must not be set in top-level kind",
        ),
    ],
)
def test_metadata_has_no_defaults(schema: Schema, fault: str) -> None:
    assert checked(schema) == [fault]
