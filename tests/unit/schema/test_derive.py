import sys
from collections.abc import Mapping, MutableMapping, Sequence
from copy import deepcopy
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from ipaddress import IPv4Address
from typing import Annotated, Any, Generic, Literal, NewType, Optional, TypeVar, Union
from uuid import uuid4

import pytest
from typing_extensions import TypeAliasType

from windlass.api import (
    UNOBSERVED,
    AllowFloat,
    AtMostOneOf,
    Atomic,
    Base64,
    Cel,
    Condition,
    Default,
    Definition,
    Duration,
    Embedded,
    Field,
    Granular,
    Immutable,
    IntOrString,
    Json,
    Kind,
    LabelSelector,
    ListMap,
    MicroTime,
    Model,
    Nullable,
    ObjectMeta,
    PreserveUnknown,
    Quantity,
    Required,
    Resource,
    Schemaless,
    Spec,
    Status,
    Time,
    Untyped,
    Wire,
)
from windlass.errors import SchemaError
from windlass.schema import schema_of, structural

ANYTHING = {"x-kubernetes-preserve-unknown-fields": True}
INT_OR_STRING = {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": True}
QUANTITY = r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$"


class Color(StrEnum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Mixed(Enum):
    A = "a"
    B = 1


class Port(Model):
    container_port: int
    protocol: str = "TCP"
    name: str | None = None


class Empty(Model):
    pass


class Inner(Resource, group="demo.example.com", version="v1"):
    size: int = 0


Name = NewType("Name", str)
ShortName = NewType("ShortName", Name)
Alias = TypeAliasType("Alias", Annotated[int, Field(ge=1)])

PORT: Json = {
    "type": "object",
    "properties": {
        "containerPort": {"type": "integer"},
        "protocol": {"type": "string", "default": "TCP"},
        "name": {"type": "string"},
    },
    "required": ["containerPort"],
}
METADATA = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "namespace": {"type": "string"},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "annotations": {"type": "object", "additionalProperties": {"type": "string"}},
        "finalizers": {"type": "array", "items": {"type": "string"}},
    },
}

TYPES: dict[str, tuple[Any, Json]] = {
    "str": (str, {"type": "string"}),
    "int": (int, {"type": "integer"}),
    "bool": (bool, {"type": "boolean"}),
    "float that is allowed": (Annotated[float, AllowFloat()], {"type": "number"}),
    "datetime": (datetime, {"type": "string", "format": "date-time"}),
    "date": (date, {"type": "string", "format": "date"}),
    "Time": (Time, {"type": "string", "format": "date-time"}),
    "MicroTime": (MicroTime, {"type": "string", "format": "date-time"}),
    "Duration": (Duration, {"type": "string"}),
    "Base64": (Base64, {"type": "string", "format": "byte"}),
    "Quantity": (Quantity, {**INT_OR_STRING, "pattern": QUANTITY}),
    "IntOrString": (IntOrString, INT_OR_STRING),
    "Any": (Any, ANYTHING),
    "object": (object, ANYTHING),
    "list": (list[str], {"type": "array", "items": {"type": "string"}}),
    "bare list": (list, {"type": "array", "items": ANYTHING}),
    "Sequence": (Sequence[int], {"type": "array", "items": {"type": "integer"}}),
    "tuple of any length": (tuple[str, ...], {"type": "array", "items": {"type": "string"}}),
    "list of lists": (
        list[list[int]],
        {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
    ),
    "set": (set[str], {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}),
    "frozenset": (
        frozenset[int],
        {"type": "array", "items": {"type": "integer"}, "x-kubernetes-list-type": "set"},
    ),
    "dict": (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
    "Mapping": (Mapping[str, str], {"type": "object", "additionalProperties": {"type": "string"}}),
    "MutableMapping": (
        MutableMapping[str, str],
        {"type": "object", "additionalProperties": {"type": "string"}},
    ),
    "dict of anything": (dict[str, Any], {"type": "object"} | ANYTHING),
    "bare dict": (dict, {"type": "object"} | ANYTHING),
    "Json": (Json, {"type": "object"} | ANYTHING),
    "dict with named keys": (dict[Name, str], {"type": "object", "additionalProperties": {"type": "string"}}),
    "dict of bytes": (
        dict[str, Base64],
        {"type": "object", "additionalProperties": {"type": "string", "format": "byte"}},
    ),
    "Literal": (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
    "Literal of one": (Literal["a"], {"type": "string", "enum": ["a"]}),
    "Literal of integers": (Literal[1, 2], {"type": "integer", "enum": [1, 2]}),
    "Literal of a boolean": (Literal[True], {"type": "boolean", "enum": [True]}),
    "StrEnum": (Color, {"type": "string", "enum": ["red", "blue"]}),
    "IntEnum": (Level, {"type": "integer", "enum": [1, 2]}),
    "X | None": (str | None, {"type": "string"}),
    "list of X | None": (
        list[Alias | None],
        {"type": "array", "items": {"type": "integer", "minimum": 1, "nullable": True}},
    ),
    "map to X | None": (
        dict[str, Annotated[str | None, Field(min_length=1)]],
        {"type": "object", "additionalProperties": {"type": "string", "minLength": 1, "nullable": True}},
    ),
    "Optional": (Optional[list[str]], {"type": "array", "items": {"type": "string"}}),  # noqa: UP045
    "IntOrString | None": (IntOrString | None, INT_OR_STRING),
    "Annotated | None": (Annotated[int, Field(ge=1)] | None, {"type": "integer", "minimum": 1}),
    "NewType": (Name, {"type": "string"}),
    "NewType of a NewType": (ShortName, {"type": "string"}),
    "type alias": (Alias, {"type": "integer", "minimum": 1}),
    "type alias | None": (Alias | None, {"type": "integer", "minimum": 1}),
    "Model": (Port, PORT),
    "list of models": (list[Port], {"type": "array", "items": PORT}),
    "dict of models": (dict[str, Port], {"type": "object", "additionalProperties": PORT}),
    "Model without fields": (Empty, {"type": "object"}),
    "ObjectMeta": (ObjectMeta, METADATA),
    "Resource": (
        Inner,
        {
            "type": "object",
            "properties": {"metadata": METADATA, "size": {"type": "integer", "default": 0}},
            "x-kubernetes-embedded-resource": True,
        },
    ),
    "Embedded": (
        Annotated[Any, Embedded()],
        {"type": "object", "x-kubernetes-embedded-resource": True} | ANYTHING,
    ),
    "Schemaless": (Annotated[Port, Schemaless()], ANYTHING),
    "marks on several levels": (
        Annotated[Annotated[int, Field(ge=1)], Field(le=5)],
        {"type": "integer", "minimum": 1, "maximum": 5},
    ),
    "marks on items": (
        list[Annotated[str, Field(max_length=63)]],
        {"type": "array", "items": {"type": "string", "maxLength": 63}},
    ),
}


@pytest.mark.parametrize("name", TYPES)
def test_a_type_has_its_schema(name: str) -> None:
    annotation, schema = TYPES[name]
    assert schema_of(annotation) == schema


@pytest.mark.parametrize("name", TYPES)
def test_a_schema_is_made_anew_on_each_call(name: str) -> None:
    annotation, schema = TYPES[name]
    first = schema_of(annotation)
    spoil(first)
    assert schema_of(annotation) == schema


def spoil(schema: Any) -> None:
    """Change everything that can be changed in a schema, at every level."""
    for value in schema.values() if isinstance(schema, dict) else schema:
        if isinstance(value, (dict, list)):
            spoil(value)
    if isinstance(schema, dict):
        schema["spoilt"] = True
    else:
        schema.append("spoilt")


def test_an_untyped_object_is_kept_whole() -> None:
    schema = schema_of(Untyped)
    assert schema.pop("description").startswith("An object of any kind")
    assert schema == {"type": "object", "x-kubernetes-embedded-resource": True} | ANYTHING
    made = schema_of(Untyped.of(Kind("g", "v1", "Thing", "things")))
    assert made == {"type": "object", "x-kubernetes-embedded-resource": True} | ANYTHING


def test_conditions_are_told_apart_by_their_type() -> None:
    schema = schema_of(Annotated[list[Condition], ListMap("type")])
    assert schema["x-kubernetes-list-map-keys"] == ["type"]
    assert schema["items"]["required"] == ["lastTransitionTime", "message", "reason", "status", "type"]
    assert schema["items"]["properties"]["status"]["enum"] == ["True", "False", "Unknown"]


def test_a_label_selector_has_its_fields() -> None:
    schema = schema_of(LabelSelector)
    assert set(schema["properties"]) == {"matchLabels", "matchExpressions"}
    assert schema["properties"]["matchExpressions"]["items"]["required"] == ["key", "operator"]


class Twins(Model):
    max_size: int = 1
    maxSize: int = 1  # noqa: N815 - what the test is about


class Renamed(Model):
    a: Annotated[int, Wire("x")] = 1
    b: Annotated[int, Wire("x")] = 1


class Loop(Model):
    name: str
    children: list["Loop"] = []


class Chain(Model):
    link: "Link | None" = None


class Link(Model):
    chain: Chain | None = None


REFUSALS: list[tuple[Any, str]] = [
    (float, r"^f: float has no structural schema; .*use Quantity, an int .* or add AllowFloat\(\)"),
    (list[float], r"^f\[\]: float has no"),
    (dict[str, float], r"^f\.\*: float has no"),
    (bytes, r"^f: bytes has no structural schema; use windlass\.api\.Base64"),
    (timedelta, r"^f: timedelta has no structural schema; use windlass\.api\.Duration"),
    (Decimal, r"^f: Decimal has no structural schema; use Quantity"),
    (tuple[str, int], r"^f: tuple has no structural schema; use a list, or a Model with named fields"),
    (tuple, r"^f: tuple has no structural schema; use a list"),
    (None, r"^f: .*None.* has no structural schema"),
    (type(None), r"^f: NoneType has no structural schema; give the field a type"),
    (int | str, r"^f: .* has no structural schema; .*use IntOrString for int \| str.*ExactlyOneOf"),
    (Union[Port, Empty], r"^f: .* has no structural schema; the API server knows no unions"),  # noqa: UP007
    (int | str | None, r"^f: .*the API server knows no unions"),
    (dict[int, str], r"^f: the keys of a map are strings on the wire; use dict\[str, …\]"),
    (dict[Color, str], r"^f: the keys of a map are strings"),
    (dict[Annotated[str, Field(max_length=3)], int], r"^f: a schema says nothing about the keys .* Cel\("),
    (dict[Annotated[str, Cel("self != 'a'")], int], r"^f: a schema says nothing about the keys"),
    (Twins, r"^f: max_size and maxSize are both maxSize on the wire; .*Wire\("),
    (Renamed, r"^f: a and b are both x on the wire"),
    (Mixed, r"^f: the values of an enumeration must all be texts, or all be integers"),
    (Literal["a", 1], r"^f: the values of an enumeration must all be"),
    (Literal["a", None], r"^f: the values of an enumeration must all be"),  # noqa: PYI061
    (Literal[True, 1], r"^f: the values of an enumeration must all be"),
    (IPv4Address, r"^f: IPv4Address has no structural schema; use a str with Format\(…\)"),
    (complex, r"^f: complex has no structural schema; use a str with Format\(…\), a Model, or Any"),
    (TypeVar("T"), r"^f: T has no structural schema"),
    (Loop, r"^f\.children\[\]: Loop contains itself \(Loop → Loop\).*Annotated\[Loop, PreserveUnknown\(\)\]"),
    (Chain, r"^f\.link\.chain: Chain contains itself \(Chain → Link → Chain\).*Schemaless\(\)"),
]


@pytest.mark.parametrize(("annotation", "message"), REFUSALS)
def test_a_type_without_a_schema_is_refused_with_its_path_and_the_way_out(
    annotation: Any, message: str
) -> None:
    with pytest.raises(SchemaError, match=message):
        schema_of(annotation, "f")


class Deep(Model):
    ratio: float = 0.0


class DeepSpec(Spec):
    by_name: dict[str, list[Deep]] = {}


class DeepKind(Resource, group="demo.example.com", version="v1"):
    spec: DeepSpec


def test_a_refusal_names_the_whole_path() -> None:
    with pytest.raises(SchemaError, match=r"^DeepKind\.spec\.byName\.\*\[\]\.ratio: float has no"):
        structural(DeepKind)


class Kept(Model):
    name: str
    child: Annotated["Kept | None", PreserveUnknown()] = None
    children: list[Annotated["Kept", PreserveUnknown()]] = []
    others: Annotated[list["Kept"], Schemaless()] = []


def test_a_type_that_contains_itself_may_be_kept_whole_or_schemaless() -> None:
    assert schema_of(Kept)["properties"] == {
        "name": {"type": "string"},
        "child": {"type": "object"} | ANYTHING,
        "children": {"type": "array", "items": {"type": "object"} | ANYTHING},
        "others": ANYTHING,
    }


class Twice(Model):
    first: Port | None = None
    second: Port | None = None


def test_a_type_may_be_used_twice_without_containing_itself() -> None:
    assert schema_of(Twice)["properties"] == {"first": PORT, "second": PORT}


T = TypeVar("T")


class Box(Model, Generic[T]):
    """A box."""

    item_name: T
    """What is inside."""


class Boxes(Model):
    numbers: Box[int]
    ports: Box[list[Port]] | None = None


def test_a_generic_type_has_the_schema_of_its_arguments() -> None:
    assert schema_of(Boxes)["properties"]["numbers"] == {
        "type": "object",
        "description": "A box.",
        "properties": {"itemName": {"type": "integer", "description": "What is inside."}},
        "required": ["itemName"],
    }
    assert schema_of(Boxes)["properties"]["ports"]["properties"]["itemName"]["items"] == PORT


class Storage(Model):
    size: Quantity = Quantity("1Gi")
    cache: bool = False


class Loose(Model):
    note: str = ""


class Strict(Model):
    size: int = 1
    name: Annotated[str, Required()] = "a"


class DefaultsSpec(Spec):
    replicas: int = 1
    zero: int = 0
    off: bool = False
    text: str = "a"
    empty_text: str = ""
    nothing: str | None = None
    null: Annotated[str | None, Nullable()] = None
    empty_list: list[str] = []
    full_list: list[str] = ["a"]
    empty_map: dict[str, str] = {}
    full_map: dict[str, int] = {"a": 1}
    tags: set[str] = {"b", "a"}
    color: Color = Color.BLUE
    wait: Duration = timedelta(seconds=90)
    waits: list[Duration] = [timedelta(seconds=1)]
    at: Time = datetime(2026, 1, 2)  # noqa: DTZ001 - a time without a zone is UTC
    key: Base64 = b"\x00"
    port: IntOrString = "25%"
    ratio: Annotated[float, AllowFloat()] = 1.5
    storage: Storage = Field(default_factory=Storage)
    loose: Loose = Field(default_factory=Loose)
    strict: Strict = Field(default_factory=Strict)
    small: Storage = Field(default_factory=lambda: Storage(size=Quantity("1Mi")))
    volumes: list[Storage] = []
    server_side: Annotated[int | None, Default(5)] = None
    other_side: Annotated[int, Default(7)] = 6
    only_server: Annotated[Duration, Default(timedelta(hours=1))]
    asked_for: Annotated[int, Required()] = 3
    derived: list[str] = Field(default_factory=lambda known: [known["text"]])


class Phase(Status):
    ready_replicas: int = 0
    storage: Storage = Field(default_factory=Storage)
    stated: Annotated[int, Default(5)] = 5


class Defaults(Resource, group="demo.example.com", version="v1"):
    spec: DefaultsSpec
    status: Phase = Field(default_factory=lambda: Phase(ready_replicas=3))


STATED: dict[str, Any] = {
    "replicas": 1,
    "zero": 0,
    "off": False,
    "text": "a",
    "fullList": ["a"],
    "fullMap": {"a": 1},
    "tags": ["a", "b"],
    "color": "blue",
    "wait": "1m30s",
    "waits": ["1s"],
    "at": "2026-01-02T00:00:00Z",
    "key": "AA==",
    "port": "25%",
    "ratio": 1.5,
    "storage": {},
    "small": {"size": "1Mi"},
    "serverSide": 5,
    "otherSide": 7,
    "onlyServer": "1h0m0s",
}


def test_the_defaults_of_a_spec_are_stated_in_their_wire_form() -> None:
    properties = structural(Defaults)["properties"]["spec"]["properties"]
    stated = {name: schema["default"] for name, schema in properties.items() if "default" in schema}
    assert stated == STATED


def test_an_empty_object_is_a_default_only_where_it_brings_in_defaults_below() -> None:
    properties = structural(Defaults)["properties"]["spec"]["properties"]
    assert properties["storage"]["default"] == {}
    assert properties["storage"]["properties"]["size"]["default"] == "1Gi"
    assert "default" not in properties["loose"]
    assert "default" not in properties["strict"]  # the server would refuse an object without its name
    assert "default" not in properties["volumes"]


def test_defaults_hold_inside_lists_too() -> None:
    volumes = structural(Defaults)["properties"]["spec"]["properties"]["volumes"]
    assert volumes["items"]["properties"]["cache"]["default"] is False


def defaults_in(schema: Any) -> int:
    below = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    return sum(map(defaults_in, below)) + (isinstance(schema, dict) and "default" in schema)


def test_a_status_states_no_default_at_any_level() -> None:
    schema = structural(Defaults)
    assert defaults_in(schema["properties"]["status"]) == 0
    assert defaults_in(schema["properties"]["spec"]) > 0


class Observed(Status):
    size: int = 0
    observed_generation: int | None = None


class Observes(Resource, group="demo.example.com", version="v1"):
    status: Observed = Field(default_factory=Observed)


def test_a_new_object_says_that_it_was_not_observed_yet() -> None:
    status = structural(Observes)["properties"]["status"]

    assert status["default"] == {"observedGeneration": UNOBSERVED}
    assert status["properties"]["observedGeneration"] == {"type": "integer", "default": UNOBSERVED}
    assert "default" not in status["properties"]["size"]


class Conditional(Status):
    conditions: list[Condition] = []


@pytest.mark.parametrize(
    ("definition", "observed"),
    [
        (Definition(), {"observedGeneration": UNOBSERVED}),
        (Definition(ready=""), None),
        (Definition(status=False), None),
    ],
)
def test_a_status_with_conditions_has_the_generation_unless_the_loop_does_not_write_them(
    definition: Definition, observed: Json | None
) -> None:
    class Judged(Resource, group="demo.example.com", version="v1", definition=definition):
        status: Conditional = Field(default_factory=Conditional)

    status = structural(Judged)["properties"]["status"]

    assert status.get("default") == observed
    assert ("observedGeneration" in status["properties"]) == (observed is not None)


def test_a_status_with_a_field_that_nothing_can_fill_in_has_no_default_as_a_whole() -> None:
    class Demanding(Observed):
        phase: str

    class Demands(Resource, group="demo.example.com", version="v1"):
        status: Demanding

    status = structural(Demands)["properties"]["status"]

    assert "default" not in status
    assert status["properties"]["observedGeneration"]["default"] == UNOBSERVED


def test_a_status_without_a_schema_may_have_the_generation_alone() -> None:
    class Free(Resource, group="demo.example.com", version="v1"):
        status: Annotated[Json, Default({"observedGeneration": UNOBSERVED})] = Field(default_factory=dict)

    status = structural(Free)["properties"]["status"]

    observed = status.pop("properties")["observedGeneration"]
    assert (observed["type"], observed["default"]) == ("integer", UNOBSERVED)
    assert status == ANYTHING | {"type": "object", "default": {"observedGeneration": UNOBSERVED}}


def test_the_definition_of_somebody_else_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "__foreign__", value=True, raising=False)

    assert defaults_in(structural(Observes)) == 0


def test_a_required_field_states_no_default_which_would_fill_it() -> None:
    spec = structural(Defaults)["properties"]["spec"]
    assert spec["required"] == ["askedFor"]
    assert "default" not in spec["properties"]["askedFor"]


class NeedsStatus(Resource, group="demo.example.com", version="v1"):
    spec: Storage
    status: Phase


class NeedsOnlyStatus(Resource, group="demo.example.com", version="v1"):
    status: Phase


def test_a_status_is_never_required_because_the_server_removes_it_from_new_objects() -> None:
    assert structural(NeedsStatus)["required"] == ["spec"]
    assert "required" not in structural(NeedsOnlyStatus)


def test_required_fields_are_sorted() -> None:
    class Unsorted(Model):
        zone: str
        area_code: str
        middle: str

    assert schema_of(Unsorted)["required"] == ["areaCode", "middle", "zone"]


def test_a_kind_states_its_type_and_leaves_metadata_to_the_server() -> None:
    schema = structural(NeedsStatus)
    assert list(schema["properties"]) == ["apiVersion", "kind", "metadata", "spec", "status"]
    assert schema["properties"]["metadata"] == {"type": "object"}
    assert schema["properties"]["apiVersion"] == schema["properties"]["kind"] == {"type": "string"}
    assert schema["type"] == "object"


class Base(Model, markers=(Cel("self.first > 0"),)):
    """The base."""

    first: int
    """The first field."""


class Middle(Base):
    second: Annotated[str, Wire("2nd")] = "b"


class Leaf(Middle, markers=(Cel("self.third == 'c'"), Atomic())):
    """The leaf."""

    first: int = 1
    third: str = "c"


def test_fields_and_markers_are_inherited() -> None:
    assert schema_of(Middle) == {
        "type": "object",
        "properties": {
            "first": {"type": "integer", "description": "The first field."},
            "2nd": {"type": "string", "default": "b"},
        },
        "required": ["first"],
        "x-kubernetes-validations": [{"rule": "self.first > 0"}],
    }
    leaf = schema_of(Leaf)
    assert leaf["description"] == "The leaf."
    assert list(leaf["properties"]) == ["first", "2nd", "third"]
    assert leaf["properties"]["first"]["default"] == 1
    assert "required" not in leaf
    assert leaf["x-kubernetes-map-type"] == "atomic"
    assert leaf["x-kubernetes-validations"] == [{"rule": "self.first > 0"}, {"rule": "self.third == 'c'"}]


class Marked(Model):
    leaf: Annotated[Leaf, Granular(), Cel("true")]


def test_a_mark_on_the_field_comes_after_the_marks_of_its_type() -> None:
    schema = schema_of(Marked)["properties"]["leaf"]
    assert schema["x-kubernetes-map-type"] == "granular"
    assert [rule["rule"] for rule in schema["x-kubernetes-validations"]][-1] == "true"


def test_the_same_schema_comes_out_each_time() -> None:
    first = deepcopy(structural(Defaults))
    spoil(structural(Defaults))
    assert structural(Defaults) == first


class Documented(Model):
    plain: Annotated[int, Field(title="A title", description="A text", examples=[5, 6])]
    wait: Duration = Field(default=timedelta(0), examples=[timedelta(minutes=1)])
    color: Color = Field(default=Color.RED, examples=[Color.BLUE])


def test_title_description_and_the_first_example_are_stated() -> None:
    properties = schema_of(Documented)["properties"]
    assert properties["plain"] == {
        "type": "integer",
        "title": "A title",
        "description": "A text",
        "example": 5,
    }
    assert (properties["wait"]["example"], properties["color"]["example"]) == ("1m0s", "blue")


class OptionalImmutable(Model):
    zone: Annotated[str | None, Immutable()] = None


def test_no_title_is_made_up() -> None:
    assert schema_of(OptionalImmutable)["properties"]["zone"].keys() == {"type", "x-kubernetes-validations"}


Fixed = Annotated[str, Immutable()]
Third = Annotated[int, Default(3)]
Needed = Annotated[int, Required()]


class Choice(Spec):
    name: Fixed | None = None
    third: Third | None = None
    needed: Needed | None = None


def test_marks_inside_an_optional_count_in_full() -> None:
    schema = schema_of(Choice)
    assert schema["required"] == ["needed"]
    assert schema["properties"]["third"]["default"] == 3
    assert [rule["rule"] for rule in schema["x-kubernetes-validations"]] == [
        "!has(oldSelf.name) || has(self.name)"
    ]


def test_a_marker_about_several_fields_is_refused_on_a_field() -> None:
    class Outer(Spec):
        inner: Annotated[Choice, AtMostOneOf("name", "third")]

    with pytest.raises(SchemaError, match=r"inner: AtMostOneOf.* stands in the class line"):
        schema_of(Outer)


def test_a_marker_of_a_field_is_refused_in_a_class_line() -> None:
    class Wrong(Spec, markers=(Required(),)):
        pass

    with pytest.raises(SchemaError, match=r"Required\(\) does not go into a class line"):
        schema_of(Wrong)


def test_a_default_that_is_made_anew_each_time_is_not_stated() -> None:
    class Ticket(Model):
        number: str = Field(default_factory=lambda: uuid4().hex)
        labels: list[str] = Field(default_factory=lambda: ["a"])

    properties = schema_of(Ticket)["properties"]

    assert "default" not in properties["number"]
    assert properties["labels"]["default"] == ["a"]
