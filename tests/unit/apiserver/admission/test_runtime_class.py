from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.admission import check_overhead, set_runtime
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.world import World

Object = dict[str, Any]


def world_with(**fields: Any) -> World:
    world = World()
    obj = {"metadata": {"name": "tiny"}, "handler": "tiny", **fields}
    world.store.collection("node.k8s.io/runtimeclasses").put("tiny", obj, None)
    return world


def pod(**spec: Any) -> Object:
    return {"metadata": {"namespace": "ns", "name": "a"}, "spec": {"runtimeClassName": "tiny", **spec}}


def test_a_pod_gets_the_overhead_the_nodes_and_the_tolerations_of_its_class() -> None:
    toleration = {"key": "tiny", "operator": "Exists"}
    world = world_with(
        overhead={"podFixed": {"cpu": "250m"}},
        scheduling={"nodeSelector": {"tiny": "yes"}, "tolerations": [toleration]},
    )
    obj = pod(nodeSelector={"disk": "ssd"})

    set_runtime(obj, world)
    check_overhead(obj, world)

    assert obj["spec"] == {
        "runtimeClassName": "tiny",
        "overhead": {"cpu": "250m"},
        "nodeSelector": {"disk": "ssd", "tiny": "yes"},
        "tolerations": [toleration],
    }


def test_of_two_tolerations_the_one_that_includes_the_other_stays() -> None:
    narrow = {"key": "tiny", "operator": "Equal", "value": "a", "effect": "NoSchedule"}
    other = {"key": "tiny", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 5}
    world = world_with(scheduling={"tolerations": [{"key": "tiny", "operator": "Exists"}]})
    obj = pod(tolerations=[narrow, other])

    set_runtime(obj, world)

    assert obj["spec"]["tolerations"] == [{"key": "tiny", "operator": "Exists"}]


@pytest.mark.parametrize(
    ("fields", "spec", "why"),
    [
        ({}, {"runtimeClassName": "huge"}, 'RuntimeClass "huge" not found'),
        (
            {"overhead": {"podFixed": {"cpu": "1"}}},
            {"overhead": {"cpu": "2"}},
            "Pod's Overhead doesn't match RuntimeClass's defined Overhead",
        ),
        (
            {"scheduling": {"nodeSelector": {"a": "b"}}},
            {"nodeSelector": {"a": "c"}},
            r"conflict: runtimeClass.scheduling.nodeSelector\[a\] = b; pod.spec.nodeSelector\[a\] = c",
        ),
    ],
)
def test_a_pod_that_contradicts_its_class_is_forbidden(fields: Object, spec: Object, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        set_runtime(pod(**spec), world_with(**fields))


def test_an_overhead_without_a_class_is_forbidden() -> None:
    obj = {"metadata": {"name": "a"}, "spec": {"overhead": {"cpu": "1"}}}
    set_runtime(obj, World())

    with pytest.raises(Refusal, match="Pod Overhead set without corresponding RuntimeClass"):
        check_overhead(obj, World())
