"""A whole cluster in a process of its own, with nodes that run pods of Deployments; prints its cost as JSON.

python -m benchmarks.whole NODES PODS [--profile FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.client import Client

_OF_EACH = 500


async def reach_running(nodes: int, pods: int) -> dict[str, float]:
    """From nothing, imports included, until every pod of the Deployments runs and is ready."""
    begin = time.perf_counter()
    from windlass.client import Client
    from windlass.cluster import Cluster, ClusterOptions
    from windlass.cluster.node import NodeOptions

    options = NodeOptions(count=nodes, heartbeat=None, events=False, zones=("a", "b", "c"))
    async with Cluster(ClusterOptions(controllers=True, nodes=options)) as cluster:
        client = Client(cluster.transport())
        await until_nodes(client, nodes)
        joined = time.perf_counter() - begin
        for number in range(pods // _OF_EACH):
            await deploy(client, f"web-{number}", _OF_EACH)
        await until_available(client, pods)
        return {
            "joined": joined,
            "wall": time.perf_counter() - begin,
            "cpu": time.process_time(),
            "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        }


async def deploy(client: Client, name: str, replicas: int) -> None:
    """Ask for a number of pods."""
    from windlass.kinds.apps.v1 import Deployment

    labels = {"app": name}
    resources = {"requests": {"cpu": "100m", "memory": "64Mi"}}
    template = {
        "metadata": {"labels": labels},
        "spec": {"containers": [{"name": "main", "image": "web:1", "resources": resources}]},
    }
    spec: dict[str, Any] = {"replicas": replicas, "selector": {"matchLabels": labels}, "template": template}
    body = {"metadata": {"name": name, "namespace": "default"}, "spec": spec}
    await client.create(Deployment.from_wire(body))


async def until_nodes(client: Client, count: int) -> None:
    """Wait until all nodes have joined, and pods can come."""
    from windlass.kinds.core.v1 import Node

    while True:
        found = await client.list(Node)
        if len(found) == count and not any(each.spec.taints for each in found):
            return
        await asyncio.sleep(0.5)


async def until_available(client: Client, pods: int) -> None:
    """Wait until Deployments have so many pods available."""
    from windlass.kinds.apps.v1 import Deployment

    while True:
        found = await client.list(Deployment)
        if sum(each.status.available_replicas or 0 for each in found) >= pods:
            return
        await asyncio.sleep(0.2)


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.whole")
    parser.add_argument("nodes", type=int)
    parser.add_argument("pods", type=int)
    parser.add_argument("--profile", help="write the profile of the run here")
    given = parser.parse_args()
    if given.profile:
        profiled(given.profile, given.nodes, given.pods)
    else:
        from windlass.aio import run

        print(json.dumps(run(reach_running(given.nodes, given.pods))))


def profiled(path: Path | str, nodes: int, pods: int) -> None:
    """The same under cProfile, which makes it several times slower."""
    import cProfile

    from windlass.aio import run

    with cProfile.Profile() as profile:
        print(json.dumps(run(reach_running(nodes, pods))))
    profile.dump_stats(path)


main()
