"""Simulated nodes: what they say of themselves, and what their loss does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from on_node import condition, create, is_ready, node_when, pod, pod_when
from polling import until
from windlass.client import MergePatch
from windlass.kinds.coordination.v1 import Lease
from windlass.kinds.core.v1 import Node, Pod

if TYPE_CHECKING:
    from windlass.client import Client

LOST = "node.windlass.dev/lost"


async def test_a_node_is_ready_and_says_what_it_has(client: Client) -> None:
    node = await node_when(client, "node-1", is_ready)
    assert node.metadata.labels["kubernetes.io/hostname"] == "node-1"
    assert node.metadata.labels["kubernetes.io/os"] == "linux"
    assert node.spec.pod_cidr
    assert str(node.status.capacity["pods"]) == "110"
    assert node.status.allocatable == node.status.capacity
    assert {each.type for each in node.status.addresses} == {"InternalIP", "Hostname"}
    assert {each.type: each.status for each in node.status.conditions} == {
        "MemoryPressure": "False",
        "DiskPressure": "False",
        "PIDPressure": "False",
        "Ready": "True",
    }
    others = [await client.get(Node, name) for name in ("node-2", "node-3")]
    assert len({each.spec.pod_cidr for each in (node, *others)}) == 3


async def test_a_node_renews_its_lease(client: Client) -> None:
    async def lease() -> Lease:
        return await client.get(Lease, "node-2", "kube-node-lease")

    first = await until(lease, lambda found: found.spec.holder_identity == "node-2", patience=20)
    node = await client.get(Node, "node-2")
    assert [each.uid for each in first.metadata.owner_references] == [node.metadata.uid]
    assert first.spec.lease_duration_seconds == 40
    await until(lease, lambda found: found.spec.renew_time != first.spec.renew_time, patience=20)


async def test_capacity_that_somebody_adds_stays_and_can_be_taken_by_pods_until_it_goes(
    client: Client,
) -> None:
    await client.status.patch(Node, "node-2", _gpus("2"))
    node = await node_when(client, "node-2", lambda found: "example.com/gpu" in found.status.allocatable)
    assert str(node.status.allocatable["example.com/gpu"]) == "2"
    assert str(node.status.capacity["example.com/gpu"]) == "2"
    assert str(node.status.capacity["pods"]) == "110"

    await client.status.patch(Node, "node-2", _gpus(None))
    node = await node_when(client, "node-2", lambda found: "example.com/gpu" not in found.status.allocatable)
    assert "example.com/gpu" not in node.status.capacity


def _gpus(count: str | None) -> MergePatch:
    return MergePatch({"status": {"capacity": {"example.com/gpu": count}}})


async def test_a_lost_node_says_nothing_of_its_pods_until_it_is_back(client: Client) -> None:
    await create(client, pod("old", nodeName="node-3"))
    await pod_when(client, "old", is_ready)
    await client.patch(Node, "node-3", MergePatch({"metadata": {"annotations": {LOST: "yes"}}}))
    try:
        await until(lambda: _is_silent(client), bool, patience=20)
    finally:
        await client.patch(Node, "node-3", MergePatch({"metadata": {"annotations": {LOST: None}}}))
    await pod_when(client, "new", is_ready)
    assert is_ready(await pod_when(client, "old", is_ready))
    assert condition(await node_when(client, "node-3", is_ready), "Ready") == "True"


async def _is_silent(client: Client) -> bool:
    """Whether a pod that is put on the node stays as it is, though one on another node runs."""
    await client.create(pod("new", nodeName="node-3"))
    await client.create(pod("beside", nodeName="node-2"))
    await pod_when(client, "beside", is_ready)
    return (await client.get(Pod, "new")).status.container_statuses == []
