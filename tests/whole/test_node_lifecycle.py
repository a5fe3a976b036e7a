"""What becomes of a node's taints and pods when its conditions change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from by_hand import PATIENCE
from placing import place
from polling import until
from windlass.client import MergePatch, StrategicPatch
from windlass.kinds.core.v1 import Node, Pod

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from placing import Place
    from windlass.client import Client

NOT_READY, UNREACHABLE = "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"
UNSCHEDULABLE = "node.kubernetes.io/unschedulable"


@pytest.fixture
async def here(client: Client, namespace: str) -> AsyncIterator[Place]:
    """Nodes of the test's own; one stays ready, since where none is nobody is driven off."""
    async with place(client, namespace) as made:
        await made.node("steady")
        yield made


async def say(client: Client, node: str, kind: str, status: str) -> None:
    """Let a node report a condition."""
    condition = {"type": kind, "status": status, "reason": "Said", "message": "by hand"}
    patch = StrategicPatch({"status": {"conditions": [condition]}})
    await client.status.patch(Node, node, patch)


async def tainted(client: Client, node: str, *taints: tuple[str, str]) -> Node:
    """A node, once it has exactly these taints."""

    async def ask() -> Node:
        return await client.get(Node, node)

    def has_them(found: Node) -> bool:
        return sorted((each.key, each.effect) for each in found.spec.taints) == sorted(taints)

    return await until(ask, has_them, patience=PATIENCE)


def tolerating(key: str, seconds: int | None = None) -> dict[str, Any]:
    limit = {} if seconds is None else {"tolerationSeconds": seconds}
    return {"key": key, "operator": "Exists", "effect": "NoExecute", **limit}


async def test_conditions_become_taints_and_go_with_them(here: Place, client: Client) -> None:
    node = await here.node("a", taints=[{"key": "mine", "effect": "NoSchedule"}])
    mine = ("mine", "NoSchedule")

    await client.patch(Node, node, MergePatch({"spec": {"unschedulable": True}}))
    await tainted(client, node, mine, (UNSCHEDULABLE, "NoSchedule"))
    await client.patch(Node, node, MergePatch({"spec": {"unschedulable": None}}))
    await say(client, node, "MemoryPressure", "True")
    await say(client, node, "DiskPressure", "True")
    pressed = tuple((f"node.kubernetes.io/{kind}-pressure", "NoSchedule") for kind in ("memory", "disk"))
    await tainted(client, node, mine, *pressed)
    await say(client, node, "MemoryPressure", "False")
    await say(client, node, "DiskPressure", "False")
    await say(client, node, "Ready", "False")
    seen = await tainted(client, node, mine, (NOT_READY, "NoSchedule"), (NOT_READY, "NoExecute"))
    assert all(each.time_added for each in seen.spec.taints if each.key == NOT_READY)
    await say(client, node, "Ready", "Unknown")
    await tainted(client, node, mine, (UNREACHABLE, "NoSchedule"), (UNREACHABLE, "NoExecute"))
    await say(client, node, "Ready", "True")
    await tainted(client, node, mine)


async def test_pods_leave_a_node_that_is_not_ready_when_their_time_is_over(
    here: Place, client: Client
) -> None:
    node = await here.node("a")
    on_a = {"nodeSelector": {"kubernetes.io/hostname": node}}
    await here.pod("leaves", tolerations=[tolerating(NOT_READY, 1)], **on_a)
    await here.pod("stays", **on_a)
    await here.pod("endures", tolerations=[tolerating(NOT_READY), tolerating(UNREACHABLE)], **on_a)
    await here.placed("leaves", "stays", "endures")
    assert [each.toleration_seconds for each in (await client.get(Pod, "stays")).spec.tolerations] == [
        300,
        300,
    ]

    await say(client, node, "Ready", "False")
    gone = await here.when("leaves", lambda pod: pod.metadata.deletion_timestamp is not None)
    said = next(each for each in gone.status.conditions if each.type == "DisruptionTarget")
    assert (said.status, said.reason) == ("True", "DeletionByTaintManager")
    assert said.message == "Taint manager: deleting due to NoExecute taint"
    await say(client, node, "Ready", "True")
    await tainted(client, node)
    for name in ("stays", "endures"):
        assert (await client.get(Pod, name)).metadata.deletion_timestamp is None


async def test_a_taint_that_is_put_on_a_node_by_hand_drives_off_who_does_not_tolerate_it(
    here: Place, client: Client
) -> None:
    node = await here.node("a")
    on_a = {"nodeSelector": {"kubernetes.io/hostname": node}}
    await here.pod("leaves", **on_a)
    await here.pod("endures", tolerations=[tolerating("drill")], **on_a)
    await here.placed("leaves", "endures")

    drill = {"taints": [{"key": "drill", "effect": "NoExecute"}]}
    await client.patch(Node, node, MergePatch({"spec": drill}))
    await here.when("leaves", lambda pod: pod.metadata.deletion_timestamp is not None)

    assert (await client.get(Pod, "endures")).metadata.deletion_timestamp is None
