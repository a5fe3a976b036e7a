"""A node that falls silent, on a clock that is set by hand."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from operating import operating
from polling import until
from windlass.aio import ManualClock
from windlass.api import Key, format_micro_time
from windlass.client import MergePatch, StrategicPatch
from windlass.cluster.controller.node_lifecycle import NodeLifecycle, NodeLifecycleOptions
from windlass.cluster.controller.node_lifecycle.eviction import stay
from windlass.kinds.coordination.v1 import Lease
from windlass.kinds.core.v1 import Node, Pod, Taint, Toleration

if TYPE_CHECKING:
    from operating import Operating
    from windlass.client import Client

GRACE = timedelta(seconds=50)
LEASES = "kube-node-lease"
READY = {"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "up"}


async def join(client: Client, name: str, clock: ManualClock, *, beats: bool = True) -> None:
    """Add a node that is ready, with a lease unless it never beats."""
    await client.create(Node.from_wire({"metadata": {"name": name}}))
    await client.status.patch(Node, name, MergePatch({"status": {"conditions": [READY]}}))
    if beats:
        body = {"metadata": {"name": name, "namespace": LEASES}, "spec": {"holderIdentity": name}}
        await client.create(Lease.from_wire(body))
        await renew(client, name, clock)


async def renew(client: Client, name: str, clock: ManualClock) -> None:
    patch = MergePatch({"spec": {"renewTime": format_micro_time(clock.now())}})
    await client.patch(Lease, name, patch, LEASES)


async def ready_says(operator: Operating, name: str, status: str) -> Node:
    async def ask() -> Node:
        return await operator.client.get(Node, name)

    def says(node: Node) -> bool:
        return any(each.type == "Ready" and each.status == status for each in node.status.conditions)

    return await until(ask, says)


async def taints_of(operator: Operating, name: str, *keys: str) -> None:
    async def ask() -> set[str]:
        return {each.key.rpartition("/")[2] for each in (await operator.client.get(Node, name)).spec.taints}

    await until(ask, lambda found: found == set(keys))


async def test_a_node_whose_lease_is_not_renewed_is_lost_and_found_again() -> None:
    clock = ManualClock()
    async with operating(NodeLifecycle(), clock=clock, installed=()) as operator:
        for name in ("steady", "silent", "mute"):
            await join(operator.client, name, clock, beats=name != "mute")
        await running_pod(operator.client, "silent")
        await taints_of(operator, "silent")
        for _ in range(3):
            await operator.quiet()
            await clock.advance(GRACE / 2)
            await renew(operator.client, "steady", clock)
            await operator.quiet()

        lost = await ready_says(operator, "silent", "Unknown")
        told = {each.type: (each.reason, each.message) for each in lost.status.conditions}
        assert told["Ready"] == ("NodeStatusUnknown", "Kubelet stopped posting node status.")
        assert told["MemoryPressure"] == ("NodeStatusNeverUpdated", "Kubelet never posted node status.")
        await taints_of(operator, "silent", "unreachable")
        pod = await operator.client.get(Pod, "p", "default")
        assert [each.status for each in pod.status.conditions if each.type == "Ready"] == ["False"]
        for name in ("steady", "mute"):
            await ready_says(operator, name, "True")

        await renew(operator.client, "silent", clock)
        back = StrategicPatch({"status": {"conditions": [READY]}})
        await operator.client.status.patch(Node, "silent", back)
        await taints_of(operator, "silent")


async def running_pod(client: Client, node: str) -> None:
    """A pod that runs on a node and is ready."""
    container = {"name": "c", "image": "i"}
    metadata = {"name": "p", "namespace": "default"}
    body = {"metadata": metadata, "spec": {"nodeName": node, "containers": [container]}}
    await client.create(Pod.from_wire(body))
    condition = {"type": "Ready", "status": "True"}
    status = {"phase": "Running", "conditions": [condition]}
    await client.status.patch(Pod, "p", MergePatch({"status": status}), "default")


async def test_where_no_node_is_ready_nobody_is_driven_off() -> None:
    clock = ManualClock()
    async with operating(NodeLifecycle(), clock=clock, installed=()) as operator:
        await join(operator.client, "only", clock)
        await taints_of(operator, "only")
        await operator.client.status.patch(
            Node, "only", StrategicPatch({"status": {"conditions": [{**READY, "status": "False"}]}})
        )
        await taints_of(operator, "only", "not-ready")
        node = await operator.client.get(Node, "only")
        assert [each.effect for each in node.spec.taints] == ["NoSchedule"]

        await join(operator.client, "second", clock)

        async def effects() -> list[str]:
            return sorted(each.effect for each in (await operator.client.get(Node, "only")).spec.taints)

        await until(effects, lambda found: found == ["NoExecute", "NoSchedule"])


TAINTS = [Taint(key="a", effect="NoExecute"), Taint(key="b", effect="NoExecute")]


@pytest.mark.parametrize(
    ("tolerations", "time"),
    [
        ([], timedelta()),
        ([{"key": "a", "operator": "Exists"}], timedelta()),
        ([{"operator": "Exists"}], None),
        ([{"operator": "Exists", "tolerationSeconds": 30}], timedelta(seconds=30)),
        ([{"operator": "Exists", "tolerationSeconds": -1}], timedelta()),
        (
            [{"key": "a", "operator": "Exists", "tolerationSeconds": 9}, {"key": "b", "operator": "Exists"}],
            timedelta(seconds=9),
        ),
    ],
)
def test_a_pod_stays_for_as_long_as_it_tolerates_every_taint(
    tolerations: list[dict[str, Any]], time: timedelta | None
) -> None:
    assert stay([Toleration.from_wire(each) for each in tolerations], TAINTS) == time


def test_a_node_is_given_time() -> None:
    with pytest.raises(ValueError, match="longer than nothing"):
        NodeLifecycleOptions(grace=timedelta())


async def test_a_node_that_falls_silent_right_after_its_first_lease_is_lost() -> None:
    clock = ManualClock()
    async with operating(NodeLifecycle(), clock=clock, installed=()) as operator:
        await join(operator.client, "steady", clock)
        await join(operator.client, "late", clock, beats=False)
        informer = next(each for each in operator.manager.cache.informers if each.kind is Node)

        async def known() -> bool:
            seen = informer.snapshot(Key("", "late"))
            return seen is not None and bool(seen.data.get("status", {}).get("conditions"))

        await until(known)
        await operator.quiet()
        body = {"metadata": {"name": "late", "namespace": LEASES}, "spec": {"holderIdentity": "late"}}
        await operator.client.create(Lease.from_wire(body))
        await renew(operator.client, "late", clock)
        for _ in range(3):
            await operator.quiet()
            await clock.advance(GRACE / 2)
            await renew(operator.client, "steady", clock)

        await ready_says(operator, "late", "Unknown")
