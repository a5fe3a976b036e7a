"""Nodes on an embedded server, on a clock that the test moves."""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from on_node import is_ready, pod
from polling import until
from windlass.aio import ManualClock
from windlass.api import Key
from windlass.apiserver import World
from windlass.client import Client, ClientOptions
from windlass.cluster import Cluster, ClusterOptions
from windlass.cluster.node import Behaviour, NodeOptions, Nodes, Surroundings, nodes_running
from windlass.errors import ConfigError
from windlass.kinds.core.v1 import Node, Pod

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

AT_ONCE = NodeOptions(count=2, moment=timedelta(), heartbeat=None)


@asynccontextmanager
async def running(options: NodeOptions = AT_ONCE) -> AsyncIterator[tuple[Cluster, Client, ManualClock]]:
    """A cluster with nodes, no controllers, and time that stands still."""
    clock = ManualClock()
    async with Cluster(ClusterOptions(nodes=options, world=World(clock=clock))) as cluster:
        client = Client(cluster.transport(), ClientOptions(namespace="default"))
        await until(lambda: client.list(Node), lambda found: len(found) == len(options.all_names))
        yield cluster, client, clock


async def _pod(client: Client, name: str) -> Pod:
    return await client.get(Pod, name)


async def test_with_no_moment_to_wait_one_write_makes_a_pod_run() -> None:
    async with running() as (cluster, client, _):
        with cluster.audit() as trail:
            await client.create(pod("web"))
            await until(lambda: _pod(client, "web"), is_ready)
        assert len([each for each in trail if "patch pods/web" in str(each)]) == 1


async def test_another_look_at_a_pod_writes_nothing() -> None:
    async with running() as (cluster, client, _):
        await client.create(pod("web"))
        await until(lambda: _pod(client, "web"), is_ready)
        before = (await _pod(client, "web")).metadata.resource_version
        with cluster.audit() as trail:
            cluster.nodes.wake_pod.send(Key("default", "web"))
            await client.create(pod("other"))  # looked at later
            await until(lambda: _pod(client, "other"), is_ready)
        assert (await _pod(client, "web")).metadata.resource_version == before
        assert not [each for each in trail if "patch pods/web" in str(each)]


async def test_a_pod_can_be_told_to_behave_in_another_way() -> None:
    async with running() as (cluster, client, clock):
        await client.create(pod("web"))
        await until(lambda: _pod(client, "web"), is_ready)
        cluster.nodes.behave(Key("default", "web"), Behaviour(runs=timedelta(), exit_code=9))
        broken = await until(lambda: _pod(client, "web"), lambda found: not is_ready(found))
        last = broken.status.container_statuses[0].last_state
        assert last is not None
        assert last.terminated is not None
        assert last.terminated.exit_code == 9
        cluster.nodes.behave(Key("default", "web"), None)
        await clock.advance(timedelta(seconds=10))
        assert is_ready(await until(lambda: _pod(client, "web"), is_ready))


async def test_a_lost_node_is_silent_and_goes_on_when_it_is_restored() -> None:
    async with running() as (cluster, client, _):
        place = f"{cluster.nodes.states['node-1'].address}:10250"
        network = cluster.server.world.network
        assert network.kubelet(place) is not None
        cluster.nodes.lose("node-1")
        assert network.kubelet(place) is None
        await client.create(pod("late"))
        await client.create(pod("beside", nodeName="node-2"))
        await until(lambda: _pod(client, "beside"), is_ready)
        assert (await _pod(client, "late")).status.container_statuses == []
        cluster.nodes.restore("node-1")
        assert network.kubelet(place) is not None
        assert is_ready(await until(lambda: _pod(client, "late"), is_ready))
        with pytest.raises(ConfigError, match="no node 'node-9' here, only node-1, node-2"):
            cluster.nodes.lose("node-9")


async def test_addresses_of_pods_are_their_own_and_given_again() -> None:
    async with running() as (_, client, __):
        for name in ("a", "b"):
            await client.create(pod(name))
        found = [await until(lambda name=name: _pod(client, name), is_ready) for name in ("a", "b")]  # type: ignore[misc]
        assert sorted(each.status.pod_ip for each in found) == ["10.244.0.2", "10.244.0.3"]
        await client.delete(Pod, found[0].metadata.name)
        await until(lambda: client.list(Pod), lambda left: len(left) == 1)
        await client.create(pod("c"))
        assert (await until(lambda: _pod(client, "c"), is_ready)).status.pod_ip == found[0].status.pod_ip


async def test_a_cluster_without_nodes_says_how_to_have_some() -> None:
    async with Cluster() as cluster:
        with pytest.raises(ConfigError, match="ask for some with the option nodes"):
            _ = cluster.nodes


async def test_nodes_have_the_labels_taints_zones_and_capacity_that_are_asked_for() -> None:
    options = NodeOptions(
        names=("east", "west"),
        labels={"tier": "gold"},
        taints=("dedicated=x:NoSchedule",),
        zones=("a", "b"),
        capacity={"example.com/gpu": "4"},
        heartbeat=None,
    )
    async with running(options) as (_, client, __):
        west = await client.get(Node, "west")
        assert west.metadata.labels["tier"] == "gold"
        assert west.metadata.labels["topology.kubernetes.io/zone"] == "b"
        assert "dedicated" in {each.key for each in west.spec.taints}
        assert str(west.status.allocatable["example.com/gpu"]) == "4"


@pytest.mark.parametrize(
    "wrong",
    [
        {"count": -1},
        {"heartbeat": timedelta()},
        {"backoff": timedelta()},
        {"moment": timedelta(seconds=-1)},
        {"taints": ("x",)},
    ],
)
def test_options_that_cannot_be_used_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        NodeOptions(**wrong)  # type: ignore[arg-type]


async def test_nodes_that_are_started_again_find_all_as_it_should_be_and_write_nothing() -> None:
    async with running() as (cluster, client, clock):
        pods = [
            pod("web"),
            pod("done", restartPolicy="Never"),
            pod("bad", restartPolicy="Never", annotations={"exit-code": "3"}),
        ]
        for each in pods:
            await client.create(each)
        await until(lambda: client.list(Pod), lambda found: {each.status.phase for each in found} == PHASES)
        with cluster.audit() as trail:
            again = Nodes(AT_ONCE)
            async with nodes_running(cluster.transport(), again, Surroundings(clock=clock)):
                await until(lambda: _placed(again), lambda count: count == len(pods))
                await client.create(pod("new", nodeName="node-2"))
                await until(lambda: _pod(client, "new"), is_ready)
        writes = [str(each) for each in trail if "patch pods/" in str(each)]
        assert {each.split()[2] for each in writes} <= {"pods/new"}


PHASES = {"Running", "Succeeded", "Failed"}


async def _placed(nodes: Nodes) -> int:
    return len(nodes.lives)


async def test_a_pod_that_comes_while_nodes_are_away_is_given_no_address_of_another() -> None:
    async with Cluster() as cluster:
        client = Client(cluster.transport(), ClientOptions(namespace="default"))
        names = [f"old-{number}" for number in range(5)]
        async with nodes_running(cluster.transport(), Nodes(AT_ONCE)):
            for name in names:
                await client.create(pod(name))
            await until(lambda: client.list(Pod), lambda found: all(map(is_ready, found)))
        await client.create(pod("new"))
        async with nodes_running(cluster.transport(), Nodes(AT_ONCE)):
            await until(lambda: _pod(client, "new"), is_ready)
        addresses = [each.status.pod_ip for each in await client.list(Pod)]
        assert len(set(addresses)) == len(names) + 1
