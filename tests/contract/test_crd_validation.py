"""validation: which values a schema refuses, and in which words."""

from typing import Any

import pytest

from contract import Object
from contract_crd import (
    INT_OR_STRING,
    Definitions,
    array,
    boolean,
    integer,
    invalid,
    mapping,
    needs,
    number,
    obj,
    spec,
    string,
)


def typed(got: str, want: str, field: str = "spec.f") -> str:
    """The complaint about a value of a wrong type."""
    return f'{field}: Invalid value: "{got}": {field} in body must be of type {want}: "{got}"'


@pytest.mark.parametrize(
    ("schema", "value", "got"),
    [
        (boolean(), "true", "string"),
        (boolean(), 1, "integer"),
        (integer(), "1", "string"),
        (integer(), True, "boolean"),
        (number(), "1.5", "string"),
        (string(), 1, "integer"),
        (string(), 1.5, "number"),
        (string(), True, "boolean"),
        (array(integer()), {}, "object"),
        (array(integer()), "x", "string"),
        (obj(), [], "array"),
        (obj(), "x", "string"),
        (mapping(integer()), [], "array"),
    ],
    ids=lambda value: str(value.get("type")) if isinstance(value, dict) else repr(value),
)
async def test_nothing_is_converted_to_the_type_that_is_wanted(
    crds: Definitions, schema: Object, value: Any, got: str
) -> None:
    widgets = await crds.serve(spec(f=schema))

    reply = await widgets.create("a", spec={"f": value})

    assert invalid(reply) == {typed(got, schema["type"])}
    assert reply.body["details"]["causes"][0]["reason"] == "FieldValueTypeInvalid"


@pytest.mark.parametrize(
    ("schema", "good", "bad", "message"),
    [
        pytest.param(
            string(enum=["a", "b"]), "a", "c", 'Unsupported value: "c": supported values: "a", "b"', id="enum"
        ),
        pytest.param(
            integer(enum=[1, 2]),
            1,
            3,
            'Unsupported value: 3: supported values: "1", "2"',
            id="enum-of-integers",
        ),
        pytest.param(
            integer(minimum=3),
            3,
            2,
            "Invalid value: 2: {} should be greater than or equal to 3",
            id="minimum",
        ),
        pytest.param(
            number(maximum=3),
            3,
            3.5,
            "Invalid value: 3.5: {} should be less than or equal to 3",
            id="maximum",
        ),
        pytest.param(
            integer(minimum=3, exclusiveMinimum=True),
            4,
            3,
            "Invalid value: 3: {} should be greater than 3",
            id="exclusive-minimum",
        ),
        pytest.param(
            number(maximum=3, exclusiveMaximum=True),
            2.9,
            3,
            "Invalid value: 3: {} should be less than 3",
            id="exclusive-maximum",
        ),
        pytest.param(
            integer(multipleOf=3), 0, 4, "Invalid value: 4: {} should be a multiple of 3", id="multiple-of"
        ),
        pytest.param(
            number(multipleOf=0.1),
            0.3,
            0.35,
            "Invalid value: 0.35: {} should be a multiple of 0.1",
            id="multiple-of-a-fraction",
        ),
        pytest.param(
            string(minLength=2),
            "éé",
            "é",
            'Invalid value: "é": {} should be at least 2 chars long',
            id="min-length",
        ),
        pytest.param(
            string(maxLength=3), "😀😀😀", "abcd", "Too long: may not be more than 3 bytes", id="max-length"
        ),
        pytest.param(
            array(integer(), minItems=2),
            [1, 2],
            [1],
            "Invalid value: 1: {} should have at least 2 items",
            id="min-items",
        ),
        pytest.param(
            array(integer(), maxItems=2),
            [1, 2],
            [1, 2, 3],
            "Too many: 3: must have at most 2 items",
            id="max-items",
        ),
        pytest.param(
            mapping(integer(), minProperties=2),
            {"a": 1, "b": 2},
            {"a": 1},
            "Invalid value: 1: {} should have at least 2 properties",
            id="min-properties",
        ),
        pytest.param(
            mapping(integer(), maxProperties=1),
            {"a": 1},
            {"a": 1, "b": 2},
            "Too many: 2: must have at most 1 item",
            id="max-properties",
        ),
        pytest.param(
            string(nullable=True, enum=["a"]),
            "a",
            None,
            'Unsupported value: null: supported values: "a"',
            id="null-is-not-in-the-enum",
        ),
    ],
)
async def test_a_value_beyond_a_limit_is_refused(
    crds: Definitions, *, schema: Object, good: Any, bad: Any, message: str
) -> None:
    widgets = await crds.serve(spec(f=schema))

    assert (await widgets.create("good", spec={"f": good})).ok()["spec"] == {"f": good}
    assert invalid(await widgets.create("bad", spec={"f": bad})) == {
        f"spec.f: {message.format('spec.f in body')}"
    }


@pytest.mark.parametrize(
    ("schema", "value", "complaints"),
    [
        pytest.param(obj(a=integer()) | needs("a"), {}, {"spec.f.a: Required value"}, id="in-an-object"),
        pytest.param(
            array(obj(a=integer()) | needs("a")),
            [{"a": 1}, {}],
            {"spec.f[1].a: Required value"},
            id="in-a-list",
        ),
        pytest.param(
            mapping(obj(a=integer()) | needs("a")),
            {"k": {}, "x.y/z": {}},
            {"spec.f.k.a: Required value", "spec.f.x.y/z.a: Required value"},
            id="in-a-map",
        ),
        pytest.param(
            obj(a=integer()) | needs("a", "b"),
            {"b": 1},
            {"spec.f.a: Required value", "spec.f.b: Required value"},
            id="pruned-before-it-is-asked-for",
        ),
    ],
)
async def test_a_required_field_is_asked_for_where_it_is_missing(
    crds: Definitions, schema: Object, value: Any, complaints: set[str]
) -> None:
    widgets = await crds.serve(spec(f=schema))

    assert invalid(await widgets.create("a", spec={"f": value})) == complaints


@pytest.mark.parametrize(
    ("schema", "good", "bad", "complaints"),
    [
        pytest.param(
            {"oneOf": [needs("a"), needs("b")]},
            {"b": 1},
            {"a": 1, "b": 1},
            {
                (
                    '<nil>: Invalid value: "": "spec.f" must validate one and only one schema (oneOf). '
                    "Found 2 valid alternatives"
                )
            },
            id="one-of-two",
        ),
        pytest.param(
            {"oneOf": [needs("a"), needs("b")]},
            {"b": 1},
            {},
            {
                '<nil>: Invalid value: "": "spec.f" must validate one and only one schema (oneOf). Found none valid',
                "spec.f.a: Required value",
            },
            id="one-of-none",
        ),
        pytest.param(
            {"anyOf": [needs("a"), needs("b")]},
            {"a": 1, "b": 1},
            {},
            {
                '<nil>: Invalid value: "": "spec.f" must validate at least one schema (anyOf)',
                "spec.f.a: Required value",
            },
            id="any-of",
        ),
        pytest.param(
            {"allOf": [{"properties": {"a": {"minimum": 2}}}, {"properties": {"a": {"maximum": 5}}}]},
            {"a": 3},
            {"a": 9},
            {
                '<nil>: Invalid value: "": "spec.f" must validate all the schemas (allOf)',
                "spec.f.a: Invalid value: 9: spec.f.a in body should be less than or equal to 5",
            },
            id="all-of",
        ),
        pytest.param(
            {"not": needs("a", "b")},
            {"a": 1},
            {"a": 1, "b": 1},
            {'<nil>: Invalid value: "": "spec.f" must not validate the schema (not)'},
            id="not",
        ),
    ],
)
async def test_conditions_are_joined(
    crds: Definitions, *, schema: Object, good: Object, bad: Object, complaints: set[str]
) -> None:
    widgets = await crds.serve(spec(f=obj(a=integer(), b=integer()) | schema))

    assert (await widgets.create("good", spec={"f": good})).status == 201
    assert invalid(await widgets.create("bad", spec={"f": bad})) == complaints


async def test_int_or_string_takes_both_and_nothing_else(crds: Definitions) -> None:
    widgets = await crds.serve(spec(f=INT_OR_STRING | {"pattern": "^[0-9]+%$"}))

    assert (await widgets.create("number", spec={"f": 5})).ok()["spec"] == {"f": 5}
    assert (await widgets.create("text", spec={"f": "5%"})).ok()["spec"] == {"f": "5%"}
    assert invalid(await widgets.create("a", spec={"f": "5"})) == {
        "spec.f: Invalid value: \"5\": spec.f in body should match '^[0-9]+%$'"
    }
    assert invalid(await widgets.create("b", spec={"f": 1.5})) == {typed("number", "integer,string")}


async def test_every_invalid_field_is_named_at_once(crds: Definitions) -> None:
    widgets = await crds.serve(spec(a=integer(), b=string(), list=array(integer()), map=mapping(integer())))

    reply = await widgets.create("a", spec={"a": "x", "b": 1, "list": [1, "x"], "map": {"k": "x"}})

    assert invalid(reply) == {
        typed("string", "integer", "spec.a"),
        typed("integer", "string", "spec.b"),
        typed("string", "integer", "spec.list[1]"),
        typed("string", "integer", "spec.map.k"),
    }
    assert reply.body["message"].startswith(f'Widget.{crds.group} "a" is invalid: [')


async def test_a_spec_that_is_no_object_is_refused(crds: Definitions) -> None:
    widgets = await crds.serve(spec())

    assert invalid(await widgets.create("a", spec="x")) == {typed("string", "object", "spec")}
