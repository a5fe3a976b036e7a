"""Crashes, faults and lost leases at every step: nodes end up offering what they should, and nothing in the end."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from peer_pods import POOL, advertised, config, node, vm_pod
from windlass.client import DeleteOptions, MergePatch
from windlass.kinds.core.v1 import Node, Pod
from windlass.operators.peerpod import VM_RESOURCE, PeerPodConfig, PeerPodConfigController
from windlass.operators.peerpod.desired import CONFIG
from windlass.testing import Judge, Scenario

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.manager import Manager
    from windlass.testing import Court, Simulate, SimulatedWorld

pytestmark = pytest.mark.simulation
SHARED = {"daemonSet": False, "webhook": False}
AT_ONCE = DeleteOptions(grace_period=timedelta())


def mark_of(found: Node) -> str:
    """In whose name a node offers something."""
    return found.metadata.annotations.get(CONFIG, "")


def key_of(found: PeerPodConfig) -> str:
    """What a node says that offers something in the name of a config."""
    return f"{found.metadata.namespace}/{found.metadata.name}"


class EveryNode(Judge):
    """Finds a node that offers something for the wrong config, and a limit that is not offered to the last unit."""

    name = "every node"

    @override
    async def examine(self, court: Court) -> None:
        owners = {"blue": "late", "green": "other"}  # the first one is gone by then
        configs = {each.metadata.name: each for each in court.world.list(PeerPodConfig)}
        for pool, owner in owners.items():
            nodes = [each for each in court.world.list(Node) if each.metadata.labels[POOL] == pool]
            for each in nodes:
                if mark_of(each) != key_of(configs[owner]):
                    court.find(self.name, f"{each.metadata.name} offers for {mark_of(each) or 'nobody'}")
            offers = sum(advertised(each) or 0 for each in nodes)
            if offers != int(configs[owner].spec.limit):
                court.find(self.name, f"the nodes of {pool} offer {offers}")


class NothingLeft(Judge):
    """Finds what a node still offers when all configs are gone; whoever deletes them goes before."""

    name = "no capacity left"

    @override
    async def examine(self, court: Court) -> None:
        for each in court.world.list(Node):
            if advertised(each) is not None or mark_of(each):
                court.find(self.name, f"the node {each.metadata.name} offers {advertised(each)}")


class Pools(Scenario):
    """Nodes that come, go, change pools and forget; pods that take machines; configs that meet."""

    kinds = (PeerPodConfig,)

    @override
    def operator(self, manager: Manager, world: SimulatedWorld) -> None:
        manager.add(PeerPodConfigController())

    @override
    async def play(self, world: SimulatedWorld) -> None:
        for name in ("a", "b", "c"):
            await world.create(node(name, "blue"))
        await world.create(node("x", "green"))
        await world.create(config("blue", "first", limit=7, components=SHARED))
        await world.pause(timedelta(seconds=10))
        await world.create(node("d", "blue"))
        await world.create(config("blue", "late", limit=100, components=SHARED))
        await world.create(config("green", "other", limit="3", components=SHARED))
        await world.pause(timedelta(seconds=5))
        for number in range(3):
            await world.create(vm_pod(f"pod-{number}", "a"))
        await world.change(PeerPodConfig, "first", {"spec": {"limit": 4}})
        await world.pause(timedelta(seconds=10))
        await world.change(Node, "b", {"metadata": {"labels": {POOL: "green"}}}, "")
        await world.delete(Node, "c", "")
        await world.pause(timedelta(seconds=5))
        await world.client.delete(Pod, "pod-0", "default", options=AT_ONCE)
        await world.create(node("c", "blue"))
        await world.pause(timedelta(seconds=10))
        await world.delete(PeerPodConfig, "first")

    @override
    async def meddle(self, world: SimulatedWorld, number: int) -> None:
        """A kubelet that has lost its checkpoint."""
        names = sorted(each.metadata.name for each in world.list(Node))
        if names:
            forgotten = MergePatch({"status": {"capacity": {VM_RESOURCE: "0" if number % 2 else None}}})
            await world.client.status.patch(Node, names[number % len(names)], forgotten)

    @override
    def is_true(self, resource: Any, world: SimulatedWorld) -> bool:
        """How much is offered is judged in the end: nodes come, go and forget while a run goes on."""
        return any(mark_of(each) == key_of(resource) for each in world.list(Node))

    @override
    def may_wait(self, resource: Any, world: SimulatedWorld) -> bool:
        others = [each.metadata.name for each in world.list(PeerPodConfig)]
        return resource.metadata.name == "late" and "first" in others

    @override
    def judges(self) -> Sequence[Judge]:
        *others, deletes_all = super().judges()
        return (*others, EveryNode(), deletes_all, NothingLeft())


def test_capacity_survives(simulate: Simulate) -> None:
    simulate(Pools, seeds=15)
