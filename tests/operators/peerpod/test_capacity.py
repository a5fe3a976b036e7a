"""What nodes offer: spread, kept right, and taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from peer_pods import NAME, condition, config, offering
from windlass.client import MergePatch
from windlass.kinds.core.v1 import Node
from windlass.operators.peerpod import VM_RESOURCE, PeerPodConfig, PeerPodOptions

if TYPE_CHECKING:
    from peer_pods import Peering


async def test_a_limit_is_spread_over_the_selected_nodes_and_no_others(peering: Peering) -> None:
    async with peering() as peers:
        await peers.join("a", "b", "c")
        await peers.join("other", pool="elsewhere")
        await peers.trial.client.create(config(peers.pool, limit=10))
        done = await peers.ready()

        await peers.offers(a=4, b=3, c=3, other=None)
        assert await peers.mark("a") == f"{peers.trial.namespace}/{NAME}"
        assert await peers.mark("other") is None
        assert done.status.setup_completed
        assert (done.status.node_count, done.status.total_advertised) == (3, 10)
        assert [(each.name, each.capacity) for each in done.status.nodes] == [
            (peers.named("a"), 4),
            (peers.named("b"), 3),
            (peers.named("c"), 3),
        ]
        await peers.trial.settled()


async def test_a_node_that_goes_leaves_its_share_to_the_others(peering: Peering) -> None:
    async with peering() as peers:
        await peers.join("a", "b", "c")
        await peers.trial.client.create(config(peers.pool, limit=6))
        await peers.offers(a=2, b=2, c=2)

        await peers.trial.client.delete(Node, peers.named("b"))
        await peers.offers(a=3, c=3)


async def test_an_annotation_of_a_node_is_its_share_unless_the_config_names_another(peering: Peering) -> None:
    async with peering() as peers:
        await peers.join("a", "b")
        await peers.join("c", **{"kata.peerpods.io/limit": "1"})
        await peers.trial.client.create(config(peers.pool, limit=9))
        await peers.offers(a=4, b=4, c=1)

        await peers.change(perNodeOverrides={peers.named("c"): 5})
        await peers.offers(a=2, b=2, c=5)


async def test_a_limit_for_each_node_is_offered_by_each(peering: Peering) -> None:
    async with peering() as peers:
        await peers.join("a", "b")
        await peers.trial.client.create(config(peers.pool, limit="3", limitMode="PerNode"))

        await peers.offers(a=3, b=3)
        assert (await peers.ready()).status.total_advertised == 6


async def test_a_node_whose_adaptor_advertises_by_itself_is_left_alone_and_counted(peering: Peering) -> None:
    async with peering() as peers:
        await peers.join("a", "b")
        await peers.join("own", **{"kata.peerpods.io/caa-owner": "0b6c"})
        await peers.set_capacity("own", "4")
        await peers.trial.client.create(config(peers.pool, limit=10))
        await peers.offers(a=3, b=3, own=4)
        await peers.ready()

        await peers.trial.client.delete(PeerPodConfig, NAME)
        await peers.trial.gone(PeerPodConfig, NAME)
        await peers.offers(a=None, b=None, own=4)


async def test_what_pods_take_is_shown_and_freed_when_they_go(peering: Peering) -> None:
    async with peering() as peers:
        await peers.join("a", "b")
        await peers.trial.client.create(config(peers.pool, limit=4))
        await peers.ready()
        await peers.use("one", "a")

        await peers.trial.until(PeerPodConfig, NAME, lambda found: found.status.total_used == 1)
        await peers.free("one")
        await peers.trial.until(PeerPodConfig, NAME, lambda found: found.status.total_used == 0)


async def test_a_config_that_no_longer_wants_capacity_takes_it_away(peering: Peering) -> None:
    async with peering() as peers:
        await peers.join("a")
        await peers.trial.client.create(config(peers.pool, limit=2))
        await peers.offers(a=2)

        await peers.change(components={"extendedResource": False})
        await peers.offers(a=None)
        assert await peers.mark("a") is None


async def test_what_pods_may_take_is_written_too_where_no_kubelet_does(peering: Peering) -> None:
    async with peering(PeerPodOptions(allocatable=True)) as peers:
        await peers.join("a")
        await peers.trial.client.create(config(peers.pool, limit=4))
        await peers.offers(a=4)
        await peers.change(limit=2)
        found = await peers.trial.until(Node, peers.named("a"), offering(2))

        assert str(found.status.allocatable[VM_RESOURCE]) == "2"
        await peers.change(components={"extendedResource": False})
        found = await peers.trial.until(Node, peers.named("a"), offering(None))
        assert VM_RESOURCE not in found.status.allocatable


async def test_a_cordoned_node_has_no_share_where_that_is_wanted(peering: Peering) -> None:
    async with peering(PeerPodOptions(schedulable_only=True)) as peers:
        await peers.join("a", "b")
        await peers.trial.client.create(config(peers.pool, limit=4))
        await peers.offers(a=2, b=2)

        await peers.trial.client.patch(Node, peers.named("b"), MergePatch({"spec": {"unschedulable": True}}))
        await peers.offers(a=4, b=None)


async def test_what_is_no_longer_wanted_is_no_longer_told(peering: Peering) -> None:
    async with peering() as peers:
        await peers.join("a")
        await peers.trial.client.create(config(peers.pool, limit=2))
        await peers.ready()

        await peers.change(components={"extendedResource": False})
        told = await peers.trial.until(PeerPodConfig, NAME, lambda found: found.status.node_count == 0)
        assert (told.status.nodes, told.status.total_advertised) == ([], 0)
        assert condition(told, "NodesAdvertised") == ("", "")
