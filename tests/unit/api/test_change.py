"""Objects as they were received, and what happened to them."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from windlass.api import Change, Field, Key, Resource, Snapshot, Spec


class AppSpec(Spec):
    replicas: int = 1


class App(Resource, group="example.com", version="v1"):
    spec: AppSpec = Field(default_factory=AppSpec)


def snapshot(version: str, **spec: Any) -> Snapshot[App]:
    return Snapshot(App, orjson.dumps({"metadata": {"name": "a", "resourceVersion": version}, "spec": spec}))


def change(old: Snapshot[App] | None, new: Snapshot[App] | None) -> Change[App]:
    return Change(App, Key("default", "a"), (old, new))


def test_a_text_need_not_say_its_kind() -> None:
    plain = snapshot("5", replicas=3)

    assert plain.data["apiVersion"] == "example.com/v1"
    assert plain.data["kind"] == "App"
    assert plain.decode().spec.replicas == 3
    assert plain.resource_version == "5"


def test_a_change_tells_what_happened_and_at_which_version() -> None:
    old, new = snapshot("5", replicas=3), snapshot("6", replicas=4)

    assert [change(None, new).event, change(old, new).event, change(old, None).event] == [
        "added",
        "modified",
        "deleted",
    ]
    assert change(old, new).resource_version == "6"
    assert change(old, None).resource_version == "5"
    assert change(old, new).paths == (".spec.replicas",)


def test_a_change_has_a_state() -> None:
    with pytest.raises(ValueError, match="without any state"):
        _ = change(None, None).latest
