"""Work of the embedded server in a process of its own, which prints what it cost as JSON.

python -m benchmarks.embedded start|writes|stored COUNT, or serve KUBECONFIG
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import time
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windlass.cluster import Cluster

_USER = "bench"


async def start(_count: int) -> dict[str, float]:
    """From nothing, imports included, to the first answered list over HTTPS."""
    begin = time.perf_counter()
    from windlass.client import connect, load_config
    from windlass.cluster import Cluster, ClusterOptions
    from windlass.kinds.core.v1 import Namespace

    async with Cluster(ClusterOptions(port=0)) as cluster:
        async with connect(load_config(cluster.access.kubeconfig)) as client:
            await client.list(Namespace)
        return {"seconds": time.perf_counter() - begin}


async def writes(count: int) -> dict[str, float]:
    """Creates, then a patch of each, by calls in this process; by a user whom a role allows, and audited."""
    from benchmarks.bodies import check, config_map
    from windlass.client import Request
    from windlass.cluster import Cluster, ClusterOptions

    cluster = Cluster(ClusterOptions(users={_USER: ()}))
    await _authorize(cluster)
    transport = cluster.transport(_USER)
    path, json_type = "/api/v1/namespaces/default/configmaps", {"Content-Type": "application/json"}
    merge = {"Content-Type": "application/merge-patch+json"}

    async def each(requests: list[Request], status: int) -> float:
        begin = time.perf_counter()
        for request in requests:
            check((await transport.send(request)).status, status)
        return (time.perf_counter() - begin) / count

    creates = [
        Request(method="POST", path=path, headers=json_type, body=config_map("bench", index))
        for index in range(count)
    ]
    patches = [
        Request(method="PATCH", path=f"{path}/bench-{index}", headers=merge, body=b'{"data":{"a":"2"}}')
        for index in range(count)
    ]
    with cluster.audit():
        created, patched = await each(creates, HTTPStatus.CREATED), await each(patches, HTTPStatus.OK)
    return {"create": created, "patch": patched}


async def stored(count: int) -> dict[str, float]:
    """How much memory a number of objects takes."""
    from benchmarks.bodies import check, config_map
    from windlass.client import Request
    from windlass.cluster import Cluster

    transport = Cluster().transport()
    path, json_type = "/api/v1/namespaces/default/configmaps", {"Content-Type": "application/json"}
    for index in range(count):
        body = config_map("bench", index)
        reply = await transport.send(Request(method="POST", path=path, headers=json_type, body=body))
        check(reply.status, HTTPStatus.CREATED)
    gc.collect()
    return {"mb": _resident_mb()}


async def serve(kubeconfig: str) -> None:
    """Serve until the process is ended: to a user whom a role allows, and audited."""
    from windlass.cluster import Cluster, ClusterOptions

    async with Cluster(ClusterOptions(port=0, users={_USER: ()})) as cluster:
        await _authorize(cluster)
        await asyncio.to_thread(Path(kubeconfig).write_text, cluster.access.kubeconfig_for(_USER))
        with cluster.audit():
            print("ready", flush=True)
            await asyncio.Event().wait()


async def _authorize(cluster: Cluster) -> None:
    """Let the user do everything, by a role."""
    from windlass.api import ObjectMeta
    from windlass.client import Client
    from windlass.kinds.rbac.v1 import ClusterRoleBinding, RoleRef, Subject

    group = "rbac.authorization.k8s.io"
    binding = ClusterRoleBinding(
        metadata=ObjectMeta(name=_USER),
        role_ref=RoleRef(api_group=group, kind="ClusterRole", name="cluster-admin"),
        subjects=[Subject(api_group=group, kind="User", name=_USER)],
    )
    await Client(cluster.transport()).create(binding)


def _resident_mb() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("this machine does not say how much memory a process has")


def main() -> None:
    from windlass.aio import run

    name, argument = sys.argv[1:3]
    if name == "serve":
        run(serve(argument))
    else:
        work = {"start": start, "writes": writes, "stored": stored}[name]
        print(json.dumps(run(work(int(argument)))))


main()
