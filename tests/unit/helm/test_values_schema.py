"""Schemas of custom resources from the values of charts: strict where Helm is, and nowhere else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from windlass.api import Kind, Untyped
from windlass.cli.installer import Installer
from windlass.client import Client
from windlass.cluster import Cluster
from windlass.errors import Invalid
from windlass.helm.values_schema import schema_of_defaults, schema_of_values

OPEN = {"x-kubernetes-preserve-unknown-fields": True}
FREE = OPEN | {"nullable": True}


def chosen(choices: str, message: str) -> dict[str, Any]:
    """A rule that a value is one of these."""
    return {"x-kubernetes-validations": [{"rule": f"self in {choices}", "message": message}]}


def converted(schema: Any, **document: Any) -> dict[str, Any]:
    """The schema of a value that a chart describes so."""
    made = schema_of_values({"type": "object", "properties": {"a": schema}, **document})
    found: dict[str, Any] = made["properties"]["a"]
    return found


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        pytest.param({"type": "string"}, {"type": "string", "nullable": True}, id="null removes a default"),
        pytest.param(
            {"type": ["string", "null"], "pattern": "^a", "format": "email", "default": "a", "minLength": 1},
            {"type": "string", "nullable": True, "minLength": 1, "pattern": "^a"},
            id="format and default are left out",
        ),
        pytest.param(
            {"type": ["integer", "string"], "minimum": 1},
            {"x-kubernetes-int-or-string": True, "nullable": True},
            id="int or string",
        ),
        pytest.param({"type": ["boolean", "string"]}, FREE, id="other alternatives are left to Helm"),
        pytest.param(
            {"type": ["integer", "number"]}, {"type": "number", "nullable": True}, id="a number may be whole"
        ),
        pytest.param({"properties": {"b": {"type": "string"}}}, FREE, id="without a type anything else fits"),
        pytest.param(
            {"anyOf": [{"type": "string"}], "description": "x"}, FREE | {"description": "x"}, id="anyOf"
        ),
        pytest.param(
            {"type": "integer", "exclusiveMinimum": 0, "maximum": 9},
            {"type": "integer", "nullable": True, "minimum": 0, "exclusiveMinimum": True, "maximum": 9},
            id="an exclusive bound of newer drafts",
        ),
        pytest.param(
            {"type": "number", "minimum": 0, "exclusiveMinimum": True},
            {"type": "number", "nullable": True, "minimum": 0, "exclusiveMinimum": True},
            id="an exclusive bound of draft 4",
        ),
        pytest.param(
            {"type": "number", "minimum": 1, "exclusiveMinimum": 0},
            {"type": "number", "nullable": True, "minimum": 1},
            id="two bounds: the one that a definition can state",
        ),
        pytest.param(
            {"type": "string", "enum": ["a.b", "b", None]},
            {"type": "string", "nullable": True, **chosen('["a.b", "b"]', 'must be "a.b" or "b"')},
            id="enum",
        ),
        pytest.param(
            {"type": "string", "const": "a"},
            {"type": "string", "nullable": True, **chosen('["a"]', 'must be "a"')},
            id="const",
        ),
        pytest.param(
            {"type": "integer", "enum": [1, 2]},
            {"type": "integer", "nullable": True, **chosen("[1, 2]", "must be 1 or 2")},
            id="an enum of integers",
        ),
        pytest.param(
            {"type": "number", "enum": [1, 0.5]},
            {"type": "number", "nullable": True, **chosen("[1.0, 0.5]", "must be 1 or 0.5")},
            id="an enum of numbers",
        ),
        pytest.param(
            {"type": "boolean", "const": True},
            {"type": "boolean", "nullable": True, **chosen("[true]", "must be true")},
            id="a switch that has one state",
        ),
        pytest.param(
            {"enum": ["a", "b"]},
            {"type": "string", "nullable": True, **chosen('["a", "b"]', 'must be "a" or "b"')},
            id="choices without a type",
        ),
        pytest.param({"enum": ["a", 1]}, FREE, id="choices of several types"),
        pytest.param(
            {"type": "array", "items": {"type": "string", "enum": ["a"]}},
            {"type": "array", "nullable": True,
             "items": {"type": "string", "nullable": True, "enum": ["a"]}},
            id="choices of elements, where null removes nothing",
        ),
        pytest.param(
            {"type": "object", "additionalProperties": {"type": "string", "enum": ["a.b"]}},
            {"type": "object", "nullable": True,
             "additionalProperties": {"type": "string", "nullable": True, "pattern": r"^(?:a\.b)$"}},
            id="choices in a map, where rules would be too expensive",
        ),
        pytest.param(
            {"type": "integer", "minimum": 1, "multipleOf": 2},
            {"type": "number", "nullable": True, "minimum": 1},
            id="an integer that Helm takes beyond 2^53",
        ),
        pytest.param(
            {"type": "integer", "minimum": 0, "maximum": 10, "multipleOf": 2},
            {"type": "integer", "nullable": True, "minimum": 0, "maximum": 10, "multipleOf": 2},
            id="an integer that is bounded",
        ),
        pytest.param(
            {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "integer"}},
            {"type": "array", "nullable": True, "items": FREE},
            id="items that are only those after a prefix",
        ),
        pytest.param(
            {"type": "array", "minItems": 1, "uniqueItems": True},
            {"type": "array", "nullable": True, "minItems": 1, "items": FREE},
            id="an array without items",
        ),
        pytest.param(
            {"type": "array", "items": [{"type": "string"}]},
            {"type": "array", "nullable": True, "items": FREE},
            id="a tuple",
        ),
        pytest.param(
            {"type": "object", "required": ["b"], "minProperties": 1, "additionalProperties": False,
             "properties": {"b": {"type": "boolean"}}},
            {"type": "object", "nullable": True, "properties": {"b": {"type": "boolean", "nullable": True}}, **OPEN},
            id="defaults may have what is required, and Helm tells of unknown values",
        ),
        pytest.param(
            {"type": "object", "additionalProperties": {"type": "string"}},
            {"type": "object", "nullable": True, "additionalProperties": {"type": "string", "nullable": True}},
            id="a map",
        ),
        pytest.param(
            {"type": "object", "additionalProperties": {"type": "string"}, "patternProperties": {"^x": {}}},
            {"type": "object", "nullable": True, **FREE},
            id="a map with exceptions",
        ),
        pytest.param(True, FREE, id="anything"),
        pytest.param({"type": "integer", "minimum": "1"}, {"type": "number", "nullable": True}, id="a broken bound"),
        pytest.param({"$ref": "https://example.com/schema.json"}, FREE, id="a reference to another file"),
        pytest.param({"$ref": "#/nowhere"}, FREE, id="a reference to nothing"),
        pytest.param({"type": "null"}, FREE, id="null alone"),
    ],
)  # fmt: skip
def test_a_schema_states_what_a_definition_can(schema: Any, expected: dict[str, Any]) -> None:
    assert converted(schema) == expected


def test_references_are_followed_and_circles_end() -> None:
    port = {"type": "string"}
    again = {"again": {"$ref": "#/definitions/again"}}
    both = {name: {"$ref": "#/$defs/tree"} for name in ("left", "right")}
    tree = {"tree": {"type": "object", "properties": both}}

    assert converted({"$ref": "#/definitions/a~1b"}, definitions={"a/b": port})["type"] == "string"
    assert converted({"$ref": "#/definitions/again"}, definitions=again) == FREE
    assert converted({"$ref": "#/$defs/tree"}, **{"$defs": tree})["properties"] == {
        "left": FREE,
        "right": FREE,
    }


def test_a_schema_that_unfolds_without_end_is_left_to_helm_from_some_place_on() -> None:
    levels = {
        f"l{depth}": {"type": "object", "properties": {name: {"$ref": f"#/l{depth + 1}"} for name in "ab"}}
        for depth in range(40)
    }

    assert len(json.dumps(converted({"$ref": "#/l0"}, **levels))) < 2_000_000


def test_a_value_that_the_operator_overrides_is_not_validated() -> None:
    schema = {"type": "object", "properties": {"image": {"type": "object"}, "size": {"type": "integer"}}}

    properties = schema_of_values(schema, free=["image", "other"])["properties"]

    assert properties == {"image": FREE, "size": {"type": "number", "nullable": True}}


@pytest.mark.parametrize(
    ("path", "free"),
    [
        ("image.tag", ["image.tag"]),
        ("image", ["image"]),
        (r"image.a\.b", ["image.a.b"]),
        ("image.tags[0].name", ["image.tags"]),
        ("map.key", ["map"]),
        ("image.other", []),
    ],
)
def test_an_override_frees_its_own_path_and_nothing_else(path: str, free: list[str]) -> None:
    text = {"type": "string"}
    image = {"tag": text, "a.b": text, "tags": {"type": "array", "items": text}}
    schema = {
        "type": "object",
        "properties": {
            "image": {"type": "object", "properties": image},
            "map": {"type": "object", "additionalProperties": text},
        },
    }

    properties = schema_of_values(schema, free=[path])["properties"]

    below = {f"image.{name}": each for name, each in properties["image"].get("properties", {}).items()}
    assert [name for name, each in (properties | below).items() if "type" not in each] == free


def test_a_reference_below_an_address_of_its_own_is_not_followed() -> None:
    nested = {"type": "object", "properties": {"b": {"$ref": "#/definitions/port"}, "c": {"type": "string"}}}
    definitions = {"port": {"type": "string"}, "own": {"$id": "https://example.com/own.json", **nested}}

    there = converted(definitions["own"], definitions=definitions)["properties"]
    through = converted({"$ref": "#/definitions/own/properties/b"}, definitions=definitions)
    of_root = converted(nested, definitions=definitions, **{"$id": "https://example.com/root.json"})

    assert (there["b"], there["c"]["type"], through) == (FREE, "string", FREE)
    assert of_root["properties"]["b"]["type"] == "string"


def test_defaults_are_shown_beside_what_the_schema_says() -> None:
    schema = {
        "type": "object",
        "properties": {
            "image": {
                "type": "object",
                "properties": {
                    "tag": {"type": "string", "description": "Which."},
                    "pull": {"type": "string"},
                },
            },
            "ports": {"type": "array"},
            "other": {"type": "string"},
        },
    }

    made = schema_of_values(schema, defaults={"image": {"tag": "1", "pull": None}, "ports": [80]})

    image = made["properties"]["image"]
    assert image["properties"]["tag"]["description"] == 'Which.\nDefault: "1"'
    assert made["properties"]["ports"]["description"] == "Default: [80]"
    described = [each for each in (made, image, made["properties"]["other"]) if "description" in each]
    assert described == []


@pytest.mark.parametrize("schema", [True, [], {"type": "array"}, {}])
def test_a_schema_that_describes_no_object_leaves_everything_to_helm(schema: Any) -> None:
    assert schema_of_values(schema) == {"type": "object", **OPEN}


def test_defaults_are_shown_and_validate_nothing() -> None:
    made = schema_of_defaults({"replicas": 1, "image": {"tag": "x" * 300}})

    assert made["properties"]["replicas"] == FREE | {"description": "Default: 1"}
    assert len(made["properties"]["image"]["description"]) < 220
    assert schema_of_defaults({}) == {"type": "object", **OPEN}


NULLED = {"affinity": None, "size": None, "server": {"affinity": None}, "other": None}


@pytest.mark.parametrize(
    "schema",
    [
        schema_of_defaults({"affinity": {}, "size": 1, "server": {}}),
        schema_of_values(
            {
                "type": "object",
                "properties": {
                    "affinity": {"$ref": "#/nowhere"},
                    "size": {"type": "integer"},
                    "server": {
                        "type": "object",
                        "properties": {"affinity": {"type": ["object", "string", "null"]}},
                    },
                },
            }
        ),
        schema_of_values({"type": "object", "properties": dict.fromkeys(NULLED, True)}, free=["size"]),
    ],
    ids=["of defaults", "of a values schema", "overridden"],
)
async def test_the_api_server_keeps_null_of_a_declared_key(schema: dict[str, Any]) -> None:
    shop = Untyped.of(Kind("demo.example.com", "v1", "Shop", "shops"))
    document = {"apiVersion": "demo.example.com/v1", "kind": "Shop", "spec": NULLED}

    async with Cluster() as cluster:
        client = Client(cluster.transport())
        await Installer(client, print).apply([definition_of(schema)])
        await client.create(shop.from_wire(document | {"metadata": {"name": "a", "namespace": "default"}}))
        found = await client.get(shop, "a", "default")

    assert found.to_wire()["spec"] == NULLED


def definition_of(schema: dict[str, Any]) -> dict[str, Any]:
    """A definition of Shops with this schema of the spec."""
    names = {"kind": "Shop", "plural": "shops", "singular": "shop", "listKind": "ShopList"}
    root = {"type": "object", "properties": {"spec": schema}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": root}}
    spec = {"group": "demo.example.com", "names": names, "scope": "Namespaced", "versions": [version]}
    meta = {"metadata": {"name": "shops.demo.example.com"}}
    definition = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", **meta}
    return definition | {"spec": spec}


CHOSEN = {
    "type": "object",
    "properties": {
        "mode": {"type": "string", "enum": ["small", "large"]},
        "size": {"type": "integer"},
        "level": {"type": "integer", "enum": [1, 2]},
        "modes": {"type": "array", "items": {"type": "string", "enum": ["small"]}},
    },
}


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"mode": None, "size": 1e20, "level": None, "modes": ["small"]}, ""),
        ({"mode": "large", "level": 2}, ""),
        ({"mode": "huge"}, 'must be "small" or "large"'),
        ({"level": 3}, "must be 1 or 2"),
        ({"modes": ["huge"]}, 'supported values: "small"'),
        ({"size": "many"}, "must be of type number"),
    ],
)
async def test_the_api_server_says_which_choices_there_are(spec: dict[str, Any], message: str) -> None:
    shop = Untyped.of(Kind("demo.example.com", "v1", "Shop", "shops"))
    document = {"apiVersion": "demo.example.com/v1", "kind": "Shop", "spec": spec}

    async with Cluster() as cluster:
        client = Client(cluster.transport())
        await Installer(client, print).apply([definition_of(schema_of_values(CHOSEN))])
        made = shop.from_wire(document | {"metadata": {"name": "a", "namespace": "default"}})
        if not message:
            await client.create(made)
            return
        with pytest.raises(Invalid, match=message):
            await client.create(made)
