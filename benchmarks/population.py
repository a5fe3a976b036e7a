"""Makes and changes many Widgets quickly, and sees what becomes of them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from http import HTTPStatus
from itertools import count
from pathlib import Path
from typing import Any, Self

import orjson

from benchmarks.bodies import check
from benchmarks.widget import EVERYWHERE, PATH, Widget, body, name_of
from windlass.client import HttpTransport, Request, connect, load_config
from windlass.testing import install_kinds

_AT_ONCE = 32
_JSON = {"Content-Type": "application/json"}
_MERGE = {"Content-Type": "application/merge-patch+json"}

Json = dict[str, Any]


class Population:
    """The Widgets of one control plane; `async with` connects."""

    def __init__(self, kubeconfig: Path) -> None:
        self._config = load_config(kubeconfig)
        self._transport = HttpTransport(self._config)
        self._revisions = count(1)

    async def __aenter__(self) -> Self:
        async with connect(self._config) as client:
            await install_kinds(client, [Widget])
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._transport.close()

    async def create(self, indexes: Iterable[int]) -> None:
        """Create Widgets, many at once."""
        await self._each(
            indexes, lambda index: _request("POST", PATH, _JSON, body(index)), HTTPStatus.CREATED
        )

    async def strip(self, indexes: Iterable[int]) -> None:
        """Remove the annotations that kopf leaves behind, so that all contenders meet the same objects."""
        nothing = orjson.dumps({"metadata": {"annotations": None}})
        await self._each(
            indexes,
            lambda index: _request("PATCH", f"{PATH}/{name_of(index)}", _MERGE, nothing),
            HTTPStatus.OK,
        )

    async def revise(self, index: int) -> int:
        """Give one a spec that it never had, and return its new generation."""
        change = orjson.dumps({"spec": {"revision": next(self._revisions)}})
        reply = await self._transport.send(_request("PATCH", f"{PATH}/{name_of(index)}", _MERGE, change))
        check(reply.status, HTTPStatus.OK, reply.body)
        return int(orjson.loads(reply.body)["metadata"]["generation"])

    @asynccontextmanager
    async def watch(self, see: Callable[[Json], None]) -> AsyncIterator[None]:
        """Show every change from now on to `see`, as it arrives."""
        listed = await self._transport.send(Request(method="GET", path=EVERYWHERE, query=(("limit", "1"),)))
        check(listed.status, HTTPStatus.OK, listed.body)
        version = orjson.loads(listed.body)["metadata"]["resourceVersion"]
        async with asyncio.TaskGroup() as group:
            watching = group.create_task(self._follow(version, see))
            yield
            watching.cancel()

    async def _follow(self, version: str, see: Callable[[Json], None]) -> None:
        """Watch; a server that is busy cuts off whom it finds slow, who then goes on from there."""
        while True:
            query = (("watch", "1"), ("resourceVersion", version), ("timeoutSeconds", "3600"))
            async with self._transport.stream(Request(method="GET", path=EVERYWHERE, query=query)) as stream:
                check(stream.status, HTTPStatus.OK)
                async for line in stream.lines():
                    event = orjson.loads(line)
                    if event["type"] == "ERROR":
                        raise SystemExit(f"the watch of the benchmark failed: {event['object']}")
                    version = event["object"]["metadata"]["resourceVersion"]
                    see(event["object"])

    async def _each(self, indexes: Iterable[int], request: Callable[[int], Request], expected: int) -> None:
        waiting = iter(indexes)

        async def worker() -> None:
            for index in waiting:
                reply = await self._transport.send(request(index))
                check(reply.status, expected, reply.body)

        async with asyncio.TaskGroup() as group:
            for _ in range(_AT_ONCE):
                group.create_task(worker())


def _request(method: str, path: str, headers: dict[str, str], content: bytes) -> Request:
    return Request(method=method, path=path, headers=headers, body=content)
