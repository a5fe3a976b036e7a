import re
from typing import Annotated, Any

import pytest

from windlass.api import (
    AtLeastOneOf,
    AtMostOneOf,
    Default,
    ExactlyOneOf,
    Immutable,
    Json,
    Model,
    Required,
    Status,
    Wire,
)
from windlass.errors import SchemaError
from windlass.schema import schema_of


class Source(Model, markers=(ExactlyOneOf("config_map", "secret_ref"),)):
    config_map: str | None = None
    secret_ref: Annotated[str | None, Wire("secretREF")] = None


class AtMost(Model, markers=(AtMostOneOf("a", "b"),)):
    a: int | None = None
    b: list[str] = []


class AtLeast(Model, markers=(AtLeastOneOf("a", "b"), AtMostOneOf("b", "c"))):
    a: int | None = None
    b: int | None = None
    c: int | None = None


def rules(schema: Json) -> list[tuple[str, str]]:
    return [(rule["rule"], rule["message"]) for rule in schema.get("x-kubernetes-validations", [])]


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (
            Source,
            [
                (
                    "(has(self.configMap) ? 1 : 0) + (has(self.secretREF) ? 1 : 0) == 1",
                    "exactly one of configMap, secretREF must be set",
                )
            ],
        ),
        (
            AtMost,
            [
                (
                    "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) <= 1",
                    "at most one of a, b may be set",
                )
            ],
        ),
        (
            AtLeast,
            [
                (
                    "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) >= 1",
                    "at least one of a, b must be set",
                ),
                (
                    "(has(self.b) ? 1 : 0) + (has(self.c) ? 1 : 0) <= 1",
                    "at most one of b, c may be set",
                ),
            ],
        ),
    ],
)
def test_a_one_of_marker_becomes_a_rule_over_wire_names(model: type[Model], expected: list[Any]) -> None:
    assert rules(schema_of(model)) == expected


class Unknown(Model, markers=(ExactlyOneOf("a", "configMap"),)):
    a: int | None = None
    config_map: int | None = None


class Nothing(Model, markers=(AtMostOneOf(),)):
    a: int | None = None


class Needed(Model, markers=(AtMostOneOf("a", "b"),)):
    a: int
    b: int | None = None


class Marked(Model, markers=(AtMostOneOf("a", "b"),)):
    a: Annotated[int | None, Required()] = None
    b: int | None = None


class Defaulted(Model, markers=(AtLeastOneOf("first_one", "b"),)):
    first_one: int = 1
    b: int | None = None


class ServerSide(Model, markers=(AtLeastOneOf("a", "b"),)):
    a: Annotated[int | None, Default(1)] = None
    b: int | None = None


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (Unknown, r"^f: ExactlyOneOf names \['configMap'\], which is no field of it"),
        (Nothing, r"^f: AtMostOneOf names no field"),
        (Needed, r"^f: AtMostOneOf needs optional fields without a default, not \['a'\]"),
        (Marked, r"^f: AtMostOneOf needs optional fields without a default, not \['a'\]"),
        (Defaulted, r"^f: AtLeastOneOf needs optional fields without a default, not \['firstOne'\]"),
        (ServerSide, r"^f: AtLeastOneOf needs optional fields without a default, not \['a'\]"),
    ],
)
def test_a_one_of_marker_that_could_never_work_is_refused(model: type[Model], message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        schema_of(model, "f")


class Seen(Status, markers=(AtMostOneOf("a", "b"),)):
    a: int = 5
    b: int = 6


def test_python_defaults_of_a_status_do_not_stand_in_the_way() -> None:
    assert len(rules(schema_of(Seen))) == 1


class Frozen(Model):
    needed: Annotated[str, Immutable()]
    optional_one: Annotated[str | None, Immutable()] = None
    defaulted: Annotated[int, Immutable()] = 1


def test_an_immutable_field_may_not_be_changed() -> None:
    schema = schema_of(Frozen)
    for name in ("needed", "optionalOne", "defaulted"):
        assert rules(schema["properties"][name]) == [("self == oldSelf", "Value is immutable")]


def test_an_optional_immutable_field_may_not_be_removed_either() -> None:
    assert rules(schema_of(Frozen)) == [
        (
            "!has(oldSelf.optionalOne) || has(self.optionalOne)",
            "optionalOne is immutable and cannot be removed",
        )
    ]


NAMES = {
    "plain": "plain",
    "namespace": "__namespace__",
    "in": "__in__",
    "true": "__true__",
    "while": "__while__",
    "inside": "inside",
    "a__b": "a__underscores__b",
    "a___b": "a__underscores___b",
    "a.b": "a__dot__b",
    "a-b": "a__dash__b",
    "a/b": "a__slash__b",
    "-a": "__dash__a",
    "a_-_b": "a___dash___b",
    "x-y.z/w": "x__dash__y__dot__z__slash__w",
}


def model_with(name: str) -> type[Model]:
    class Named(Model, markers=(AtMostOneOf("field"),)):
        field: Annotated[str | None, Wire(name)] = None

    return Named


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_escaped_as_cel_wants_it(name: str) -> None:
    [(rule, _)] = rules(schema_of(model_with(name)))
    assert rule == f"(has(self.{NAMES[name]}) ? 1 : 0) <= 1"


@pytest.mark.parametrize("name", ["1st", "$ref", "a b", "é", "a:b"])
def test_a_name_that_cel_cannot_write_is_refused(name: str) -> None:
    with pytest.raises(
        SchemaError, match=rf"^f\.{re.escape(name)}: a rule cannot reach a field of this name"
    ):
        schema_of(model_with(name), "f")
