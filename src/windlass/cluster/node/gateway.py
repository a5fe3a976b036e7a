"""The way from a kube-apiserver on this machine to simulated pods: an HTTP proxy for its egress selector.

Webhooks behind a Service, aggregated APIs and `kubectl proxy` lead kube-apiserver to the address of a Service
or of a pod. No such network exists here. Its egress selector sends all of this to a Unix socket instead, as
`CONNECT 10.96.0.7:443 HTTP/1.1`. The gateway finds a ready pod behind a Service, and the port of this machine
where the program of a pod listens. It connects to any other address as it is.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import asynccontextmanager, suppress
from ipaddress import IPv4Address
from typing import TYPE_CHECKING, Final, NamedTuple

from typing_extensions import override

from windlass.apiserver.kubelet import Duplex, KubeletRefusal
from windlass.cluster.node.process import LOOPBACK
from windlass.cluster.node.state import is_pod_address
from windlass.errors import WindlassError
from windlass.kinds.core.v1 import Pod, Service
from windlass.kinds.discovery.v1 import EndpointSlice

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter
    from collections.abc import AsyncIterator
    from pathlib import Path
    from random import Random

    from windlass.client import Reader
    from windlass.cluster.node.kubelet import NodeKubelet

_CONNECT: Final = re.compile(rb"CONNECT \[?([^ \]]+)\]?:(\d+) HTTP/1\.[01]\r\n")
_PIECE: Final = 32 * 1024
_PATIENCE: Final = 10.0
_CONNECTED: Final = b"HTTP/1.1 200 Connection established\r\n\r\n"


class Unreachable(WindlassError):
    """Nothing can be connected to at an address; the message says why."""


class _Place(NamedTuple):
    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class Gateway:
    """Connects a kube-apiserver with the pods and Services of its cluster."""

    def __init__(self, kubelet: NodeKubelet, server: Reader, random: Random) -> None:
        self._kubelet = kubelet
        self._server = server
        self._random = random

    @asynccontextmanager
    async def served(self, socket: Path) -> AsyncIterator[None]:
        """Serve on a socket for the length of the block; connections that stand at its end are closed."""
        running: set[asyncio.Task[None]] = set()

        def accept(reader: StreamReader, writer: StreamWriter) -> None:
            task = asyncio.ensure_future(self._serve(reader, writer))
            running.add(task)
            task.add_done_callback(running.discard)

        listening = await asyncio.start_unix_server(accept, socket)
        try:
            yield
        finally:
            listening.close()
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
                async with asyncio.timeout(_PATIENCE):
                    head = await reader.readuntil(b"\r\n\r\n")
                await self._answer(head, _Connection(reader, writer))
        finally:
            writer.close()

    async def _answer(self, head: bytes, connection: _Connection) -> None:
        asked = _CONNECT.match(head)
        if asked is None:
            await connection.write(b"HTTP/1.1 405 only CONNECT\r\nContent-Length: 0\r\n\r\n")
            return
        try:
            await self._connect(_Place(asked[1].decode(), int(asked[2])), connection)
        except (Unreachable, KubeletRefusal) as error:
            reason = " ".join(str(error).split())
            await connection.write(f"HTTP/1.1 503 {reason}\r\nContent-Length: 0\r\n\r\n".encode())

    async def _connect(self, wanted: _Place, connection: _Connection) -> None:
        """Carry a connection to a place.

        Raises:
            Unreachable: nothing listens there.
        """
        place = await self._behind(wanted)
        pod = self._kubelet.pod_at(place.host)
        if pod is not None:
            local = self._kubelet.local_port(pod, place.port)
            if local is None:
                await connection.write(_CONNECTED)
                await self._kubelet.forward(pod, place.port, connection)
                return
            place = _Place(LOOPBACK, local)
        elif _is_address(place.host) and is_pod_address(place.host):
            raise Unreachable(await self._unknown(place))
        try:
            async with asyncio.timeout(_PATIENCE):
                reader, writer = await asyncio.open_connection(place.host, place.port)
        except (OSError, TimeoutError) as error:
            why = getattr(error, "strerror", None) or "timed out"
            raise Unreachable(f"dial tcp {wanted}: {place}: {why}") from error
        await connection.write(_CONNECTED)
        await connection.carry(reader, writer)

    async def _behind(self, wanted: _Place) -> _Place:
        """A ready pod behind the address of a Service; any other address itself.

        Raises:
            Unreachable: the Service has no such port, or no ready pod.
        """
        if not _is_address(wanted.host):
            return wanted
        found = list(await self._server.list(Service, fields=f"spec.clusterIP={wanted.host}"))
        if not found:
            return wanted
        service = found[0]
        name = f"{service.metadata.namespace}/{service.metadata.name}"
        port = next((each for each in service.spec.ports if each.port == wanted.port), None)
        if port is None:
            raise Unreachable(f'no service port {wanted.port} found for service "{name}"')
        label = f"kubernetes.io/service-name={service.metadata.name}"
        slices = await self._server.list(EndpointSlice, service.metadata.namespace, labels=label)
        ready = [
            _Place(end.addresses[0], each.port)
            for piece in slices
            for each in piece.ports
            for end in piece.endpoints
            if (each.name or "") == (port.name or "")
            and each.port
            and end.conditions
            and end.conditions.ready
        ]
        if not ready:
            raise Unreachable(f'no endpoints available for service "{name}"')
        return self._random.choice(sorted(ready))

    async def _unknown(self, place: _Place) -> str:
        """Why there is no way to the address of a pod."""
        found = list(await self._server.list(Pod, fields=f"status.podIP={place.host}"))
        if not found:
            return f"dial tcp {place}: no pod has this address"
        pod = found[0]
        name = f"{pod.metadata.namespace}/{pod.metadata.name}"
        return (
            f"dial tcp {place}: pod {name} is on node {pod.spec.node_name} of another process; "
            "the API server reaches only the nodes of windlass control-plane --nodes"
        )


class _Connection(Duplex):
    """A connection of the API server."""

    def __init__(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @override
    async def read(self) -> bytes:
        return await self._reader.read(_PIECE)

    @override
    async def write(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    async def carry(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Carry everything to another connection and back, until either side has nothing more to say."""
        pumps = [
            asyncio.ensure_future(_pumped(self._reader, writer)),
            asyncio.ensure_future(_pumped(reader, self._writer)),
        ]
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for pump in pumps:
                pump.cancel()
            writer.close()
            await asyncio.gather(*pumps, return_exceptions=True)


async def _pumped(reader: StreamReader, writer: StreamWriter) -> None:
    while data := await reader.read(_PIECE):
        writer.write(data)
        await writer.drain()


def _is_address(host: str) -> bool:
    try:
        IPv4Address(host)
    except ValueError:
        return False
    return True
