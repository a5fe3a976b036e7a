"""The same piece of work done by each library, in a process of its own that prints what it cost.

python -m benchmarks.contender windlass get KUBECONFIG COUNT
"""

import asyncio
import json
import resource
import sys
import time
from collections.abc import Callable, Coroutine
from typing import Any

NAMESPACE = "default"
NAME = "bench-00000"

Work = Callable[[str, int], Coroutine[Any, Any, int]]


async def windlass_get(kubeconfig: str, count: int) -> int:
    from windlass.client import connect, load_config
    from windlass.kinds.core.v1 import ConfigMap

    async with connect(load_config(kubeconfig)) as client:
        await client.get(ConfigMap, NAME, NAMESPACE)
        start()
        return sum([len((await client.get(ConfigMap, NAME, NAMESPACE)).data) for _ in range(count)])


async def windlass_list(kubeconfig: str, _count: int) -> int:
    from windlass.client import connect, load_config
    from windlass.kinds.core.v1 import ConfigMap

    async with connect(load_config(kubeconfig)) as client:
        await client.get(ConfigMap, NAME, NAMESPACE)
        start()
        found = await client.list(ConfigMap, NAMESPACE)
        return sum(len(each.metadata.name) for each in found)


async def kubernetes_asyncio_get(kubeconfig: str, count: int) -> int:
    from kubernetes_asyncio import client, config

    await config.load_kube_config(kubeconfig)
    async with client.ApiClient() as api:
        core = client.CoreV1Api(api)
        await core.read_namespaced_config_map(NAME, NAMESPACE)
        start()
        return sum([len((await core.read_namespaced_config_map(NAME, NAMESPACE)).data) for _ in range(count)])


async def kubernetes_asyncio_list(kubeconfig: str, _count: int) -> int:
    from kubernetes_asyncio import client, config

    await config.load_kube_config(kubeconfig)
    async with client.ApiClient() as api:
        core = client.CoreV1Api(api)
        await core.read_namespaced_config_map(NAME, NAMESPACE)
        start()
        found = await core.list_namespaced_config_map(NAMESPACE)
        return sum(len(each.metadata.name) for each in found.items)


async def lightkube_get(kubeconfig: str, count: int) -> int:
    from lightkube import AsyncClient, KubeConfig
    from lightkube.resources.core_v1 import ConfigMap

    client = AsyncClient(config=KubeConfig.from_file(kubeconfig))
    await client.get(ConfigMap, name=NAME, namespace=NAMESPACE)
    start()
    total = sum(
        [len((await client.get(ConfigMap, name=NAME, namespace=NAMESPACE)).data) for _ in range(count)]
    )
    await client.close()
    return total


async def lightkube_list(kubeconfig: str, _count: int) -> int:
    from lightkube import AsyncClient, KubeConfig
    from lightkube.resources.core_v1 import ConfigMap

    client = AsyncClient(config=KubeConfig.from_file(kubeconfig))
    await client.get(ConfigMap, name=NAME, namespace=NAMESPACE)
    start()
    found = [each async for each in client.list(ConfigMap, namespace=NAMESPACE)]
    total = sum(len(each.metadata.name) for each in found)
    await client.close()
    return total


async def kr8s_get(kubeconfig: str, count: int) -> int:
    import kr8s.asyncio
    from kr8s.asyncio.objects import ConfigMap

    api = await kr8s.asyncio.api(kubeconfig=kubeconfig)
    await ConfigMap.get(NAME, namespace=NAMESPACE, api=api)
    start()
    total = 0
    for _ in range(count):
        found = await ConfigMap.get(NAME, namespace=NAMESPACE, api=api)
        total += len(found.data)
    return total


async def kr8s_list(kubeconfig: str, _count: int) -> int:
    import kr8s.asyncio
    from kr8s.asyncio.objects import ConfigMap

    api = await kr8s.asyncio.api(kubeconfig=kubeconfig)
    await ConfigMap.get(NAME, namespace=NAMESPACE, api=api)
    start()
    found = [each async for each in ConfigMap.list(namespace=NAMESPACE, api=api)]
    return sum(len(each.name) for each in found)


_started = [0.0, 0.0]


def start() -> None:
    """The work proper begins here; what came before was setting up."""
    _started[:] = time.process_time(), time.perf_counter()


def main() -> None:
    library, task, kubeconfig, count = sys.argv[1:]
    work: Work = globals()[f"{library}_{task}"]
    if library == "windlass":
        from windlass.aio import run  # as operators run: on uvloop

        total = run(work(kubeconfig, int(count)))
    else:
        total = asyncio.run(work(kubeconfig, int(count)))
    spent = time.process_time() - _started[0], time.perf_counter() - _started[1]
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peak = own / 1024  # of this process; the benchmark's own is smaller, or it would show here
    print(json.dumps({"cpu": spent[0], "wall": spent[1], "peak_mb": peak, "total": total}))


if __name__ == "__main__":
    main()
