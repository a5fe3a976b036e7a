"""A Deployment whose controller hears less than happens."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from random import Random
from typing import TYPE_CHECKING

from typing_extensions import override

from deploying import deployment
from polling import until
from windlass.client import NO_RETRY, Client, ClientOptions, Transport
from windlass.cluster import Cluster
from windlass.cluster.controller.deployment import DeploymentController
from windlass.errors import ConnectionFailedError
from windlass.kinds.apps.v1 import Deployment, ReplicaSet
from windlass.manager import Manager, ManagerOptions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from windlass.client import Request, Response, Stream


class _Late:
    """A stream that tells nothing while it is held."""

    def __init__(self, stream: Stream, free: asyncio.Event) -> None:
        self._stream = stream
        self._free = free

    @property
    def status(self) -> int:
        return self._stream.status

    @property
    def headers(self) -> Mapping[str, str]:
        return self._stream.headers

    @property
    def warnings(self) -> tuple[str, ...]:
        return self._stream.warnings

    async def lines(self) -> AsyncIterator[bytes]:
        async for line in self._stream.lines():
            await self._free.wait()
            yield line


class _Losing(Transport):
    """Loses the answer to the first ReplicaSet that is created, and holds the watches of them from then on."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.free = asyncio.Event()
        self.free.set()
        self.created = 0

    @override
    async def send(self, request: Request) -> Response:
        creates = request.method == "POST" and request.path.endswith("/replicasets")
        self.created += creates
        if not creates or self.created > 1:
            return await self._transport.send(request)
        self.free.clear()
        await self._transport.send(request)
        raise ConnectionFailedError("the answer was lost", sent=True)

    @override
    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[Stream]:
        async with self._transport.stream(request) as stream:
            yield _Late(stream, self.free) if request.path.endswith("/replicasets") else stream

    @override
    async def close(self) -> None:
        await self._transport.close()


async def test_a_set_that_was_made_although_no_answer_came_is_no_collision() -> None:
    async with Cluster() as cluster, asyncio.TaskGroup() as group:
        losing = _Losing(cluster.transport())
        client = Client(cluster.transport(), ClientOptions(namespace="default"))
        operator = Client(losing, ClientOptions(retry=NO_RETRY))
        manager = Manager(operator, ManagerOptions(name="tester"), random=Random(1))
        manager.add(DeploymentController())
        task = group.create_task(manager.run())
        await client.create(deployment(1))
        found = await until(
            lambda: client.get(Deployment, "web"), lambda found: found.status.observed_generation == 1
        )
        sets = await client.list(ReplicaSet, "default")
        losing.free.set()
        task.cancel()

    assert losing.created == 2
    assert len([*sets]) == 1
    assert not found.status.collision_count
