from __future__ import annotations

from typing import Any

import pytest

from changes import change, metadata, state
from widget import Widget
from windlass.api import Key, Snapshot, changed_paths


@pytest.mark.parametrize(
    ("old", "new", "event"),
    [(None, {}, "added"), ({}, {}, "modified"), ({}, None, "deleted")],
)
def test_a_change_says_what_happened(old: Any, new: Any, event: str) -> None:
    assert change(old, new).event == event


def test_the_latest_state_of_an_object_that_is_gone_is_its_last() -> None:
    assert change({"spec": {"size": 7}}, None).latest.data["spec"] == {"size": 7}


def test_a_change_without_any_state_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="without any state"):
        _ = change(None, None).latest


@pytest.mark.parametrize(
    ("old", "new", "paths"),
    [
        ({"spec": {"a": 1}}, {"spec": {"a": 1}}, set()),
        ({"spec": {"a": 1}}, {"spec": {"a": 2}}, {".spec.a"}),
        ({"spec": {"a": 1}}, {"spec": {}}, {".spec.a"}),
        ({}, {"spec": {"a": 1}}, {".spec"}),
        ({"spec": {"a": [1, 2]}}, {"spec": {"a": [1, 3]}}, {".spec.a[1]"}),
        ({"spec": {"a": [1]}}, {"spec": {"a": [1, 3]}}, {".spec.a"}),
        ({"spec": {"a": [{"b": 1}]}}, {"spec": {"a": [{"b": 2}]}}, {".spec.a[0].b"}),
        (metadata(labels={"x.io/y": "1"}), metadata(labels={"x.io/y": "2"}), {".metadata.labels[x.io/y]"}),
        (metadata(resourceVersion="1", generation=1), metadata(resourceVersion="2", generation=2), set()),
    ],
)
def test_paths_name_the_fields_that_differ(old: Any, new: Any, paths: set[str]) -> None:
    assert set(changed_paths(old, new)) == paths
    assert set(change(old, new).paths) == paths


def test_an_addition_has_no_paths() -> None:
    assert change(None, {"spec": {"size": 1}}).paths == ()


def test_each_decoding_is_an_object_of_its_own() -> None:
    snapshot = state({"spec": {"size": 2}})
    assert snapshot is not None
    first, second = snapshot.decode(), snapshot.decode()

    first.spec.size = 9

    assert isinstance(second, Widget)
    assert second.spec.size == 2
    assert snapshot.data["spec"]["size"] == 2


@pytest.mark.parametrize(("key", "text"), [(Key("default", "web"), "default/web"), (Key("", "web"), "web")])
def test_a_key_is_named_as_people_name_objects(key: Key, text: str) -> None:
    assert str(key) == text


def test_a_text_need_not_say_its_kind() -> None:
    snapshot = state({"metadata": {"resourceVersion": "5"}, "spec": {"size": 3}})

    assert snapshot is not None
    assert (snapshot.data["apiVersion"], snapshot.data["kind"]) == ("test.windlass.dev/v1", "Widget")
    assert (snapshot.decode().spec.size, snapshot.resource_version) == (3, "5")


def test_a_change_has_a_version_also_when_the_object_is_gone() -> None:
    old, new = metadata(resourceVersion="5"), metadata(resourceVersion="6")

    assert change(old, new).resource_version == "6"
    assert change(old, None).resource_version == "5"


def test_what_was_released_is_decoded_again() -> None:
    seen = state({"spec": {"size": 7}})
    assert seen is not None
    first, typed = seen.data, seen.shared
    seen.release()

    assert seen.data == first
    assert seen.data is not first
    assert seen.shared.to_wire() == typed.to_wire()


def test_a_text_that_is_kept_in_another_way_is_restored_for_who_looks() -> None:
    text = b'{"metadata":{},"spec":{"size":3}}'
    kept = Snapshot(Widget, text[::-1], key=Key("", "a"), restore=lambda kept: kept[::-1])
    assert (kept.raw, kept.decode().spec.size, kept.metadata["name"]) == (text, 3, "a")


def test_snapshots_of_one_text_are_the_same_however_it_is_kept() -> None:
    text = b'{"metadata":{},"spec":{"size":3}}'
    kept = Snapshot(Widget, text[::-1], restore=lambda kept: kept[::-1])
    assert kept.is_same(Snapshot(Widget, text))
    assert not kept.is_same(Snapshot(Widget, text + b" "))
