"""Load on an API server, whichever it is, from a process of its own that prints what it saw as JSON.

python -m benchmarks.load writes|watchers KUBECONFIG COUNT
"""

import asyncio
import base64
import json
import os
import ssl
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

import aiohttp
import orjson
import yaml

from benchmarks.bodies import check, config_map

CONNECTIONS = 16
WATCHERS = 100
RATE = 1000
MERGE = {"Content-Type": "application/merge-patch+json"}


@asynccontextmanager
async def session(kubeconfig: str, limit: int) -> AsyncIterator[tuple[aiohttp.ClientSession, str]]:
    """A session, and the address of the ConfigMaps that are written."""
    config = yaml.safe_load(await asyncio.to_thread(Path(kubeconfig).read_text))
    cluster, token = config["clusters"][0]["cluster"], config["users"][0]["user"]["token"]
    ca = base64.b64decode(cluster["certificate-authority-data"]).decode()
    connector = aiohttp.TCPConnector(ssl=ssl.create_default_context(cadata=ca), limit=limit)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", "User-Agent": "bench"}
    timeout = aiohttp.ClientTimeout(total=None)
    async with aiohttp.ClientSession(connector=connector, headers=headers, timeout=timeout) as http:
        yield http, f"{cluster['server']}/api/v1/namespaces/default/configmaps"


async def sixteen_at_a_time(count: int, work: Callable[[int], Coroutine[Any, Any, None]]) -> float:
    """How long a number of requests takes, in seconds for each."""
    indexes = iter(range(count))

    async def worker() -> None:
        for index in indexes:
            await work(index)

    start = time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(CONNECTIONS)))
    return (time.perf_counter() - start) / count


async def writes(kubeconfig: str, count: int) -> dict[str, float]:
    """Creates, then a patch of each."""
    run = f"bench-{os.urandom(3).hex()}"
    async with session(kubeconfig, CONNECTIONS) as (http, path):

        async def create(index: int) -> None:
            async with http.post(path, data=config_map(run, index)) as answer:
                check(answer.status, HTTPStatus.CREATED, await answer.read())

        async def patch(index: int) -> None:
            body = orjson.dumps({"data": {"a": str(index + 2)}})
            async with http.patch(f"{path}/{run}-{index}", data=body, headers=MERGE) as answer:
                check(answer.status, HTTPStatus.OK, await answer.read())

        await sixteen_at_a_time(200, lambda index: create(-1 - index))  # connections, caches
        return {
            "create": await sixteen_at_a_time(count, create),
            "patch": await sixteen_at_a_time(count, patch),
        }


async def watchers(kubeconfig: str, count: int) -> dict[str, float]:
    """A hundred watches of one collection, to which a thousand writes come in each second."""
    run = f"bench-{os.urandom(3).hex()}"
    seen = [0] * WATCHERS
    async with session(kubeconfig, WATCHERS + CONNECTIONS) as (http, path):
        opened = asyncio.Semaphore(0)

        async def watch(index: int) -> None:
            async with http.get(path, params={"watch": "1", "labelSelector": f"run={run}"}) as answer:
                opened.release()
                async for chunk in answer.content.iter_any():
                    seen[index] += chunk.count(b"\n")
                    if seen[index] >= count:
                        return

        async def create(index: int) -> None:
            delay = start + index / RATE - time.perf_counter()
            if delay > 0:
                await asyncio.sleep(delay)
            async with http.post(path, data=config_map(run, index)) as answer:
                check(answer.status, HTTPStatus.CREATED, await answer.read())

        watching = [asyncio.ensure_future(watch(index)) for index in range(WATCHERS)]
        for _ in watching:
            await opened.acquire()
        start = time.perf_counter()
        await sixteen_at_a_time(count, create)
        written = time.perf_counter() - start
        async with asyncio.timeout(60):
            await asyncio.gather(*watching)
        everything = time.perf_counter() - start
    return {"written": written, "seen": everything, "lost": count * WATCHERS - sum(seen)}


def main() -> None:
    work = {"writes": writes, "watchers": watchers}[sys.argv[1]]
    print(json.dumps(asyncio.run(work(sys.argv[2], int(sys.argv[3])))))


main()
