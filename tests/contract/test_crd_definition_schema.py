"""custom resource definitions: which schemas are refused, with which words, at which field."""

import pytest

from contract import Object
from contract_crd import (
    EMBEDDED,
    INT_OR_STRING,
    PRESERVE,
    Definitions,
    array,
    definition,
    integer,
    invalid,
    mapping,
    needs,
    obj,
    rules,
    spec,
    string,
    version,
)

ROOT = "spec.validation.openAPIV3Schema"
FIELD_TYPE = "Required value: must not be empty for specified object fields"
TYPES = 'supported values: "array", "boolean", "integer", "number", "object", "string"'
EITHER: Object = {"anyOf": [{"type": "integer"}, {"type": "string"}]}


@pytest.mark.parametrize(
    ("schema", "field", "message"),
    [
        pytest.param({"description": "anything"}, ".type", FIELD_TYPE, id="no-type"),
        pytest.param({"type": "array"}, ".items", "Required value: must be specified", id="no-items"),
        pytest.param(
            {"type": "array", "items": []}, ".items", "Required value: must be specified", id="no-item"
        ),
        pytest.param(
            array({}),
            ".items.type",
            "Required value: must not be empty for specified array items",
            id="untyped-items",
        ),
        pytest.param(
            {"type": "array", "items": [string()]},
            ".items",
            "Forbidden: items must be a schema object and not an array",
            id="tuple-items",
        ),
        pytest.param({"type": "float"}, ".type", f'Unsupported value: "float": {TYPES}', id="unknown-type"),
        pytest.param(
            obj(a=string()) | {"additionalProperties": string()},
            ".additionalProperties",
            "Forbidden: additionalProperties and properties are mutual exclusive",
            id="properties-and-additional-properties",
        ),
        pytest.param(
            obj(a=string()) | {"additionalProperties": False},
            ".additionalProperties",
            "Forbidden: additionalProperties and properties are mutual exclusive",
            id="closed-object",
        ),
        pytest.param(
            {"$ref": "#/definitions/x"}, ".$ref", "Forbidden: $ref is not supported", id="reference"
        ),
        pytest.param(
            obj() | {"patternProperties": {"a": string()}},
            ".patternProperties",
            "Forbidden: patternProperties is not supported",
            id="pattern-properties",
        ),
        pytest.param(
            array(string(), uniqueItems=True),
            ".uniqueItems",
            "Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
            id="unique-items",
        ),
        pytest.param(
            obj(a=string()) | {"anyOf": [{"type": "object"}]},
            ".anyOf[0].type",
            "Forbidden: must be empty to be structural",
            id="type-in-any-of",
        ),
        pytest.param(
            obj(a=string()) | {"oneOf": [{"properties": {"a": {"default": "x"}}}]},
            ".oneOf[0].properties[a].default",
            "Forbidden: must be undefined to be structural",
            id="default-in-one-of",
        ),
        pytest.param(
            obj(a=string()) | {"not": {"nullable": True}},
            ".not.nullable",
            "Forbidden: must be false to be structural",
            id="nullable-in-not",
        ),
        pytest.param(
            obj(a=string()) | {"allOf": [rules("true")]},
            ".allOf[0].x-kubernetes-validations",
            "Forbidden: must be empty to be structural",
            id="rule-in-all-of",
        ),
        pytest.param(
            obj() | {"x-kubernetes-preserve-unknown-fields": False},
            ".x-kubernetes-preserve-unknown-fields",
            "Invalid value: false: must be true or undefined",
            id="preserve-unknown-fields-false",
        ),
        pytest.param(
            INT_OR_STRING | PRESERVE,
            ".x-kubernetes-preserve-unknown-fields",
            "Invalid value: true: must be false if x-kubernetes-int-or-string is true",
            id="int-or-string-of-anything",
        ),
        pytest.param(EITHER, ".type", FIELD_TYPE, id="either-type-without-int-or-string"),
        pytest.param(
            PRESERVE | EMBEDDED,
            ".type",
            "Required value: must be object if x-kubernetes-embedded-resource is true",
            id="untyped-embedded-resource",
        ),
        pytest.param(
            {"type": "object"} | EMBEDDED,
            ".properties",
            "Required value: must not be empty if x-kubernetes-embedded-resource is true without "
            "x-kubernetes-preserve-unknown-fields",
            id="embedded-resource-of-nothing",
        ),
    ],
)
async def test_a_schema_that_is_not_structural_is_refused(
    crds: Definitions, schema: Object, field: str, message: str
) -> None:
    assert await crds.refuse(spec(a=schema)) == {
        f"{ROOT}.properties[spec].properties[a]{field}: {message}",
    }


@pytest.mark.parametrize(
    ("schema", "field", "message"),
    [
        pytest.param(
            {"properties": {}}, ".type", "Required value: must not be empty at the root", id="no-type"
        ),
        pytest.param(
            {"type": "string"}, ".type", 'Invalid value: "string": must be object at the root', id="string"
        ),
        pytest.param(
            mapping(string()), ".additionalProperties", "Forbidden: must not be used at the root", id="map"
        ),
        pytest.param(
            obj() | {"nullable": True},
            ".nullable",
            "Forbidden: nullable cannot be true at the root",
            id="null",
        ),
        pytest.param(
            obj(metadata=obj(labels=mapping(string()))),
            ".properties[metadata]",
            "Forbidden: must not specify anything other than name and generateName, "
            "but metadata is implicitly specified",
            id="metadata-labels",
        ),
        pytest.param(
            obj(metadata=string()),
            ".properties[metadata].type",
            'Invalid value: "string": must be object',
            id="metadata-string",
        ),
        pytest.param(
            obj(metadata=obj(name=string(default="x"))),
            ".properties[metadata].properties[name].default",
            "Forbidden: must not be set in top-level metadata",
            id="default-name",
        ),
        pytest.param(
            obj(kind=string(default="x")),
            ".properties[kind].default",
            "Forbidden: must not be set in top-level kind",
            id="default-kind",
        ),
        pytest.param(
            obj(apiVersion=integer()),
            ".properties[apiVersion].type",
            'Invalid value: "integer": must be string',
            id="api-version-integer",
        ),
    ],
)
async def test_the_root_of_a_schema_is_an_object_with_metadata(
    crds: Definitions, schema: Object, field: str, message: str
) -> None:
    assert await crds.refuse(schema) == {f"{ROOT}{field}: {message}"}


@pytest.mark.parametrize(
    ("schema", "field", "message"),
    [
        pytest.param(
            integer(default="x"),
            ".default",
            'Invalid value: "string":  in body must be of type integer: "string"',
            id="wrong-type",
        ),
        pytest.param(
            obj(b=integer(minimum=3)) | {"default": {"b": 1}},
            ".default.b",
            "Invalid value: 1: b in body should be greater than or equal to 3",
            id="too-small-inside",
        ),
        pytest.param(
            string(enum=["x"], default="y"),
            ".default",
            'Unsupported value: "y": supported values: "x"',
            id="not-in-enum",
        ),
        pytest.param(
            array(string(), maxItems=-1, default=[]),
            ".default",
            "Too many: 0: has too many items",
            id="more-than-fewer-than-none",
        ),
        pytest.param(
            obj(b=integer()) | {"default": {"c": 1}},
            ".default",
            'Invalid value: {"c":1}: must not have unknown fields',
            id="unknown-field",
        ),
        pytest.param(
            obj(b=integer(default=1)) | needs("b") | {"default": {}},
            ".default.b",
            "Required value",
            id="required-field-that-only-its-own-default-would-fill",
        ),
        pytest.param(
            string(default="y") | rules("self == 'x'"),
            ".default",
            "Invalid value: \"y\": failed rule: self == 'x'",
            id="against-a-rule",
        ),
    ],
)
async def test_a_default_that_its_own_schema_refuses_is_refused(
    crds: Definitions, schema: Object, field: str, message: str
) -> None:
    assert await crds.refuse(spec(a=schema)) == {
        f"{ROOT}.properties[spec].properties[a]{field}: {message}",
    }


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param(PRESERVE, id="anything-without-a-type"),
        pytest.param(INT_OR_STRING, id="int-or-string"),
        pytest.param(INT_OR_STRING | EITHER, id="int-or-string-spelt-out"),
        pytest.param(
            INT_OR_STRING | {"allOf": [EITHER, {"pattern": "^1"}]}, id="int-or-string-with-more-conditions"
        ),
        pytest.param(mapping({}) | {"additionalProperties": True}, id="any-additional-properties"),
        pytest.param({"type": "object"} | EMBEDDED | PRESERVE, id="embedded-resource"),
        pytest.param(obj(a=string()) | {"oneOf": [needs("a"), {"not": needs("a")}]}, id="one-of-required"),
    ],
)
async def test_a_structural_schema_is_taken_as_it_is(crds: Definitions, schema: Object) -> None:
    crd = (await crds.create(crds.new(spec(a=schema)))).ok()

    stored = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    assert stored["properties"]["spec"]["properties"]["a"] == schema


async def test_a_null_default_is_no_default(crds: Definitions) -> None:
    crd = (await crds.create(crds.new(spec(a=string(default=None, nullable=True))))).ok()

    stored = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    assert stored["properties"]["spec"]["properties"]["a"] == {"type": "string", "nullable": True}


async def test_int_or_string_is_spelt_with_the_integer_first(crds: Definitions) -> None:
    schema = INT_OR_STRING | {"anyOf": EITHER["anyOf"][::-1]}

    assert await crds.refuse(spec(a=schema)) == {
        f"{ROOT}.properties[spec].properties[a].anyOf[{index}].type: Forbidden: must be empty to be structural"
        for index in (0, 1)
    }


async def test_every_fault_of_a_schema_is_named_at_once(crds: Definitions) -> None:
    assert await crds.refuse(obj(spec={"properties": {"a": {}, "b": {"type": "array"}}})) == {
        f"{ROOT}.properties[spec].type: {FIELD_TYPE}",
        f"{ROOT}.properties[spec].properties[a].type: {FIELD_TYPE}",
        f"{ROOT}.properties[spec].properties[b].items: Required value: must be specified",
    }


async def test_a_fault_in_one_of_several_schemas_is_named_with_its_version(crds: Definitions) -> None:
    versions = [version("v1", spec(a=string())), version("v2", spec(a={}), storage=False)]

    assert invalid(await crds.create(definition(crds.group, *versions))) == {
        f"spec.versions[1].schema.openAPIV3Schema.properties[spec].properties[a].type: {FIELD_TYPE}"
    }


async def test_conditions_at_the_root_of_a_kind_with_status_are_few(crds: Definitions) -> None:
    schema = obj(spec=obj()) | needs("spec")

    assert (await crds.create(crds.new(schema, subresources={"status": {}}))).status == 201

    reply = await crds.create(crds.new(schema | {"maxProperties": 7}, subresources={"status": {}}))
    reply.refused(422, "Invalid")
    assert reply.fields == [ROOT]
    assert (
        " fields are allowed at the root of the schema if the status subresource is enabled"
        in (reply.body["message"])
    )
