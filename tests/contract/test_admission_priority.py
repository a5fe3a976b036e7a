"""priorities: those of pods follow from their classes."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from contract import Api, Object, pod
from polling import until

CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses"


@pytest.fixture
async def high(api: Api, namespace: str, pods: str) -> AsyncIterator[str]:
    """The name of a class of priority 7 that preempts nobody, known to the server."""
    body = {"metadata": {"name": namespace}, "value": 7, "preemptionPolicy": "Never"}
    (await api.create(CLASSES, body)).ok()
    trial = pod("trial", priorityClassName=namespace)
    await until(lambda: api.create(pods, trial, dryRun="All"), lambda reply: reply.status == 201)
    yield namespace
    (await api.delete(f"{CLASSES}/{namespace}")).ok()


def priority(reply: Any) -> Object:
    spec = reply.ok()["spec"]
    names = ("priority", "priorityClassName", "preemptionPolicy")
    return {name: spec[name] for name in names if name in spec}


async def test_a_pod_without_a_class_has_no_priority(api: Api, pods: str) -> None:
    created = await api.create(pods, pod("a"))

    assert priority(created) == {"priority": 0, "preemptionPolicy": "PreemptLowerPriority"}


async def test_a_pod_has_the_priority_and_the_policy_of_its_class(api: Api, pods: str, high: str) -> None:
    created = await api.create(pods, pod("a", priorityClassName=high))

    assert priority(created) == {"priority": 7, "priorityClassName": high, "preemptionPolicy": "Never"}


async def test_a_pod_may_say_what_its_class_says(api: Api, pods: str, high: str) -> None:
    same = pod("a", priorityClassName=high, priority=7, preemptionPolicy="Never")

    assert priority(await api.create(pods, same))["priority"] == 7


async def test_a_pod_cannot_choose_another_priority(api: Api, pods: str, high: str) -> None:
    reply = await api.create(pods, pod("a", priorityClassName=high, priority=8))

    assert reply.refused(403, "Forbidden")["message"] == (
        'pods "a" is forbidden: the integer value of priority (8) must not be provided in pod spec; '
        "priority admission controller computed 7 from the given PriorityClass name"
    )


async def test_a_pod_cannot_choose_another_policy(api: Api, pods: str, high: str) -> None:
    reply = await api.create(pods, pod("a", priorityClassName=high, preemptionPolicy="PreemptLowerPriority"))

    assert reply.refused(403, "Forbidden")["message"] == (
        'pods "a" is forbidden: the string value of PreemptionPolicy (PreemptLowerPriority) must not be '
        "provided in pod spec; priority admission controller computed Never from the given PriorityClass name"
    )


async def test_an_update_that_leaves_the_priority_out_keeps_it(api: Api, pods: str, high: str) -> None:
    created = (await api.create(pods, pod("a", priorityClassName=high))).ok()
    del created["spec"]["priority"], created["spec"]["preemptionPolicy"]

    updated = await api.update(f"{pods}/a", created)

    assert priority(updated) == {"priority": 7, "priorityClassName": high, "preemptionPolicy": "Never"}


@pytest.mark.parametrize("name", ["system-node-critical", "system-cluster-critical"])
async def test_the_classes_of_the_system_cannot_be_deleted(api: Api, name: str) -> None:
    refused = (await api.delete(f"{CLASSES}/{name}")).refused(403, "Forbidden")

    assert refused["message"] == (
        f'priorityclasses.scheduling.k8s.io "{name}" is forbidden: '
        "this is a system priority class and cannot be deleted"
    )
    assert (await api.get(f"{CLASSES}/{name}")).status == 200
