from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import orjson
from typing_extensions import override

from windlass.client import Transport
from windlass.errors import ConnectionFailedError
from windlass.testing.faulty import refused_response
from windlass.testing.simulation.channel import Channel
from windlass.testing.simulation.process import PROCESS, Process, never
from windlass.testing.simulation.wire import Parcel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from windlass.client import Request, Response, Stream
    from windlass.testing.simulation.channel import Channels

_READS = frozenset({"GET", "HEAD"})


class SimulatedTransport(Transport):
    """How a process reaches the API server: by the wire, until the process ends."""

    def __init__(
        self,
        inner: Transport,
        channels: Channels,
        told: Callable[[Process, Request], None],
    ) -> None:
        self._inner = inner
        self._wire = channels.wire
        self._channels = channels
        self._told = told

    @override
    async def send(self, request: Request) -> Response:
        process = present_process()
        sent = replace(request, guard=None, timeout=None)
        parcel: Parcel[Response] = Parcel(
            about=said(request),
            work=lambda: self._inner.send(sent),
            failure=lambda sent: _failure(request, sent=sent),
            said=_said_response,
            guard=request.guard,
            refusal=lambda fault: refused_response(fault, request),
            timeout=request.timeout.total_seconds() if request.timeout else None,
            risky=is_write(request),
            notice=lambda: self._told(process, request),
        )
        return await self._wire.carry(process, parcel)

    @override
    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[Stream]:
        process = present_process()
        if process.state == "dead":
            await never()
        channel = Channel(self._channels, process, f"watch {said(request)}")
        channel.open(self._inner, replace(request, guard=None), _failure(request, sent=True))
        try:
            await channel.opened
            yield channel
        finally:
            channel.close()

    @override
    async def close(self) -> None:
        """There is nothing to close."""


def present_process() -> Process:
    """The process that the running code belongs to.

    Raises:
        ConnectionFailedError: it belongs to none.
    """
    process = PROCESS.get()
    if process is None:
        raise ConnectionFailedError("only a simulated process has this connection; people use world.client")
    return process


def is_write(request: Request) -> bool:
    """Whether a request changes more than a lease."""
    return request.method not in _READS and "/leases" not in request.path


def said(request: Request) -> str:
    """A request in short: `PATCH widgets/w/status`."""
    parts = request.path.split("/")
    parts = parts[3:] if parts[1] == "api" else parts[4:]
    if parts[:1] == ["namespaces"] and len(parts) > 2:  # noqa: PLR2004 - a namespace itself has two
        parts = parts[2:]
    return f"{request.method} {'/'.join(parts)}"


def _said_response(response: Response) -> str:
    if b'"resourceVersion":"' not in response.body[:4096]:
        return str(response.status)
    body = orjson.loads(response.body)
    return f"{response.status} at {body['metadata'].get('resourceVersion', '')}"


def _failure(request: Request, *, sent: bool) -> ConnectionFailedError:
    why = "no answer came" if sent else "the connection was refused"
    return ConnectionFailedError(f"{said(request)}: {why}", sent=sent)
