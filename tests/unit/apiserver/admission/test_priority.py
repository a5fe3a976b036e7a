from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.admission import check_default, set_priority
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.world import World

Object = dict[str, Any]


def world_with(*classes: Object) -> World:
    world = World()
    for each in classes:
        world.store.collection("scheduling.k8s.io/priorityclasses").put(each["metadata"]["name"], each, None)
    return world


def priority_class(name: str, value: int, **fields: Any) -> Object:
    return {"metadata": {"name": name}, "value": value, "preemptionPolicy": "Never", **fields}


def pod(**spec: Any) -> Object:
    return {"metadata": {"namespace": "ns", "name": "a"}, "spec": spec}


def test_a_pod_has_no_priority_where_there_is_no_default() -> None:
    obj = pod()

    set_priority(obj, None, world_with(priority_class("high", 9)))

    assert obj["spec"] == {"priority": 0, "preemptionPolicy": "PreemptLowerPriority"}


def test_the_lowest_of_several_defaults_counts() -> None:
    obj = pod()
    world = world_with(
        priority_class("high", 9, globalDefault=True), priority_class("low", 2, globalDefault=True)
    )

    set_priority(obj, None, world)

    assert obj["spec"] == {"priorityClassName": "low", "priority": 2, "preemptionPolicy": "Never"}


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ({"priorityClassName": "missing"}, "no PriorityClass with name missing was found"),
        (
            {"priorityClassName": "high", "priority": 3},
            (
                r"the integer value of priority \(3\) must not be provided in pod spec; "
                "priority admission controller computed 9 from the given PriorityClass name"
            ),
        ),
        (
            {"priorityClassName": "high", "preemptionPolicy": "PreemptLowerPriority"},
            (
                r"the string value of PreemptionPolicy \(PreemptLowerPriority\) must not be provided in pod spec; "
                "priority admission controller computed Never from the given PriorityClass name"
            ),
        ),
    ],
)
def test_a_pod_that_contradicts_its_class_is_forbidden(spec: Object, why: str) -> None:
    with pytest.raises(Refusal, match=f'pods "a" is forbidden: {why}'):
        set_priority(pod(**spec), None, world_with(priority_class("high", 9)))


def test_a_change_keeps_the_priority_that_it_leaves_out() -> None:
    obj = pod(priorityClassName="gone")

    set_priority(obj, pod(priority=9, preemptionPolicy="Never"), World())

    assert (obj["spec"]["priority"], obj["spec"]["preemptionPolicy"]) == (9, "Never")


def test_a_second_default_is_forbidden_but_the_first_may_stay() -> None:
    first = priority_class("first", 1, globalDefault=True)
    world = world_with(first)

    check_default(first, first, world)
    check_default(priority_class("second", 1), None, world)
    with pytest.raises(Refusal, match="PriorityClass first is already marked as default"):
        check_default(priority_class("second", 1, globalDefault=True), None, world)
