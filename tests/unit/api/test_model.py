from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from datetime import UTC, date, datetime, timedelta
from inspect import get_annotations
from typing import Annotated, Any, ClassVar, Generic, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windlass.api import (
    Base64,
    Cel,
    Duration,
    Field,
    Kind,
    MicroTime,
    Model,
    Nullable,
    ObjectMeta,
    Resource,
    Spec,
    Status,
    Time,
    Untyped,
    Wire,
)
from windlass.errors import UndecodableError


class Handler(Model):
    path: str = "/"
    headers: dict[str, str] = {"accept": "*/*"}


class Probe(Model):
    handler: Handler = Field(default_factory=Handler)
    period_seconds: int = 10


class Port(Model):
    container_port: int
    protocol: str = "TCP"
    host_ip: Annotated[str, Wire("hostIP")] = ""


class ShopSpec(Spec):
    image: str = ""
    replicas: int = 1
    ports: list[Port] = []
    env: dict[str, str] = {}
    args: list[str] = ["serve", "--all"]
    tags: set[str] = set()
    probe: Probe = Field(default_factory=Probe)
    probes: dict[str, Probe] = {}
    free: Any = None
    pause: Annotated[bool | None, Nullable()] = None
    note: str | None = None


class ShopStatus(Status):
    phase: str = ""


class Shop(Resource, group="demo.example.com", version="v1"):
    spec: ShopSpec = Field(default_factory=ShopSpec)
    status: ShopStatus = Field(default_factory=ShopStatus)


SHOP = {"apiVersion": "demo.example.com/v1", "kind": "Shop"}

scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.text()
json = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
)


def laid_over(known: Mapping[str, st.SearchStrategy[Any]], taken: set[str]) -> st.SearchStrategy[Any]:
    """Objects that have some of the known fields, of the right type, and unknown ones of any shape."""
    unknown = st.dictionaries(st.text().filter(lambda name: name not in taken), json, max_size=3)
    typed = st.fixed_dictionaries({}, optional=dict(known))
    return st.builds(lambda below, above: {**below, **above}, unknown, typed)


def wire_names(cls: type[Model]) -> set[str]:
    return set(cls.model_json_schema(mode="serialization")["properties"])


texts = st.dictionaries(st.text(), st.text(), max_size=3)
handlers = laid_over({"path": st.text(), "headers": texts}, {"path", "headers"})
probes = laid_over({"handler": handlers, "periodSeconds": st.integers()}, {"handler", "periodSeconds"})
ports = laid_over(
    {"containerPort": st.integers(), "protocol": st.text(), "hostIP": st.text()},
    {"containerPort", "protocol", "hostIP"},
).map(lambda port: {"containerPort": 80, **port})
specs = laid_over(
    {
        "image": st.text(),
        "replicas": st.integers(),
        "ports": st.lists(ports, max_size=3),
        "env": texts,
        "args": st.lists(st.text(), max_size=3),
        "tags": st.sets(st.text(), max_size=3).map(sorted),
        "probe": probes,
        "probes": st.dictionaries(st.text(), probes, max_size=2),
        "free": json.filter(lambda value: value is not None),
        "pause": st.none() | st.booleans(),
        "note": st.text(),
    },
    wire_names(ShopSpec),
)
metadata = laid_over(
    {
        "name": st.text(),
        "resourceVersion": st.text(),
        "generation": st.integers(),
        "labels": texts,
        "finalizers": st.lists(st.text(), max_size=2),
        "ownerReferences": st.lists(
            laid_over({"controller": st.booleans()}, {"apiVersion", "kind", "name", "uid", "controller"})
            .map(lambda owner: {"apiVersion": "v1", "kind": "Pod", "name": "a", "uid": "b", **owner})
            .filter(lambda owner: "blockOwnerDeletion" not in owner),
            max_size=2,
        ),
    },
    wire_names(ObjectMeta),
)
statuses = laid_over({"phase": st.text()}, {"phase"})
shops = laid_over(
    {"metadata": metadata, "spec": specs, "status": statuses},
    {"metadata", "spec", "status", "apiVersion", "kind"},
).map(lambda shop: {**shop, **SHOP})


@pytest.mark.property
@settings(deadline=None)
@given(shops)
def test_whatever_is_read_is_written_back_unchanged(wire: dict[str, Any]) -> None:
    assert Shop.from_wire(deepcopy(wire)).to_wire() == wire


@pytest.mark.property
@settings(deadline=None)
@given(specs)
def test_a_model_that_is_no_resource_round_trips_too(wire: dict[str, Any]) -> None:
    assert ShopSpec.from_wire(deepcopy(wire)).to_wire() == wire


@pytest.mark.property
@settings(deadline=None)
@given(laid_over({"metadata": metadata}, {"metadata", "apiVersion", "kind"}))
def test_an_untyped_object_round_trips(wire: dict[str, Any]) -> None:
    wire = {**wire, "apiVersion": "g/v1", "kind": "Thing"}
    thing = Untyped.of(Kind("g", "v1", "Thing", "things"))
    assert thing.from_wire(deepcopy(wire)).to_wire() == wire


@pytest.mark.property
@settings(deadline=None)
@given(shops)
def test_a_copy_writes_what_the_original_writes(wire: dict[str, Any]) -> None:
    shop = Shop.from_wire(wire)
    assert shop.model_copy().to_wire() == shop.model_copy(deep=True).to_wire() == shop.to_wire()


def test_nothing_set_means_nothing_written() -> None:
    assert ShopSpec().to_wire() == {}
    assert Shop().to_wire() == SHOP


def test_what_was_given_to_the_constructor_is_written_and_nothing_else() -> None:
    spec = ShopSpec(image="shop:1", ports=[Port(container_port=80)])
    assert spec.to_wire() == {"image": "shop:1", "ports": [{"containerPort": 80}]}


def test_a_value_equal_to_the_default_is_written_once_it_is_assigned() -> None:
    spec = ShopSpec(replicas=1)
    spec.image = ""
    spec.probe.period_seconds = 10
    spec.args = ["serve", "--all"]
    spec.env = {}
    assert spec.to_wire() == {
        "image": "",
        "replicas": 1,
        "env": {},
        "args": ["serve", "--all"],
        "probe": {"periodSeconds": 10},
    }


def change_label(shop: Shop) -> None:
    shop.metadata.labels["a"] = "b"


def append_port(shop: Shop) -> None:
    shop.spec.ports.append(Port(container_port=80))


def append_argument(shop: Shop) -> None:
    shop.spec.args.append("-v")


def clear_arguments(shop: Shop) -> None:
    shop.spec.args.clear()


def add_tag(shop: Shop) -> None:
    shop.spec.tags.add("new")


def three_levels_deep(shop: Shop) -> None:
    shop.spec.probe.handler.path = "/healthz"


def delete_inside_a_default(shop: Shop) -> None:
    del shop.spec.probe.handler.headers["accept"]


def add_inside_a_default(shop: Shop) -> None:
    shop.spec.probe.handler.headers["x"] = "y"


def fill_a_map_of_models(shop: Shop) -> None:
    shop.spec.probes["live"] = Probe()


IN_PLACE: list[tuple[Callable[[Shop], None], dict[str, Any]]] = [
    (change_label, {"metadata": {"labels": {"a": "b"}}}),
    (append_port, {"spec": {"ports": [{"containerPort": 80}]}}),
    (append_argument, {"spec": {"args": ["serve", "--all", "-v"]}}),
    (clear_arguments, {"spec": {"args": []}}),
    (add_tag, {"spec": {"tags": ["new"]}}),
    (three_levels_deep, {"spec": {"probe": {"handler": {"path": "/healthz"}}}}),
    (delete_inside_a_default, {"spec": {"probe": {"handler": {"headers": {}}}}}),
    (add_inside_a_default, {"spec": {"probe": {"handler": {"headers": {"accept": "*/*", "x": "y"}}}}}),
    (fill_a_map_of_models, {"spec": {"probes": {"live": {}}}}),
]


@pytest.mark.parametrize(("change", "written"), IN_PLACE, ids=lambda value: getattr(value, "__name__", ""))
def test_a_nested_default_changed_in_place_is_written(
    change: Callable[[Shop], None], written: dict[str, Any]
) -> None:
    shop = Shop()
    change(shop)
    assert shop.to_wire() == SHOP | written


@pytest.mark.parametrize("change", [change for change, _ in IN_PLACE], ids=lambda change: change.__name__)
def test_a_change_in_place_stays_in_its_own_object(change: Callable[[Shop], None]) -> None:
    change(Shop())
    assert Shop().to_wire() == SHOP


def test_looking_at_nested_defaults_writes_nothing() -> None:
    shop = Shop()
    assert (shop.metadata.labels, shop.spec.args, shop.spec.probe.handler.path) == (
        {},
        ["serve", "--all"],
        "/",
    )
    assert shop.to_wire() == SHOP


def test_a_change_taken_back_is_not_written() -> None:
    shop = Shop()
    shop.metadata.labels["a"] = "b"
    del shop.metadata.labels["a"]
    shop.spec.args.append("x")
    shop.spec.args.pop()
    assert shop.to_wire() == SHOP


def test_defaults_below_a_set_model_stay_unwritten() -> None:
    assert Shop(spec=ShopSpec(probe=Probe())).to_wire() == SHOP | {"spec": {"probe": {}}}


class Prepared(Model):
    handler: Handler = Field(default_factory=lambda: Handler(path="/ready"))
    other: Handler = Handler(path="/other")


def test_a_default_made_with_values_is_written_only_when_it_is_changed() -> None:
    prepared = Prepared()
    assert prepared.to_wire() == {}
    prepared.handler.path = "/"
    prepared.other.headers["a"] = "b"
    assert prepared.to_wire() == {
        "handler": {"path": "/"},
        "other": {"path": "/other", "headers": {"accept": "*/*", "a": "b"}},
    }
    assert Prepared().to_wire() == {}


class Derived(Model):
    name: str
    host: str = Field(default_factory=lambda known: f"{known['name']}.local")
    hosts: list[str] = Field(default_factory=lambda known: [known["name"]])


def test_a_default_made_from_other_fields_is_written_because_no_server_could_know_it() -> None:
    assert Derived(name="a").to_wire() == {"name": "a", "host": "a.local", "hosts": ["a"]}


def test_none_is_absent() -> None:
    assert ShopSpec(note=None, free=None).to_wire() == {}


@pytest.mark.parametrize("value", [None, True, False])
def test_a_nullable_field_writes_null_once_it_is_set(value: bool | None) -> None:  # noqa: FBT001 - the table
    assert ShopSpec(pause=value).to_wire() == {"pause": value}
    assert ShopSpec().to_wire() == {}
    assert ShopSpec.from_wire({"pause": value}).to_wire() == {"pause": value}


class InnerNullable(Model):
    level: Annotated[int, Nullable()] | None = None


def test_nullable_may_stand_on_the_branch_of_an_optional() -> None:
    assert InnerNullable(level=None).to_wire() == {"level": None}
    assert InnerNullable().to_wire() == {}


def test_a_copy_keeps_what_was_set() -> None:
    spec = ShopSpec(image="a")
    copy = spec.model_copy(update={"replicas": 1})
    assert copy.to_wire() == {"image": "a", "replicas": 1}
    assert spec.to_wire() == {"image": "a"}


def test_a_deep_copy_shares_nothing() -> None:
    shop = Shop.from_wire({"metadata": {"labels": {"a": "b"}}, "spec": {"unknown": {"list": [1]}}})
    copy = shop.model_copy(deep=True)
    copy.metadata.labels["a"] = "c"
    (copy.spec.model_extra or {})["unknown"]["list"].append(2)
    assert shop.to_wire() == SHOP | {"metadata": {"labels": {"a": "b"}}, "spec": {"unknown": {"list": [1]}}}


class Names(Model):
    cluster_ip: Annotated[str, Wire("clusterIP")] = ""
    cluster_ips: Annotated[list[str], Wire("clusterIPs")] = []
    load_balancer_class: str = ""
    kind_: Annotated[str | None, Wire("kind")] = None


class Snake(Model, alias_generator=None):
    scrape_interval: str = ""
    relabel_config: Annotated[str, Wire("relabelConfig")] = ""


@pytest.mark.parametrize(
    ("model", "wire"),
    [
        (Names(cluster_ip="1.2.3.4"), {"clusterIP": "1.2.3.4"}),
        (Names(cluster_ips=["1.2.3.4"]), {"clusterIPs": ["1.2.3.4"]}),
        (Names(load_balancer_class="x"), {"loadBalancerClass": "x"}),
        (Names(kind_="x"), {"kind": "x"}),
        (Snake(scrape_interval="1m"), {"scrape_interval": "1m"}),
        (Snake(relabel_config="x"), {"relabelConfig": "x"}),
    ],
)
def test_each_field_has_its_wire_name(model: Model, wire: dict[str, Any]) -> None:
    assert model.to_wire() == wire
    assert type(model).from_wire(wire) == model


def test_a_wire_key_in_snake_case_is_an_unknown_field() -> None:
    names = Names.from_wire({"cluster_ip": "a", "load_balancer_class": 5, "clusterIP": "b"})
    assert (names.cluster_ip, names.load_balancer_class) == ("b", "")
    assert names.to_wire() == {"clusterIP": "b", "cluster_ip": "a", "load_balancer_class": 5}


def test_a_camel_case_key_is_unknown_to_a_class_in_snake_case() -> None:
    snake = Snake.from_wire({"scrapeInterval": "1m"})
    assert snake.scrape_interval == ""
    assert snake.to_wire() == {"scrapeInterval": "1m"}


AWKWARD = [
    "",
    " ",
    "_private",
    "__dunder__",
    "model_fields",
    "to_wire",
    "from_wire",
    "copy",
    "a.b/c",
    "ünïcode",
]


@pytest.mark.parametrize("name", AWKWARD)
def test_an_unknown_field_may_have_any_name(name: str) -> None:
    wire = {name: {"deep": [None, {name: 1}]}}
    assert Port.from_wire({"containerPort": 1} | wire).to_wire() == {"containerPort": 1} | wire


def test_an_unknown_field_can_be_read_and_changed() -> None:
    port = Port.from_wire({"containerPort": 1, "appProtocol": {"name": "h2"}})
    extra = port.model_extra
    assert extra == {"appProtocol": {"name": "h2"}}
    extra["appProtocol"]["name"] = "h3"
    assert port.to_wire() == {"containerPort": 1, "appProtocol": {"name": "h3"}}


def test_what_is_written_shares_nothing_with_the_object() -> None:
    shop = Shop.from_wire({"metadata": {"labels": {"a": "b"}}, "extra": {"list": [1]}})
    wire = shop.to_wire()
    wire["metadata"]["labels"]["a"] = "c"
    wire["extra"]["list"].append(2)
    assert shop.to_wire() == SHOP | {"metadata": {"labels": {"a": "b"}}, "extra": {"list": [1]}}


class Times(Model):
    at: Time | None = None
    many: list[Time] = []
    exact: dict[str, MicroTime] = {}
    waits: list[Duration] = []
    by_name: dict[str, Duration | None] = {}
    pair: tuple[Duration, ...] = ()
    seen: set[Time] = set()
    steps: Sequence[Duration] = []
    limits: Mapping[str, Duration] = {}
    nested: dict[str, list[Duration]] = {}
    secrets: dict[str, Base64] = {}
    day: date | None = None


MOMENT = datetime(2026, 1, 2, 3, 4, 5, 678000, UTC)


@pytest.mark.parametrize(
    ("model", "wire"),
    [
        (Times(at=MOMENT), {"at": "2026-01-02T03:04:05Z"}),
        (Times(many=[MOMENT]), {"many": ["2026-01-02T03:04:05Z"]}),
        (Times(exact={"a": MOMENT}), {"exact": {"a": "2026-01-02T03:04:05.678000Z"}}),
        (Times(waits=[timedelta(seconds=90)]), {"waits": ["1m30s"]}),
        (Times(by_name={"a": timedelta(hours=1), "b": None}), {"byName": {"a": "1h0m0s", "b": None}}),
        (Times(pair=(timedelta(seconds=1), timedelta(seconds=2))), {"pair": ["1s", "2s"]}),
        (Times(seen={MOMENT}), {"seen": ["2026-01-02T03:04:05Z"]}),
        (Times(steps=[timedelta(seconds=1)]), {"steps": ["1s"]}),
        (Times(limits={"a": timedelta(seconds=1)}), {"limits": {"a": "1s"}}),
        (Times(nested={"a": [timedelta(seconds=1)]}), {"nested": {"a": ["1s"]}}),
        (Times(secrets={"a": b"\x00\xff"}), {"secrets": {"a": "AP8="}}),
        (Times(day=date(2026, 1, 2)), {"day": "2026-01-02"}),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_type_with_a_form_of_its_own_is_written_in_it_wherever_it_stands(
    model: Times, wire: dict[str, Any]
) -> None:
    assert model.to_wire() == wire
    assert Times.from_wire(wire).to_wire() == wire


T = TypeVar("T")


class Box(Model, Generic[T]):
    item_name: T
    others: list[T] = []


def test_a_generic_model_works_like_any_other() -> None:
    box = Box[Port].from_wire({"itemName": {"containerPort": 1}, "x": 1})
    box.others.append(Port(container_port=2))
    assert box.to_wire() == {
        "itemName": {"containerPort": 1},
        "others": [{"containerPort": 2}],
        "x": 1,
    }


class Tree(Model):
    name: str = ""
    children: list["Tree"] = []
    parent: "Tree | None" = None


def test_a_type_may_contain_itself() -> None:
    wire = {"name": "a", "children": [{"children": [{"name": "b", "x": 1}]}], "parent": {"name": "c"}}
    tree = Tree.from_wire(wire)
    assert tree.children[0].children[0].name == "b"
    assert tree.to_wire() == wire


class Counted(Model):
    known: ClassVar[list[str]] = []
    index: ClassVar[dict[str, int]] = {}
    names: list[str] = []


def test_a_class_variable_is_no_field() -> None:
    assert (Counted.known, Counted.index) == ([], {})
    assert list(Counted.model_fields) == ["names"]


class First(Model, markers=(Cel("first"),)):
    a_field: int = 0


class Second(Model, markers=(Cel("second"),)):
    b_field: int = 0


class Both(First, Second, markers=(Cel("both"),)):
    c_field: int = 0


def test_the_class_variables_of_model_itself_are_not_evaluated_for_each_subclass() -> None:
    assert not [
        name for name in {**get_annotations(Model), **get_annotations(Resource)} if name.startswith("__")
    ]


def test_the_type_of_unknown_fields_can_be_stated() -> None:
    class Counts(Model):
        __pydantic_extra__: dict[str, int]

    assert Counts.from_wire({"a": 1}).to_wire() == {"a": 1}
    with pytest.raises(UndecodableError, match="a: Input should be a valid integer"):
        Counts.from_wire({"a": "many"})


def test_a_class_has_the_fields_and_markers_of_all_its_bases() -> None:
    assert Both(a_field=1, b_field=2, c_field=3).to_wire() == {"aField": 1, "bField": 2, "cField": 3}
    assert [mark.rule for mark in Both.__markers__ if isinstance(mark, Cel)] == ["first", "second", "both"]
    assert First.__markers__ == (Cel("first"),)


def test_a_subclass_writes_its_own_fields_even_when_its_base_was_used_first() -> None:
    assert First(a_field=1).to_wire() == {"aField": 1}

    class Later(First):
        later_field: int = 0

    assert Later(a_field=1, later_field=2).to_wire() == {"aField": 1, "laterField": 2}


def test_a_value_without_a_form_on_the_wire_is_refused_with_its_type() -> None:
    with pytest.raises(TypeError, match="timedelta has no form on the wire"):
        ShopSpec(free=timedelta(1)).to_wire()


def test_a_name_that_is_no_field_is_refused_in_python_with_the_nearest_one() -> None:
    shop = Shop()
    with pytest.raises(TypeError, match=r"has no field prob \(did you mean probe\?\); from_wire"):
        type(shop.spec)(prob=1)  # type: ignore[call-arg]
    with pytest.raises(AttributeError, match="did you mean probe"):
        shop.spec.prob = 1  # type: ignore[attr-defined]


def test_an_unknown_field_that_came_from_the_wire_can_be_changed() -> None:
    shop = Shop.from_wire({"spec": {"novel": 1}})
    shop.spec.novel = 2  # type: ignore[attr-defined]
    assert shop.to_wire()["spec"] == {"novel": 2}


class Holding(Model):
    fixed: tuple[Port, ...] = Field(default_factory=lambda: (Port(container_port=1), Port(container_port=2)))
    made: Port | None = Field(default_factory=lambda _: Port(container_port=3))


def test_a_default_changed_in_place_inside_a_tuple_or_an_optional_is_written() -> None:
    assert Holding().to_wire() == {"made": {"containerPort": 3}}
    holding = Holding()
    holding.fixed[1].container_port = 5
    assert holding.made is not None
    holding.made.container_port = 6
    assert holding.to_wire() == {
        "fixed": [{"containerPort": 1}, {"containerPort": 5}],
        "made": {"containerPort": 6},
    }
