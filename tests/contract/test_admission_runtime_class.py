"""runtime classes: what they cost, and where their pods run."""

from collections.abc import AsyncIterator

import pytest

from contract import Api, Object, pod

CLASSES = "/apis/node.k8s.io/v1/runtimeclasses"
OVERHEAD = {"cpu": "250m", "memory": "64Mi"}
TOLERATION = {"key": "vm", "operator": "Equal", "value": "yes", "effect": "NoSchedule"}


@pytest.fixture
async def heavy(api: Api, namespace: str) -> AsyncIterator[str]:
    """The name of a class with an overhead that runs on some nodes only."""
    scheduling = {"nodeSelector": {"vm": "yes"}, "tolerations": [TOLERATION]}
    body = {
        "metadata": {"name": namespace},
        "handler": "vm",
        "overhead": {"podFixed": OVERHEAD},
        "scheduling": scheduling,
    }
    (await api.create(CLASSES, body)).ok()
    yield namespace
    (await api.delete(f"{CLASSES}/{namespace}")).ok()


@pytest.fixture
async def light(api: Api, namespace: str) -> AsyncIterator[str]:
    """The name of a class that says nothing."""
    (await api.create(CLASSES, {"metadata": {"name": f"{namespace}-l"}, "handler": "x"})).ok()
    yield f"{namespace}-l"
    (await api.delete(f"{CLASSES}/{namespace}-l")).ok()


async def why(api: Api, pods: str, body: Object) -> str:
    message: str = (await api.create(pods, body)).refused(403, "Forbidden")["message"]
    return message.removeprefix('pods "a" is forbidden: ')


async def test_a_pod_gets_the_overhead_and_the_nodes_of_its_class(api: Api, pods: str, heavy: str) -> None:
    given = pod("a", runtimeClassName=heavy, nodeSelector={"a": "b"})

    spec = (await api.create(pods, given)).ok()["spec"]

    assert spec["overhead"] == OVERHEAD
    assert spec["nodeSelector"] == {"a": "b", "vm": "yes"}
    assert [each["key"] for each in spec["tolerations"]] == [
        "node.kubernetes.io/not-ready",
        "node.kubernetes.io/unreachable",
        "vm",
    ]


async def test_a_toleration_that_is_there_is_not_added_again(api: Api, pods: str, heavy: str) -> None:
    given = pod("a", runtimeClassName=heavy, tolerations=[{"key": "vm", "operator": "Exists"}])

    spec = (await api.create(pods, given)).ok()["spec"]

    assert [each for each in spec["tolerations"] if each["key"] == "vm"] == [
        {"key": "vm", "operator": "Exists"}
    ]


async def test_a_pod_may_bring_the_overhead_of_its_class_and_no_other(
    api: Api, pods: str, heavy: str
) -> None:
    same = {"memory": "65536Ki", "cpu": "0.25"}

    (await api.create(pods, pod("same", runtimeClassName=heavy, overhead=same))).ok()

    other = pod("a", runtimeClassName=heavy, overhead={"cpu": "1"})
    assert await why(api, pods, other) == (
        "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"
    )


async def test_a_pod_has_no_overhead_without_a_class_that_has_one(api: Api, pods: str, light: str) -> None:
    told = "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"

    assert await why(api, pods, pod("a", overhead={"cpu": "1"})) == told
    assert await why(api, pods, pod("a", runtimeClassName=light, overhead={"cpu": "1"})) == told
    assert "overhead" not in (await api.create(pods, pod("a", runtimeClassName=light))).ok()["spec"]


async def test_a_pod_cannot_choose_other_nodes_than_its_class(api: Api, pods: str, heavy: str) -> None:
    given = pod("a", runtimeClassName=heavy, nodeSelector={"vm": "no"})

    assert await why(api, pods, given) == (
        "conflict: runtimeClass.scheduling.nodeSelector[vm] = yes; pod.spec.nodeSelector[vm] = no"
    )


async def test_a_class_must_exist(api: Api, pods: str) -> None:
    assert await why(api, pods, pod("a", runtimeClassName="unknown")) == (
        'pod rejected: RuntimeClass "unknown" not found'
    )
