"""Elections in one process: a link to the server that can be cut in every way, and time that is moved by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from typing_extensions import override

from windlass.aio import ManualClock
from windlass.client import NO_RETRY, Client, ClientOptions, Transport
from windlass.errors import ConnectionFailedError, NotLeadingError
from windlass.manager import Election, ElectionOptions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Request, Response, Stream
    from windlass.cluster import Cluster
    from windlass.controller import Fence

Way = Literal["open", "refused", "silent", "deaf", "late"]
"""What a link does with a request: pass it on; refuse it; lose it; pass it on and lose the answer; or keep it
until `Link.deliver`, when nobody waits for it any more."""

_TURNS = 40  # what an attempt and its consequences take, with some to spare


class Link(Transport):
    """A way to a server that can fail as networks do."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._kept: list[Request] = []
        self.way: Way = "open"
        self.answering: Callable[[Request], None] = lambda _: None
        """Called when an answer is there, before it is given."""

    @override
    async def send(self, request: Request) -> Response:
        match self.way:
            case "open":
                response = await self._transport.send(request)
                self.answering(request)
                return response
            case "refused":
                raise ConnectionFailedError(f"{request}: refused")
            case "deaf":
                await self._transport.send(request)
            case "late":
                self._kept.append(replace(request, guard=None))
            case "silent":
                pass
        await asyncio.Event().wait()
        raise AssertionError("nobody answers")

    async def deliver(self) -> None:
        """Let everything arrive that was on its way."""
        kept, self._kept = self._kept, []
        for request in kept:
            await self._transport.send(request)

    @override
    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[Stream]:
        async with self._transport.stream(request) as stream:
            yield stream

    @override
    async def close(self) -> None: ...


class Process:
    """Stands for one process: an election with a clock and a link of its own, and what it does when it leads.

    `fences` are those of its terms, `terms` how many are running, of which there should never be two.
    """

    def __init__(self, cluster: Cluster, name: str, lead: Lead | None = None, **options: Any) -> None:
        self.name = name
        self.clock = ManualClock()
        self.link = Link(cluster.transport())
        self.fences: list[Fence] = []
        self.terms = 0
        self._lead = lead or forever
        given = {"name": "election", "namespace": "default", "identity": name, **options}
        self.election = Election(
            Client(self.link, ClientOptions(retry=NO_RETRY)),
            ElectionOptions(**given),
            clock=self.clock,
            random=Random(name),
        )
        self.task = asyncio.create_task(self.election.run(self._leading), name=name)

    def passes(self) -> bool:
        """Whether any fence that this process was ever given lets a write through now."""
        return any(_passes(fence) for fence in self.fences)

    async def stop(self) -> None:
        """End it, by force if need be."""
        while not self.task.done():
            self.task.cancel()
            await settle()
        await asyncio.gather(self.task, return_exceptions=True)

    async def _leading(self, fence: Fence) -> None:
        self.fences.append(fence)
        self.terms += 1
        try:
            await self._lead(fence)
        finally:
            self.terms -= 1


Lead = Callable[["Fence"], Awaitable[None]]


def _passes(fence: Fence) -> bool:
    try:
        fence.check()
    except NotLeadingError:
        return False
    return True


async def forever(_fence: Fence) -> None:
    """Lead until cancelled."""
    await asyncio.Event().wait()


async def settle() -> None:
    """Let everybody do what can be done without time."""
    for _ in range(_TURNS):
        await asyncio.sleep(0)


async def elapse(seconds: float, *processes: Process, step: float = 0.1) -> None:
    """Let time pass for all, in small steps."""
    await settle()
    for _ in range(round(seconds / step)):
        for process in processes:
            await process.clock.advance(timedelta(seconds=step))
        await settle()
