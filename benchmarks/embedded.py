"""Work of the embedded server in a process of its own, which prints what it cost as JSON.

python -m benchmarks.embedded start|writes|stored COUNT, or serve KUBECONFIG
"""

import asyncio
import gc
import json
import sys
import time
from http import HTTPStatus
from pathlib import Path


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
    """Creates, then a patch of each, by calls in this process."""
    from benchmarks.bodies import check, config_map
    from windlass.client import Request
    from windlass.cluster import Cluster

    transport = Cluster().transport()
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
    return {"create": await each(creates, HTTPStatus.CREATED), "patch": await each(patches, HTTPStatus.OK)}


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
    """Serve until the process is ended."""
    from windlass.cluster import Cluster, ClusterOptions

    async with Cluster(ClusterOptions(port=0)) as cluster:
        await asyncio.to_thread(Path(kubeconfig).write_text, cluster.access.kubeconfig_for())
        print("ready", flush=True)
        await asyncio.Event().wait()


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
