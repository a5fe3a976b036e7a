"""Who has to go for a more important pod."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from placing import GROUP, place
from windlass.client import MergePatch
from windlass.errors import AlreadyExists
from windlass.kinds.core.v1 import Node, Pod
from windlass.kinds.policy.v1 import PodDisruptionBudget
from windlass.kinds.scheduling.v1 import PriorityClass

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from placing import Place
    from windlass.client import Client

CLASSES = {"windlass-low": -10, "windlass-middle": 10, "windlass-high": 1000}


@pytest.fixture
async def here(client: Client, namespace: str) -> AsyncIterator[Place]:
    """Nodes of the test's own, and classes of priority that all tests share."""
    for name, value in CLASSES.items():
        await ensure(client, name, value, "PreemptLowerPriority")
    await ensure(client, "windlass-polite", 1000, "Never")
    async with place(client, namespace) as made:
        yield made


async def ensure(client: Client, name: str, value: int, policy: str) -> None:
    made = {"metadata": {"name": name}, "value": value, "preemptionPolicy": policy}
    try:
        await client.create(PriorityClass.from_wire(made))
    except AlreadyExists:
        return


def pinned(here: Place, node: str) -> dict[str, Any]:
    """The part of a pod's spec that names its node."""
    return {"nodeSelector": {"kubernetes.io/hostname": f"{here.group}-{node}"}}


async def test_the_least_important_pods_go_for_a_more_important_one(here: Place) -> None:
    for name in ("a", "b"):
        await here.node(name, allocatable={"cpu": "1"})
    await here.pod("low", cpu="800m", priorityClassName="windlass-low", **pinned(here, "a"))
    await here.pod("middle", cpu="800m", priorityClassName="windlass-middle", **pinned(here, "b"))
    await here.placed("low", "middle")

    await here.pod("polite", cpu="500m", priorityClassName="windlass-polite")
    assert (await here.refused("polite")).endswith("preemption: not eligible due to preemptionPolicy=Never.")
    await here.pod("equal", cpu="500m", priorityClassName="windlass-low")
    assert "2 No preemption victims found for incoming pod" in await here.refused("equal")
    await here.pod("high", cpu="500m", priorityClassName="windlass-high")

    victim = await here.when("low", lambda pod: pod.metadata.deletion_timestamp is not None)
    said = next(each for each in victim.status.conditions if each.type == "DisruptionTarget")
    assert (said.status, said.reason) == ("True", "PreemptionByScheduler")
    assert said.message == "default-scheduler: preempting to accommodate a higher priority pod"
    waiting = await here.when("high", lambda pod: bool(pod.status.nominated_node_name))
    assert waiting.status.nominated_node_name == f"{here.group}-a"
    await here.remove("low")
    assert await here.placed("high") == {"high": "a"}
    assert (await here.when("high", lambda pod: True)).status.nominated_node_name == ""
    assert (await here.when("middle", lambda pod: True)).metadata.deletion_timestamp is None


async def test_only_as_many_go_as_have_to_and_rather_none_that_a_budget_protects(
    here: Place, client: Client
) -> None:
    await here.node("a", allocatable={"cpu": "2"})
    low = {"priorityClassName": "windlass-low"}
    await here.pod("large", {"app": "x"}, cpu="1200m", **low)
    await here.pod("kept", {"app": "protected"}, cpu="400m", **low)
    await here.pod("small", {"app": "x"}, cpu="400m", **low)
    await here.placed("large", "kept", "small")
    for number, name in enumerate(("large", "kept", "small")):
        started = MergePatch({"status": {"startTime": f"2026-01-0{number + 1}T00:00:00Z"}})
        await client.status.patch(Pod, name, started)
    budget = {"minAvailable": 1, "selector": {"matchLabels": {"app": "protected"}}}
    await client.create(PodDisruptionBudget.from_wire({"metadata": {"name": "b"}, "spec": budget}))

    await here.pod("high", cpu="400m", priorityClassName="windlass-high")
    gone = await here.when("small", lambda pod: pod.metadata.deletion_timestamp is not None)

    assert gone.metadata.name == "small"
    for name in ("large", "kept"):
        assert (await here.when(name, lambda pod: True)).metadata.deletion_timestamp is None


async def test_room_that_was_made_for_one_pod_is_not_given_to_another(here: Place, client: Client) -> None:
    node = await here.node("a", allocatable={"cpu": "1"})
    await here.pod("low", cpu="1", priorityClassName="windlass-low")
    await here.placed("low")
    await here.pod("high", cpu="1", priorityClassName="windlass-high")
    await here.when("high", lambda pod: bool(pod.status.nominated_node_name))

    await here.pod("next", cpu="1", priorityClassName="windlass-middle")
    await here.refused("next")
    await here.remove("low")

    assert await here.placed("high") == {"high": "a"}
    await here.refused("next", "Insufficient cpu")
    await client.patch(Node, node, MergePatch({"metadata": {"labels": {GROUP: here.group, "seen": "yes"}}}))
    assert not (await client.get(Pod, "next")).spec.node_name
