import re
from typing import Annotated, Any

import pytest
from pydantic import StringConstraints

from windlass.api import (
    Atomic,
    Base64,
    Cel,
    Duration,
    Embedded,
    ExternalDocs,
    Field,
    Format,
    Granular,
    Immutable,
    IntOrString,
    Json,
    ListMap,
    ListSet,
    Model,
    Nullable,
    PreserveUnknown,
    Quantity,
    Resource,
    SchemaType,
    Spec,
    Wire,
)
from windlass.errors import SchemaError
from windlass.schema import schema_of, structural


class Port(Model):
    container_port: int
    protocol: str = "TCP"
    host_ip: Annotated[str, Wire("hostIP")] = ""
    name: str | None = None


class Tag(Model, markers=(Atomic(),)):
    key: str = ""


class Extensible(Model, markers=(PreserveUnknown(), ExternalDocs("https://example.com"))):
    name: str = ""


RULE = {"rule": "self == oldSelf", "message": "Value is immutable"}

# Each marker of controller-gen (validation, topology, processing) and what it adds to the schema.
MARKS: dict[str, tuple[Any, Json]] = {
    "Minimum": (Annotated[int, Field(ge=0)], {"minimum": 0}),
    "Maximum": (Annotated[int, Field(le=5)], {"maximum": 5}),
    "ExclusiveMinimum": (Annotated[int, Field(gt=0)], {"minimum": 0, "exclusiveMinimum": True}),
    "ExclusiveMaximum": (Annotated[int, Field(lt=5)], {"maximum": 5, "exclusiveMaximum": True}),
    "MultipleOf": (Annotated[int, Field(multiple_of=5)], {"multipleOf": 5}),
    "MinLength": (Annotated[str, Field(min_length=1)], {"minLength": 1}),
    "MinLength of zero": (Annotated[str, Field(min_length=0)], {}),
    "MaxLength": (Annotated[str, Field(max_length=63)], {"maxLength": 63}),
    "MaxLength of zero": (Annotated[str, Field(max_length=0)], {"maxLength": 0}),
    "Pattern": (Annotated[str, Field(pattern="^[a-z]+$")], {"pattern": "^[a-z]+$"}),
    "Pattern, compiled": (Annotated[str, Field(pattern=re.compile("^a$"))], {"pattern": "^a$"}),
    "StringConstraints": (
        Annotated[str, StringConstraints(min_length=1, max_length=5, pattern="^a")],
        {"minLength": 1, "maxLength": 5, "pattern": "^a"},
    ),
    "MinItems, MaxItems": (
        Annotated[list[str], Field(min_length=1, max_length=5)],
        {"minItems": 1, "maxItems": 5},
    ),
    "MinProperties, MaxProperties": (
        Annotated[dict[str, str], Field(min_length=1, max_length=5)],
        {"minProperties": 1, "maxProperties": 5},
    ),
    "Format": (Annotated[str, Format("ipv4")], {"format": "ipv4"}),
    "Format of a number": (Annotated[int, Format("int32")], {"format": "int32"}),
    "Type": (Annotated[str, SchemaType("integer")], {"type": "integer"}),
    "Type, then a bound": (
        Annotated[str, Field(ge=1), SchemaType("integer")],
        {"type": "integer", "minimum": 1},
    ),
    "nullable": (Annotated[str | None, Nullable()], {"nullable": True}),
    "XPreserveUnknownFields": (
        Annotated[dict[str, str], PreserveUnknown()],
        {"x-kubernetes-preserve-unknown-fields": True},
    ),
    "XEmbeddedResource": (Annotated[dict[str, Any], Embedded()], {"x-kubernetes-embedded-resource": True}),
    "XValidation": (Annotated[int, Cel("self > 0")], {"x-kubernetes-validations": [{"rule": "self > 0"}]}),
    "XValidation, all of it": (
        Annotated[
            dict[str, str],
            Cel(
                "oldSelf.hasValue() || self.size() > 0",
                message="m",
                message_expression="'m'",
                reason="FieldValueForbidden",
                optional_old_self=True,
            ),
        ],
        {
            "x-kubernetes-validations": [
                {
                    "rule": "oldSelf.hasValue() || self.size() > 0",
                    "message": "m",
                    "messageExpression": "'m'",
                    "reason": "FieldValueForbidden",
                    "optionalOldSelf": True,
                }
            ]
        },
    ),
    "XValidation of one field": (
        Annotated[Port, Cel("self.containerPort > 0", field_path=".containerPort")],
        {"x-kubernetes-validations": [{"rule": "self.containerPort > 0", "fieldPath": ".containerPort"}]},
    ),
    "XValidation, several, each once": (
        Annotated[int, Cel("self > 0"), Cel("self < 9"), Cel("self > 0")],
        {"x-kubernetes-validations": [{"rule": "self > 0"}, {"rule": "self < 9"}]},
    ),
    "externalDocs": (
        Annotated[str, ExternalDocs("https://example.com", "more")],
        {"externalDocs": {"url": "https://example.com", "description": "more"}},
    ),
    "externalDocs without a text": (
        Annotated[str, ExternalDocs("https://example.com")],
        {"externalDocs": {"url": "https://example.com"}},
    ),
    "immutable": (Annotated[str, Immutable()], {"x-kubernetes-validations": [RULE]}),
    "immutable and another rule": (
        Annotated[int, Cel("self > 0"), Immutable()],
        {"x-kubernetes-validations": [{"rule": "self > 0"}, RULE]},
    ),
    "listType=set": (Annotated[list[str], ListSet()], {"x-kubernetes-list-type": "set"}),
    "listType=set of atomic objects": (Annotated[list[Tag], ListSet()], {"x-kubernetes-list-type": "set"}),
    "listType=set of numbers or texts": (
        Annotated[list[Quantity], ListSet()],
        {"x-kubernetes-list-type": "set"},
    ),
    "listType=atomic": (Annotated[list[str], Atomic()], {"x-kubernetes-list-type": "atomic"}),
    "listType=atomic overrides set": (Annotated[set[str], Atomic()], {"x-kubernetes-list-type": "atomic"}),
    "listType=map": (
        Annotated[list[Port], ListMap("container_port")],
        {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["containerPort"]},
    ),
    "listMapKey, several": (
        Annotated[list[Port], ListMap("container_port", "protocol")],
        {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["containerPort", "protocol"]},
    ),
    "listType=map of an optional list": (
        Annotated[list[Port] | None, ListMap("container_port")],
        {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["containerPort"]},
    ),
    "mapType=atomic": (Annotated[dict[str, str], Atomic()], {"x-kubernetes-map-type": "atomic"}),
    "mapType=granular": (Annotated[dict[str, str], Granular()], {"x-kubernetes-map-type": "granular"}),
    "structType=atomic": (Annotated[Port, Atomic()], {"x-kubernetes-map-type": "atomic"}),
}


@pytest.mark.parametrize("name", MARKS)
def test_a_mark_adds_what_it_says(name: str) -> None:
    annotation, added = MARKS[name]
    plain = schema_of(annotation.__origin__)
    assert schema_of(annotation) == plain | added


def test_marks_in_the_class_line_hold_for_every_use() -> None:
    schema = schema_of(list[Extensible])["items"]
    assert schema["x-kubernetes-preserve-unknown-fields"] is True
    assert schema["externalDocs"] == {"url": "https://example.com"}
    assert schema_of(Tag)["x-kubernetes-map-type"] == "atomic"


WRONG: list[tuple[Any, str]] = [
    (Annotated[str, Field(ge=1)], r"^f: ge=1 goes with integer or number, not with string"),
    (Annotated[Quantity, Field(le=1)], r"^f: le=1 goes with integer or number, not with any type"),
    (Annotated[bool, Field(gt=0)], r"^f: gt=0 goes with integer or number, not with boolean"),
    (Annotated[list[int], Field(multiple_of=2)], r"^f: multiple_of=2 goes with"),
    (
        Annotated[int, Field(max_length=1)],
        r"^f: a length goes with string or array or object, not with integer",
    ),
    (Annotated[Any, Field(min_length=1)], r"^f: a length goes with .* not with any type"),
    (Annotated[int, Field(pattern="a")], r"^f: a pattern goes with string, not with integer"),
    (Annotated[list[str], Field(pattern="a")], r"^f: a pattern goes with string, not with array"),
    (Annotated[str, ListSet()], r"^f: ListSet goes with array, not with string"),
    (Annotated[list[Port], ListSet()], r"^f: the items of a ListSet must be scalars, or marked Atomic\(\)"),
    (Annotated[list[list[str]], ListSet()], r"^f: the items of a ListSet must be scalars"),
    (Annotated[str, ListMap("a")], r"^f: ListMap goes with array, not with string"),
    (Annotated[dict[str, Port], ListMap("name")], r"^f: ListMap goes with array, not with object"),
    (Annotated[list[str], ListMap("a")], r"^f: ListMap needs keys that are fields of the items, not \['a'\]"),
    (
        Annotated[list[Port], ListMap("port")],
        r"^f: ListMap needs keys that are fields of the items, not \['port'\]",
    ),
    (Annotated[list[Port], ListMap()], r"^f: ListMap needs keys that are fields of the items, not none"),
    (
        Annotated[list[Port], ListMap("container_port", "name")],
        r"^f: the ListMap keys \['name'\] must be required",
    ),
    (
        Annotated[list[Port], ListMap("host_ip")],
        r"^f: the ListMap keys \['hostIP'\] must be required or have a",
    ),
    (Annotated[Any, SchemaType("array"), ListMap("a")], r"^f: ListMap needs keys that are fields"),
    (Annotated[str, Atomic()], r"^f: Atomic goes with array or object, not with string"),
    (Annotated[list[str], Granular()], r"^f: Granular goes with object, not with array"),
    (Annotated[str, Embedded()], r"^f: Embedded goes with object, not with string"),
    (Annotated[Duration, Field(ge=1)], r"^f: ge=1 goes with integer or number, not with string"),
    (list[Annotated[str, Field(ge=1)]], r"^f\[\]: ge=1 goes with"),
]


@pytest.mark.parametrize(("annotation", "message"), WRONG)
def test_a_mark_on_the_wrong_type_is_refused_with_its_path(annotation: Any, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        schema_of(annotation, "f")


@pytest.mark.parametrize(
    "pattern", ["^(?=a)", "^(?!a)", "(?<=a)b", "(?<!a)b", r"(a)\1", r"(?P<x>a)(?P=x)", r"\\\1"]
)
def test_a_pattern_that_the_server_cannot_read_is_refused(pattern: str) -> None:
    with pytest.raises(
        SchemaError, match=r"^f: the pattern .* uses a look-around or a back-reference.*Cel\(…\)"
    ):
        schema_of(Annotated[str, Field(pattern=pattern)], "f")


@pytest.mark.parametrize(
    "pattern", [r"^\(?=a$", r"^\\1$", "^(?:a|b)$", "^(?P<name>a)$", r"^\d{1,3}\.\w+$", r"^a\(\?!$"]
)
def test_a_pattern_that_only_looks_like_it_is_fine(pattern: str) -> None:
    assert schema_of(Annotated[str, Field(pattern=pattern)])["pattern"] == pattern


class AheadSpec(Spec):
    names: list[Annotated[str, Field(pattern="^(?!kube-)")]] = []


class Ahead(Resource, group="demo.example.com", version="v1"):
    spec: AheadSpec


class BrokenSpec(Spec):
    name: str = Field(default="", pattern=r"^a\Z")


class Broken(Resource, group="demo.example.com", version="v1"):
    spec: BrokenSpec


def test_a_pattern_that_pydantic_cannot_read_either_is_refused_by_its_path() -> None:
    with pytest.raises(
        SchemaError, match=r"^Ahead\.spec\.names\[\]: the pattern '\^\(\?!kube-\)' uses a look-around"
    ):
        structural(Ahead)
    with pytest.raises(SchemaError, match=r"^Broken\.spec: pydantic refuses BrokenSpec: (.|\n)*\^a\\Z"):
        structural(Broken)


@pytest.mark.parametrize(("size", "length"), [(0, 0), (1, 4), (3, 4), (4, 8), (10, 16)])
def test_the_length_of_bytes_is_the_length_of_their_base64(size: int, length: int) -> None:
    schema = schema_of(Annotated[Base64, Field(max_length=size)])
    assert schema == {"type": "string", "format": "byte", "maxLength": length}
    assert schema_of(Annotated[Base64, Field(min_length=size)]).get("minLength", 0) == length


@pytest.mark.parametrize("marks", [{"pattern": "^[0-9]+%$"}, {"max_length": 4}, {"min_length": 1}])
def test_the_text_of_an_int_or_string_may_be_constrained(marks: dict[str, Any]) -> None:
    wire = {"pattern": "pattern", "max_length": "maxLength", "min_length": "minLength"}
    added = {wire[name]: value for name, value in marks.items()}
    assert schema_of(Annotated[IntOrString, Field(**marks)]) == schema_of(IntOrString) | added
