"""Pods of a ReplicaSet: how many there are, which of them go, whose they are, and what is reported."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from by_hand import PATIENCE, pods, pods_when, run, template
from polling import until
from telling import is_told, told
from windlass.api import format_time
from windlass.client import DeleteOptions, MergePatch
from windlass.kinds.apps.v1 import ReplicaSet
from windlass.kinds.core.v1 import Pod, ResourceQuota

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.client import Client

AT_ONCE = DeleteOptions(grace_period=timedelta())
COST = "controller.kubernetes.io/pod-deletion-cost"


def replica_set(name: str, replicas: int, **spec: Any) -> ReplicaSet:
    labels = {"app": name}
    return ReplicaSet.from_wire(
        {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "metadata": {"name": name},
            "spec": {
                "replicas": replicas,
                "selector": {"matchLabels": labels},
                "template": template(labels | {"tier": "front"}),
                **spec,
            },
        }
    )


async def scale(client: Client, name: str, replicas: int) -> None:
    await client.patch(ReplicaSet, name, MergePatch({"spec": {"replicas": replicas}}))


async def reported(client: Client, name: str, accept: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The status on the wire, once it is of the present generation and a test accepts it."""

    async def ask() -> tuple[int, dict[str, Any]]:
        found = (await client.get(ReplicaSet, name)).to_wire()
        return found["metadata"]["generation"], found.get("status") or {}

    answer = await until(
        ask, lambda said: said[0] == said[1].get("observedGeneration") and accept(said[1]), patience=PATIENCE
    )
    return answer[1]


async def test_there_are_as_many_pods_as_a_set_wants_and_each_is_counted(client: Client) -> None:
    await client.create(replica_set("web", 5))
    first = await pods_when(client, "app=web", lambda found: len(found) == 5)
    await reported(client, "web", lambda said: said["replicas"] == 5)
    await run(client, *first[:2])
    status = await reported(client, "web", lambda said: said.get("readyReplicas") == 2)
    await client.delete(Pod, first[0].metadata.name)
    replaced = await pods_when(client, "app=web", lambda found: len(found) == 5 and first[0] not in found)
    owner = await client.get(ReplicaSet, "web")

    assert status == {
        "replicas": 5,
        "fullyLabeledReplicas": 5,
        "readyReplicas": 2,
        "availableReplicas": 2,
        "terminatingReplicas": 0,
        "observedGeneration": 1,
    }
    for pod in first:
        await is_told(client, "web", "SuccessfulCreate", f"Created pod: {pod.metadata.name}")
    for pod in replaced:
        assert pod.metadata.generate_name == "web-"
        assert pod.metadata.name.startswith("web-")
        assert pod.metadata.labels == {"app": "web", "tier": "front"}
        assert pod.metadata.owner_references == [owner.owner_reference()]


async def test_the_pods_that_are_missed_least_go_first(client: Client) -> None:
    await client.create(replica_set("web", 5))
    found = await pods_when(client, "app=web", lambda found: len(found) == 5)
    await run(client, *found[:4])  # the last one is not ready
    for pod, cost in zip(found[:4], ("5", "-10", "7", "100"), strict=True):
        await client.patch(Pod, pod.metadata.name, MergePatch({"metadata": {"annotations": {COST: cost}}}))
    await reported(client, "web", lambda said: said.get("readyReplicas") == 4)
    went: list[str] = []
    for count in (4, 3, 2):
        before = {pod.metadata.name for pod in await pods(client, "app=web")}
        await scale(client, "web", count)
        left = await pods_when(client, "app=web", lambda found: len(found) < len(before))  # noqa: B023
        went += before - {pod.metadata.name for pod in left}

    assert went == [found[4].metadata.name, found[1].metadata.name, found[0].metadata.name]
    await is_told(client, "web", "SuccessfulDelete", f"Deleted pod: {found[4].metadata.name}")


async def test_a_pod_that_is_still_ending_is_replaced_at_once_and_counted_apart(client: Client) -> None:
    await client.create(replica_set("web", 2, template=template({"app": "web"}, nodeName="nowhere")))
    found = await pods_when(client, "app=web", lambda found: len(found) == 2)
    await client.delete(Pod, found[0].metadata.name)
    counted = {"replicas": 2, "terminatingReplicas": 1}
    await reported(client, "web", lambda said: counted.items() <= said.items())
    assert len(await pods(client, "app=web")) == 2
    await client.delete(Pod, found[0].metadata.name, options=AT_ONCE)
    await reported(client, "web", lambda said: said.get("terminatingReplicas") == 0)


async def test_a_pod_is_available_once_it_has_been_ready_for_long_enough(client: Client) -> None:
    await client.create(replica_set("web", 1, minReadySeconds=1))
    [pod] = await pods_when(client, "app=web", lambda found: len(found) == 1)
    soon = format_time(datetime.now(UTC) + timedelta(seconds=1))  # times have no fractions of seconds
    ready = {"type": "Ready", "status": "True", "lastTransitionTime": soon}
    status = MergePatch({"status": {"phase": "Running", "conditions": [ready]}})
    await client.status.patch(Pod, pod.metadata.name, status)
    first = await reported(client, "web", lambda said: said.get("readyReplicas") == 1)
    await reported(client, "web", lambda said: said.get("availableReplicas") == 1)

    assert "availableReplicas" not in first


async def test_orphans_that_match_are_adopted_and_pods_that_match_no_more_are_let_go(client: Client) -> None:
    for name in ("one", "two"):
        body = template({"app": "web"}) | {"apiVersion": "v1", "kind": "Pod"}
        body["metadata"] = body["metadata"] | {"name": name}
        await client.create(Pod.from_wire(body))
    await client.create(replica_set("web", 3))
    owner = await client.get(ReplicaSet, "web")
    found = await pods_when(
        client,
        "app=web",
        lambda found: len(found) == 3 and all(pod.metadata.owner_references for pod in found),
    )
    assert {"one", "two"} < {pod.metadata.name for pod in found}
    assert all(pod.metadata.owner_references == [owner.owner_reference()] for pod in found)
    status = await reported(client, "web", lambda said: said["replicas"] == 3)
    assert status["fullyLabeledReplicas"] == 1

    await client.patch(Pod, "one", MergePatch({"metadata": {"labels": {"app": "quarantine"}}}))
    await until(
        lambda: client.get(Pod, "one"), lambda pod: not pod.metadata.owner_references, patience=PATIENCE
    )
    await pods_when(client, "app=web", lambda found: len(found) == 3)

    await client.patch(Pod, "one", MergePatch({"metadata": {"labels": {"app": "web"}}}))
    # It is taken back, and then there is one too many: any of them may go.
    await pods_when(client, "app=web", lambda found: len(found) == 3)
    await until(
        lambda: pods(client, "app=web"),
        lambda found: len(found) == 3 and all(pod.metadata.owner_references for pod in found),
        patience=PATIENCE,
    )


async def test_a_quota_that_refuses_pods_is_told_and_obeyed_until_it_allows_them(client: Client) -> None:
    quota = {"metadata": {"name": "few"}, "spec": {"hard": {"pods": "2"}}}
    await client.create(ResourceQuota.from_wire(quota))
    await until(
        lambda: client.get(ResourceQuota, "few"),
        lambda found: "pods" in found.status.hard,
        patience=PATIENCE,
    )
    await client.create(replica_set("web", 4))
    failing = await reported(client, "web", lambda said: bool(said.get("conditions")))
    [condition] = failing["conditions"]
    assert (condition["type"], condition["status"], condition["reason"]) == (
        "ReplicaFailure",
        "True",
        "FailedCreate",
    )
    assert "exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=2" in condition["message"]
    await until(
        lambda: told(client, "web"),
        lambda said: any(each[:2] == ("Warning", "FailedCreate") for each in said),
        patience=PATIENCE,
    )
    await reported(client, "web", lambda said: said["replicas"] == 2)

    await client.patch(ResourceQuota, "few", MergePatch({"spec": {"hard": {"pods": "10"}}}))
    await pods_when(client, "app=web", lambda found: len(found) == 4)
    assert "conditions" not in await reported(
        client, "web", lambda said: said["replicas"] == 4 and "conditions" not in said
    )
