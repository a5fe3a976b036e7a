from __future__ import annotations

from typing import Any

from windlass.apiserver.validation.local_access_review import validate

META = {"namespace": "here"}


def faults(spec: dict[str, Any], meta: dict[str, Any] | None = None) -> list[str]:
    return [str(fault) for fault in validate({"metadata": meta or META, "spec": spec}, None)]


def test_it_asks_for_a_resource_of_its_namespace() -> None:
    assert faults({"user": "a", "resourceAttributes": {"namespace": "here"}}) == []
    assert faults({"user": "a", "resourceAttributes": {"namespace": "there"}}) == [
        'spec.resourceAttributes.namespace: Invalid value: "there": must match metadata.namespace'
    ]


def test_it_does_not_ask_for_a_path() -> None:
    assert faults({"user": "a", "nonResourceAttributes": {"path": "/x"}}) == [
        'spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":""}: disallowed on this kind of request'
    ]


def test_somebody_asks_for_something() -> None:
    assert [fault.partition(":")[0] for fault in faults({})] == ["spec.resourceAttributes", "spec.user"]


def test_it_has_a_namespace_and_nothing_else() -> None:
    spec = {"groups": ["a"], "resourceAttributes": {"namespace": "here"}}

    assert faults(spec, {**META, "managedFields": [{}]}) == []
    (fault,) = faults(spec, {**META, "name": "a"})
    assert fault.endswith(": must be empty except for namespace")
