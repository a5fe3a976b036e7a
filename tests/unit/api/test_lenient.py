from contextlib import suppress
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from windlass.api import (
    Base64,
    Duration,
    Field,
    IntOrString,
    Model,
    Nullable,
    Quantity,
    Resource,
    Spec,
    Time,
    Wire,
)
from windlass.errors import UndecodableError


class Leaf(Model):
    name: str
    size_limit: int


class Branch(Model):
    leaf: Leaf
    leaves: list[Leaf] = []
    by_name: dict[str, Leaf] = {}
    labels: dict[str, str] = {}
    sizes: list[int] = []


class TreeSpec(Spec):
    branch: Branch
    branches: list[Branch] = []
    replicas: int = 3
    image: str = "none"
    note: str | None = None
    pause: Annotated[bool | None, Nullable()] = None
    port: IntOrString = 80
    cpu: Quantity = Quantity("100m")
    free: dict[str, Any] = {}


class Tree(Resource, group="demo.example.com", version="v1"):
    spec: TreeSpec


TREE = {"apiVersion": "demo.example.com/v1", "kind": "Tree"}


@pytest.mark.parametrize("field", ["branches", "replicas", "image", "port", "cpu", "free"])
def test_null_counts_as_absent(field: str) -> None:
    tree = Tree.from_wire({"spec": {"branch": {"leaf": {"name": "a", "sizeLimit": 1}}, field: None}})
    assert getattr(tree.spec, field) == TreeSpec.model_fields[field].get_default(call_default_factory=True)
    assert tree.to_wire() == TREE | {"spec": {"branch": {"leaf": {"name": "a", "sizeLimit": 1}}}}


@pytest.mark.parametrize("absent", [{}, {"spec": None}, {"spec": {}}, {"spec": {"branch": None}}])
def test_an_absent_required_field_is_zero_several_levels_deep(absent: dict[str, Any]) -> None:
    tree = Tree.from_wire(absent)
    assert (tree.spec.branch.leaf.name, tree.spec.branch.leaf.size_limit) == ("", 0)


@pytest.mark.parametrize(
    "wire",
    [
        {},
        {"spec": {}},
        {"spec": {"branch": {}}},
        {"spec": {"branch": {"leaf": {"sizeLimit": 0}}}},
        {"spec": {"branch": {"leaves": [{}, {"name": ""}], "byName": {"a": {}, "b": {"sizeLimit": 1}}}}},
        {"spec": {"branches": [{"leaf": {"x": None}}]}},
    ],
)
def test_a_zero_that_was_put_in_is_not_written_back(wire: dict[str, Any]) -> None:
    assert Tree.from_wire(wire).to_wire() == TREE | wire


def test_a_zero_object_that_is_changed_in_place_is_written() -> None:
    tree = Tree.from_wire({})
    tree.spec.branch.leaf.name = "a"
    assert tree.to_wire() == TREE | {"spec": {"branch": {"leaf": {"name": "a"}}}}


class Needy(Model):
    labels: dict[str, str]
    names: list[str]
    tags: set[str]


def test_a_zero_container_that_is_changed_in_place_is_written() -> None:
    needy = Needy.from_wire({})
    assert needy.to_wire() == {}
    needy.labels["a"] = "b"
    needy.names.append("c")
    needy.tags.add("d")
    assert needy.to_wire() == {"labels": {"a": "b"}, "names": ["c"], "tags": ["d"]}


class Zeros(Model):
    text: str
    number: int
    ratio: float
    flag: bool
    data: Base64
    texts: list[str]
    pair: tuple[str, ...]
    unique: set[str]
    labels: dict[str, str]
    port: IntOrString
    amount: Quantity
    at: Time
    wait: Duration
    anything: Any
    pointer: int | None
    leaf: Leaf


ZEROS: dict[str, Any] = {
    "text": "",
    "number": 0,
    "ratio": 0.0,
    "flag": False,
    "data": b"",
    "texts": [],
    "pair": (),
    "unique": set(),
    "labels": {},
    "port": 0,
    "amount": Quantity("0"),
    "at": datetime(1, 1, 1, tzinfo=UTC),
    "wait": timedelta(0),
    "anything": None,
    "pointer": None,
}


@pytest.mark.parametrize("field", ZEROS)
def test_each_type_has_the_zero_value_that_go_gives_it(field: str) -> None:
    assert getattr(Zeros.from_wire({}), field) == ZEROS[field]
    assert getattr(Zeros.from_wire(dict.fromkeys(ZEROS)), field) == ZEROS[field]


def test_zero_values_of_every_type_stay_unwritten() -> None:
    assert Zeros.from_wire({}).to_wire() == {}


@pytest.mark.parametrize(
    ("wire", "read"),
    [
        ({"labels": {"a": None, "b": "c"}}, {"labels": {"a": "", "b": "c"}}),
        ({"sizes": [1, None, 2]}, {"sizes": [1, 0, 2]}),
        ({"leaves": [None, {"name": "a"}]}, {"leaves": [{}, {"name": "a"}]}),
        ({"byName": {"a": None}}, {"byName": {"a": {}}}),
        ({"leaves": None, "byName": None, "labels": None, "leaf": None}, {}),
    ],
)
def test_null_inside_a_list_or_a_map_is_zero_as_in_go(wire: dict[str, Any], read: dict[str, Any]) -> None:
    assert Branch.from_wire(wire).to_wire() == read


def test_a_repair_touches_nothing_else() -> None:
    wire = {
        "spec": {
            "branch": {"leaf": None, "unknown": {"null": None, "list": [None]}},
            "free": {"null": None},
            "pause": None,
            "replicas": None,
        },
        "status": {"conditions": None},
    }
    assert Tree.from_wire(wire).to_wire() == TREE | {
        "spec": {
            "branch": {"unknown": {"null": None, "list": [None]}},
            "free": {"null": None},
            "pause": None,
        },
        "status": {"conditions": None},
    }


def test_the_object_that_was_read_from_is_left_alone() -> None:
    wire: dict[str, Any] = {"spec": {"branch": {"leaf": None}, "branches": [None]}}
    Tree.from_wire(wire)
    assert wire == {"spec": {"branch": {"leaf": None}, "branches": [None]}}


class Snake(Model, alias_generator=None):
    first_name: str
    address: Annotated[Leaf, Wire("homeAddress")]


def test_fields_are_found_by_their_wire_names_whatever_these_are() -> None:
    snake = Snake.from_wire({"homeAddress": {}, "first_name": None})
    assert (snake.first_name, snake.address.size_limit) == ("", 0)
    assert snake.to_wire() == {"homeAddress": {}}


class Forward(Model):
    next_step: list["Further"]


class Further(Model):
    step_name: str


def test_a_class_that_is_declared_later_is_repaired_from_a_cold_start() -> None:
    assert Forward.from_wire({"nextStep": [{}, {"stepName": None}, {"stepName": "a"}]}).to_wire() == {
        "nextStep": [{}, {}, {"stepName": "a"}]
    }


class Level(Model):
    below: "Level | None" = None
    name: str


@pytest.mark.parametrize("depth", [1, 5, 40])
def test_a_fault_is_repaired_at_any_depth(depth: int) -> None:
    wire: dict[str, Any] = {}
    for _ in range(depth):
        wire = {"below": wire}
    assert Level.from_wire(wire).to_wire() == wire


class Color(StrEnum):
    RED = "red"


class Choosy(Resource, group="demo.example.com", version="v1"):
    color: Color = Color.RED
    size: Literal["S", "M"] = "S"
    count: int = Field(default=1, le=10)
    when: Time | None = None
    data: Base64 = b""
    wait: Duration = timedelta(0)
    cpu: Quantity = Quantity("0")
    port: IntOrString = 0
    names: list[str] = []
    labels: dict[str, str] = {}
    leaf: Leaf | None = None


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"color": 5}, "color"),
    ({"size": 5}, "size"),
    ({"count": "many"}, "count: "),
    ({"count": 1.5}, "count: "),
    ({"when": "yesterday"}, "when: "),
    ({"data": "not base64!"}, "data: "),
    ({"data": "YQ="}, "data: "),
    ({"wait": "5 minutes"}, "wait: "),
    ({"cpu": "lots"}, "cpu: "),
    ({"cpu": True}, "cpu: "),
    ({"port": 1.5}, "port"),
    ({"port": True}, "port"),
    ({"names": "a"}, "names: "),
    ({"names": ["a", 1]}, r"names\.1: "),
    ({"labels": {"a": 1}}, r"labels\.a: "),
    ({"labels": []}, "labels: "),
    ({"leaf": 5}, "leaf: "),
    ({"leaf": {"name": "a", "sizeLimit": "x"}}, r"leaf\.sizeLimit: "),
    ({"metadata": "x"}, "metadata: "),
    ({"metadata": {"labels": {"a": {}}}}, r"metadata\.labels\.a: "),
]


@pytest.mark.parametrize(("wire", "field"), WRONG)
def test_a_wrong_type_is_refused_by_the_name_of_the_field(wire: dict[str, Any], field: str) -> None:
    with pytest.raises(UndecodableError, match=f"^Choosy does not fit its Python type: {field}"):
        Choosy.from_wire(wire)


def test_a_refusal_names_the_object() -> None:
    metadata = {"namespace": "shop", "name": "web"}
    with pytest.raises(UndecodableError, match=r"^Choosy shop/web does not fit its Python type: count: "):
        Choosy.from_wire({"metadata": metadata, "count": "L"})
    with pytest.raises(UndecodableError, match=r"^Choosy web does not fit"):
        Choosy.from_wire({"metadata": {"name": "web"}, "count": "L"})


def test_a_refusal_lists_only_what_could_not_be_repaired() -> None:
    with pytest.raises(UndecodableError) as caught:
        Choosy.from_wire({"names": None, "leaf": {"name": None}, "count": "x", "port": True})
    assert "names" not in str(caught.value)
    assert "leaf" not in str(caught.value)
    assert "count: " in str(caught.value)
    assert "port" in str(caught.value)


class Closed(Model):
    size: Literal["S", "M"]


def test_a_required_choice_that_is_absent_is_zero_too() -> None:
    read = Closed.from_wire({})
    assert (read.size, read.to_wire()) == ("", {})


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
fields = st.sampled_from(
    [
        "spec",
        "branch",
        "leaf",
        "leaves",
        "byName",
        "labels",
        "name",
        "sizeLimit",
        "branches",
        "metadata",
        "free",
    ]
)
shapes = st.recursive(
    json,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(fields, inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.property
@settings(deadline=None)
@given(st.dictionaries(fields, shapes, max_size=4))
def test_any_object_is_either_read_or_refused(wire: dict[str, Any]) -> None:
    tree = None
    with suppress(UndecodableError):
        tree = Tree.from_wire(wire)
    if tree is not None:
        read = tree.to_wire()
        assert Tree.from_wire(read).to_wire() == read


class Limited(Model):
    count: Annotated[int, Field(ge=1, le=3)] = 1
    name: Annotated[str, Field(max_length=2, pattern="^a")] = "a"
    colour: Literal["red", "green"] = "red"
    items: Annotated[list[Annotated[int, Field(lt=5)]], Field(max_length=1)] = []
    inner: "Limited | None" = None


def test_what_is_stored_may_be_older_than_the_limits() -> None:
    stored = {
        "count": 7,
        "name": "bbb",
        "colour": "blue",
        "items": [9, 9],
        "inner": {"count": 0},
        "more": None,
    }

    read = Limited.from_wire(stored)

    assert (read.count, read.name, read.colour, read.items) == (7, "bbb", "blue", [9, 9])
    assert read.inner is not None
    assert read.inner.count == 0
    assert read.to_wire() == stored


def test_the_limits_hold_for_what_is_made_in_python() -> None:
    with pytest.raises(ValidationError):
        Limited(count=7)


def test_a_wrong_type_is_still_refused_beside_a_broken_limit() -> None:
    with pytest.raises(UndecodableError, match="name"):
        Limited.from_wire({"count": 7, "name": 1})
