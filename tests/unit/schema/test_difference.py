from copy import deepcopy
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windlass.api import Field, Json, ListMap, Model, Resource, Spec, Status
from windlass.schema import Drift, drift, structural


class Port(Model):
    """A port."""

    number: int = Field(default=80, ge=1)
    """Its number."""
    name: str = ""


class ShopSpec(Spec):
    image: str
    ports: Annotated[list[Port], ListMap("number")] = []
    by_name: dict[str, Port] = {}
    size: int = 1


class ShopStatus(Status):
    url: str = ""


class Shop(Resource, group="demo.example.com", version="v1"):
    spec: ShopSpec
    status: ShopStatus = Field(default_factory=ShopStatus)


def at(schema: Json, path: str) -> Json:
    """The schema at a path such as `spec.ports[].name`."""
    for step in path.replace("[]", ".[]").split("."):
        if step == "[]":
            schema = schema["items"]
        elif step == "*":
            schema = schema["additionalProperties"]
        elif step:
            schema = schema["properties"][step]
    return schema


@pytest.fixture
def served() -> Json:
    return structural(Shop)


def test_a_schema_does_not_drift_from_itself(served: Json) -> None:
    found = drift(served, structural(Shop))
    assert found == Drift()
    assert not found


def test_words_do_not_matter(served: Json) -> None:
    for path in ("", "spec", "spec.ports[]", "spec.ports[].number"):
        place = at(served, path)
        place["description"], place["title"] = "another", "Another"
        place["example"], place["externalDocs"] = 1, {"url": "https://example.com"}
    assert not drift(served, structural(Shop))


def test_the_order_does_not_matter(served: Json) -> None:
    served["properties"] = dict(reversed(served["properties"].items()))
    served.setdefault("required", []).reverse()
    assert not drift(served, structural(Shop))
    assert not drift({"enum": ["a", "b"]}, {"enum": ["b", "a"]})


@pytest.mark.parametrize(
    ("parent", "name"),
    [
        ("", "status"),
        ("spec", "size"),
        ("spec.ports[]", "name"),
        ("spec.byName.*", "name"),
        ("status", "url"),
    ],
)
def test_a_field_that_the_cluster_lacks_is_unknown_there(served: Json, parent: str, name: str) -> None:
    del at(served, parent)["properties"][name]
    path = f".{parent}.{name}" if parent else f".{name}"
    assert drift(served, structural(Shop)) == Drift(unknown=(path,))


@pytest.mark.parametrize("parent", ["", "spec", "spec.ports[]", "spec.byName.*", "status"])
def test_a_field_that_only_the_cluster_has_is_extra(served: Json, parent: str) -> None:
    at(served, parent).setdefault("properties", {})["more"] = {"type": "string"}
    path = f".{parent}.more" if parent else ".more"
    assert drift(served, structural(Shop)) == Drift(extra=(path,))


@pytest.mark.parametrize(
    ("place", "key", "value"),
    [
        ("spec.size", "type", "string"),
        ("spec.size", "default", 2),
        ("spec.size", "minimum", 1),
        ("spec.size", "nullable", True),
        ("spec.ports[].number", "minimum", 2),
        ("spec.ports", "x-kubernetes-list-map-keys", ["name"]),
        ("spec.ports", "x-kubernetes-list-type", "atomic"),
        ("spec.byName.*.name", "maxLength", 5),
        ("spec", "required", ["image", "size"]),
        ("spec", "x-kubernetes-validations", [{"rule": "true"}]),
        ("status.url", "pattern", "^a"),
    ],
)
def test_a_field_that_says_something_else_is_different(
    served: Json, place: str, key: str, value: Any
) -> None:
    at(served, place)[key] = value
    assert drift(served, structural(Shop)) == Drift(different=(f".{place}",))


def test_the_root_has_a_path_too(served: Json) -> None:
    served["x-kubernetes-validations"] = [{"rule": "true"}]
    assert drift(served, structural(Shop)).different == (".",)


@pytest.mark.parametrize("values", [None, True])
def test_items_and_values_without_their_type_are_different(served: Json, values: Any) -> None:
    del at(served, "spec.ports")["items"]
    at(served, "spec.byName")["additionalProperties"] = values
    assert drift(served, structural(Shop)).different == (".spec.ports[]", ".spec.byName.*")


def test_where_the_cluster_keeps_unknown_fields_none_is_dropped(served: Json) -> None:
    spec = at(served, "spec")
    spec["x-kubernetes-preserve-unknown-fields"] = True
    del spec["properties"]["size"]
    assert drift(served, structural(Shop)) == Drift(different=(".spec",))


def test_all_faults_are_listed(served: Json) -> None:
    del at(served, "spec")["properties"]["size"]
    del at(served, "status")["properties"]["url"]
    at(served, "spec.ports[]")["properties"]["more"] = {"type": "string"}
    at(served, "spec.image")["maxLength"] = 5
    assert drift(served, structural(Shop)) == Drift(
        unknown=(".spec.size", ".status.url"), extra=(".spec.ports[].more",), different=(".spec.image",)
    )


names = st.sampled_from("abcd")
schemas = st.recursive(
    st.fixed_dictionaries({"type": st.sampled_from(["string", "integer"])}),
    lambda inner: (
        st.fixed_dictionaries(
            {"type": st.just("object"), "properties": st.dictionaries(names, inner, max_size=3)}
        )
        | st.fixed_dictionaries({"type": st.just("array"), "items": inner})
        | st.fixed_dictionaries({"type": st.just("object"), "additionalProperties": inner})
    ),
    max_leaves=8,
)


@pytest.mark.property
@settings(deadline=None)
@given(schemas, schemas)
def test_what_one_side_lacks_the_other_has_too_much_of(first: Json, second: Json) -> None:
    there, back = drift(first, second), drift(second, first)
    assert (set(there.unknown), set(there.extra)) == (set(back.extra), set(back.unknown))
    assert set(there.different) == set(back.different)
    assert bool(there) is (first != second)


@pytest.mark.property
@settings(deadline=None)
@given(schemas)
def test_comparing_changes_nothing(schema: Json) -> None:
    before = deepcopy(schema)
    assert not drift(schema, deepcopy(schema))
    assert schema == before
