"""Manifests of releases are read as Helm reads them, and compared as objects."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.api import Key, write_yaml
from windlass.errors import ConfigError
from windlass.helm.manifest import (
    Identity,
    differences,
    helm_metadata,
    identity,
    is_kept,
    is_object,
    read_manifest,
    same,
)

if TYPE_CHECKING:
    from windlass.api import Json

MAP: Json = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web"}, "data": {"a": "b"}}
SHOP: Json = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "shop", "namespace": "x"},
    "spec": {"replicas": 1},
}
scalars = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text(max_size=3)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "name"]), inner, max_size=3)
    ),
    max_leaves=8,
)
objects = st.builds(
    lambda name, spec: {"apiVersion": "v1", "kind": "Thing", "metadata": {"name": name}, "spec": spec},
    st.sampled_from(["x", "y", "z"]),
    values,
)


def _by_name(objects: list[Json]) -> dict[str, Json]:
    return {each["metadata"]["name"]: each for each in objects}


def test_empty_documents_and_comments_are_no_objects() -> None:
    text = "---\n# Source: a.yaml\n---\n{}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\n---\n\n"

    assert read_manifest(text) == [{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}]


def test_lists_are_read_as_their_items_in_order() -> None:
    text = write_yaml(
        [
            SHOP,
            {"apiVersion": "v1", "kind": "List", "items": [MAP]},
            {"apiVersion": "v1", "kind": "SecretList", "items": [{"metadata": {"name": "s"}}]},
        ]
    )

    assert read_manifest(text) == [
        SHOP,
        MAP,
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}},
    ]


def test_a_kind_that_is_merely_called_list_is_an_object() -> None:
    wishes: Json = {"apiVersion": "x/v1", "kind": "WishList", "metadata": {}, "spec": {"items": []}}

    assert read_manifest(write_yaml([wishes])) == [wishes]


@pytest.mark.parametrize("text", ["just text", "- a\n- b", "a: [", "kind: List\nitems: [1]"])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="the manifest"):
        read_manifest(text)


@pytest.mark.parametrize(
    ("obj", "told"),
    [
        ({"kind": "ConfigMap", "metadata": {"name": "a"}}, "an object whose apiVersion is missing"),
        ({"apiVersion": ["v1"], "kind": "ConfigMap"}, r"an object whose apiVersion is \"\['v1'\]\""),
        ({"apiVersion": "v1", "kind": {"a": "b"}, "metadata": {"name": "a"}}, "an object whose kind is"),
        ({"apiVersion": "v1", "kind": "ConfigMap"}, "a ConfigMap whose metadata is missing"),
        ({"apiVersion": "v1", "kind": "ConfigMap", "metadata": "bogus"}, "whose metadata is 'bogus'"),
        ({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": 1}}, "whose metadata.name is '1'"),
        ({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": ".."}}, "whose metadata.name is"),
        ({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a/b"}}, "whose metadata.name is"),
        ({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"namespace": "a%2f"}}, "metadata.namespace"),
        ({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"labels": "x"}}, "metadata.labels is 'x'"),
    ],
)
def test_an_object_that_does_not_say_which_one_it_is_is_refused(obj: Json, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        read_manifest(write_yaml([obj]))
    assert not is_object(obj)


def test_the_version_of_a_kind_is_no_part_of_its_identity() -> None:
    assert identity(SHOP, "default") == Identity("apps", "Deployment", "x", "shop")
    assert identity(MAP, "default") == Identity("", "ConfigMap", "default", "web")
    assert identity({**SHOP, "apiVersion": "apps/v2"}) == identity(SHOP)


def test_an_object_whose_name_is_to_be_made_is_known_by_its_beginning() -> None:
    job: Json = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"generateName": "run-"}}

    assert identity(job).name == "run-"


@pytest.mark.parametrize(
    "changed",
    [
        {**MAP, "spec": None},
        {**MAP, "metadata": {"labels": {}, "annotations": None, "creationTimestamp": None, "name": "web"}},
        dict(reversed(MAP.items())),
    ],
)
def test_what_asks_for_nothing_else_is_the_same(changed: Json) -> None:
    assert same([MAP, SHOP], [SHOP, changed])
    assert differences([MAP, SHOP], [SHOP, changed]) == []


def test_how_a_number_is_written_makes_no_difference() -> None:
    assert same([{**SHOP, "spec": {"replicas": 1.0}}], [SHOP])


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({**SHOP, "spec": {"replicas": 3}}, ["Deployment shop: .spec.replicas: 1 → 3"]),
        ({**SHOP, "spec": {"replicas": True}}, ["Deployment shop: .spec.replicas: 1 → True"]),
        ({**SHOP, "apiVersion": "apps/v2"}, ["Deployment shop: .apiVersion: 'apps/v1' → 'apps/v2'"]),
        ({**SHOP, "kind": "Rollout"}, ["Deployment shop: removed", "Rollout shop: added"]),
        (
            {**SHOP, "metadata": {**SHOP["metadata"], "labels": {"a": None}}},
            ["Deployment shop: .metadata.labels: {'a': ''} (new)"],
        ),
    ],
)
def test_what_changes_is_told(changed: Json, told: list[str]) -> None:
    assert not same([SHOP], [changed])
    assert differences([SHOP], [changed]) == told


def test_an_order_of_items_that_changes_is_told() -> None:
    old, new = ({**SHOP, "spec": [{"name": one}, {"name": two}]} for one, two in ("ab", "ba"))

    assert differences([old], [new]) == ["Deployment shop: the order of items in a list"]


def test_an_object_that_is_there_twice_is_not_the_same_as_once() -> None:
    assert not same([MAP, MAP], [MAP])
    assert differences([MAP, MAP], [MAP]) == ["ConfigMap web: removed"]


def test_what_is_in_a_secret_is_not_told() -> None:
    old, new = ({"apiVersion": "v1", "kind": "Secret", "data": {"p": text}} for text in ("b2xk", "bmV3"))

    told = differences([old], [new])

    assert len(told) == 1
    assert "b2xk" not in told[0]
    assert "bmV3" not in told[0]


@pytest.mark.property
@given(st.lists(objects, max_size=3), st.lists(objects, max_size=3))
def test_manifests_are_the_same_exactly_where_no_difference_is_told(old: list[Json], new: list[Json]) -> None:
    old, new = ([each for _, each in sorted(_by_name(objects).items())] for objects in (old, new))

    assert same(old, old)
    assert same(old, new) is (differences(old, new) == [])


@pytest.mark.parametrize(
    ("annotations", "kept"),
    [({"helm.sh/resource-policy": "keep"}, True), ({"helm.sh/resource-policy": "Kept"}, True), (None, False)],
)
def test_an_object_with_a_resource_policy_outlives_its_release(annotations: Any, kept: bool) -> None:  # noqa: FBT001
    assert is_kept({**MAP, "metadata": {"name": "web", "annotations": annotations}}) is kept
    assert not is_kept({"apiVersion": "v1", "kind": "ConfigMap"})


def test_helm_marks_what_is_its_own_and_keeps_what_the_chart_says() -> None:
    obj: Json = {
        **MAP,
        "metadata": {"name": "web", "labels": {"app.kubernetes.io/managed-by": "Me", "a": "b"}},
    }
    before = deepcopy(obj)

    marked = helm_metadata(obj, Key("prod", "shop"))

    assert marked["metadata"] == {
        "name": "web",
        "labels": {"a": "b", "app.kubernetes.io/managed-by": "Helm"},
        "annotations": {"meta.helm.sh/release-name": "shop", "meta.helm.sh/release-namespace": "prod"},
    }
    assert obj == before
    assert marked["data"] is obj["data"]


def test_a_manifest_of_more_nodes_than_can_be_held_is_refused() -> None:
    with pytest.raises(ConfigError, match="is refused: it has more than 400000"):
        read_manifest("items:\n" + "- x\n" * 400_000)
