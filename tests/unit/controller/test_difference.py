from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.controller.difference import HIDDEN, FieldChange, field_changes


def told(old: Any, new: Any, kind: str = "") -> list[tuple[str, Any, Any]]:
    return [(each.path, each.old, each.new) for each in field_changes(old, new, kind=kind)]


def containers(*items: Any) -> dict[str, Any]:
    return {"spec": {"containers": list(items)}}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param({"spec": {"replicas": 1}}, {"spec": {"replicas": 3}}, [(".spec.replicas", 1, 3)], id="changed"),
        pytest.param({"spec": {}}, {"spec": {"a": {"b": 1}}}, [(".spec.a", None, {"b": 1})], id="a new field, whole"),
        pytest.param({"spec": {"a": [1]}}, {"spec": {}}, [(".spec.a", [1], None)], id="a field that is gone"),
        pytest.param({"spec": {"a": True}}, {"spec": {"a": 1}}, [(".spec.a", True, 1)], id="true is not 1"),
        pytest.param({"spec": {"a": "1"}}, {"spec": {"a": 1}}, [(".spec.a", "1", 1)], id="text is no number"),
        pytest.param(
            {"metadata": {"annotations": {"a.b/c": "1"}}}, {"metadata": {"annotations": {"a.b/c": "2"}}},
            [(".metadata.annotations[a.b/c]", "1", "2")], id="a name with dots",
        ),
        pytest.param(
            containers({"name": "web", "image": "a:1"}, {"name": "log", "image": "b"}),
            containers({"name": "log", "image": "b"}, {"name": "web", "image": "a:2"}),
            [(".spec.containers[name=web].image", "a:1", "a:2")], id="items by name, in any order",
        ),
        pytest.param(
            containers({"name": "web"}), containers({"name": "web"}, {"name": "log"}),
            [(".spec.containers[name=log]", None, {"name": "log"})], id="an item more",
        ),
        pytest.param(
            {"spec": {"ports": [{"port": 80, "nodePort": 1}, {"port": 80, "protocol": "UDP"}]}},
            {"spec": {"ports": [{"port": 80, "protocol": "TCP", "nodePort": 2}, {"port": 80, "protocol": "UDP"}]}},
            [(".spec.ports[port=80,protocol=TCP].nodePort", 1, 2), (".spec.ports[port=80,protocol=TCP].protocol", None, "TCP")],
            id="items by port and protocol",
        ),
        pytest.param(
            {"status": {"conditions": [{"type": "Ready", "status": "False"}]}},
            {"status": {"conditions": [{"type": "Ready", "status": "True"}]}},
            [(".status.conditions[type=Ready].status", "False", "True")], id="items by type",
        ),
        pytest.param(
            containers({"name": "a", "x": 1}, {"name": "a", "x": 2}), containers({"name": "a", "x": 1}, {"name": "a", "x": 3}),
            [(".spec.containers[1].x", 2, 3)], id="a name twice identifies nothing",
        ),
        pytest.param({"args": ["a", "b"]}, {"args": ["a", "c", "d"]}, [(".args[1]", "b", "c"), (".args[2]", None, "d")], id="items by place"),
        pytest.param({"a": []}, {"a": [{"name": "x"}]}, [(".a[name=x]", None, {"name": "x"})], id="the first item"),
        pytest.param(None, {"spec": {"a": 1}}, [(".spec", None, {"a": 1})], id="a new object"),
        pytest.param({"spec": {"a": 1}}, None, [(".spec", {"a": 1}, None)], id="an object that is gone"),
    ],
)  # fmt: skip
def test_fields_are_told_one_by_one(old: Any, new: Any, expected: list[tuple[str, Any, Any]]) -> None:
    assert told(old, new) == expected


def test_the_servers_own_bookkeeping_is_left_out() -> None:
    new = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {
            "name": "a", "uid": "u", "resourceVersion": "5", "generation": 2, "managedFields": [{"manager": "x"}],
            "creationTimestamp": "2026-01-01T00:00:00Z", "deletionTimestamp": "2026-01-02T00:00:00Z",
        },
    }  # fmt: skip

    assert told({"metadata": {"name": "a"}}, new) == [
        (".metadata.deletionTimestamp", None, "2026-01-02T00:00:00Z")
    ]


def test_of_a_secret_it_is_told_which_values_changed_but_not_to_what() -> None:
    applied = {"kubectl.kubernetes.io/last-applied-configuration": '{"data":{"password":"old"}}'}
    old = {"data": {"password": "old", "user": "me"}, "metadata": {"annotations": {**applied, "a": "1"}}}
    new = {
        "type": "Opaque",
        "data": {"password": "new", "user": "me", "tls.crt": "x"},
        "metadata": {"annotations": {"a": "2"}},
    }

    assert told(old, new, "Secret") == [
        (".data.password", HIDDEN, HIDDEN),
        (".data[tls.crt]", None, HIDDEN),
        (".metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]", HIDDEN, None),
        (".metadata.annotations.a", "1", "2"),
        (".type", None, "Opaque"),
    ]


secrets = st.fixed_dictionaries(
    {},
    optional={
        "data": st.dictionaries(st.sampled_from(["a", "b.c", "d/e"]), st.just("s3cret")) | st.just("s3cret"),
        "stringData": st.dictionaries(st.sampled_from(["a", "b"]), st.just("s3cret")),
        "metadata": st.fixed_dictionaries(
            {},
            optional={
                "annotations": st.just(
                    {"kubectl.kubernetes.io/last-applied-configuration": '{"data": "s3cret"}'}
                )
            },
        ),
    },
)


@given(secrets | st.none(), secrets | st.none(), st.sampled_from(["kind", "object"]))
def test_no_value_of_a_secret_ever_shows(old: Any, new: Any, said_by: str) -> None:
    if said_by == "object":
        old = {**(old or {}), "kind": "Secret"}

    found = field_changes(old, new, kind="Secret" if said_by == "kind" else "")

    assert "s3cret" not in str(found)


values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.text("ab", max_size=2),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "type", "a.b", "c"]), inner)
    ),
    max_leaves=8,
)
objects = st.dictionaries(st.sampled_from(["spec", "status", "data"]), values)


@given(objects)
def test_an_object_does_not_differ_from_itself(value: Any) -> None:
    assert field_changes(value, value) == ()


@given(objects, objects)
def test_each_way_tells_the_same_fields(old: Any, new: Any) -> None:
    there, back = field_changes(old, new), field_changes(new, old)

    assert {(each.path, str(each.old), str(each.new)) for each in there} == {
        (each.path, str(each.new), str(each.old)) for each in back
    }


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (FieldChange(".spec.replicas", 1, 3), ".spec.replicas: 1 → 3"),
        (FieldChange(".a", None, "x"), ".a: 'x' (new)"),
        (FieldChange(".a", "x", None), ".a: 'x' (removed)"),
    ],
)
def test_a_change_reads_as_a_line(change: FieldChange, text: str) -> None:
    assert str(change) == text
