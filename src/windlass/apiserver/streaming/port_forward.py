"""Connections to ports of a pod: SPDY, bare or through a WebSocket, or the channels of older clients."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.apiserver.kubelet import Duplex, KubeletRefusal
from windlass.apiserver.streaming.inlet import Inlet
from windlass.apiserver.streaming.spdy import Closed, MalformedFrame, Opened, Received, Session
from windlass.apiserver.streaming.spdy_channel import STREAM_TYPE
from windlass.apiserver.streaming.websocket import MalformedMessage, WebSocket

if TYPE_CHECKING:
    from windlass.apiserver.kubelet import Kubelet, PodName
    from windlass.apiserver.streaming.spdy import Event

PORT_FORWARD: Final = "portforward.k8s.io"
TUNNEL: Final = f"SPDY/3.1+{PORT_FORWARD}"
_LAST_PORT: Final = 65535


@dataclass(frozen=True, slots=True, kw_only=True)
class Forwarding:
    """The pod whose ports are wanted."""

    kubelet: Kubelet
    pod: PodName

    async def over_spdy(self, connection: Duplex) -> None:
        """Carry connections, each a pair of streams, until the client has gone."""
        async with asyncio.TaskGroup() as group:
            switch = _Switch(self, connection, group)
            await switch.listen()
            switch.hang_up()

    async def over_tunnel(self, connection: Duplex) -> None:
        """Do so for a client that sends the bytes of SPDY as messages of a WebSocket."""
        tunnel = Tunnel(connection)
        await self.over_spdy(tunnel)
        await tunnel.close()

    async def carry(self, port: int, connection: Duplex) -> str:
        """Carry one connection to its end; returns what went wrong."""
        try:
            await self.kubelet.forward(self.pod, port, connection)
        except KubeletRefusal as refusal:
            return f"error forwarding port {port} to pod {self.pod.name}, uid : {refusal}"
        return ""


class Tunnel(Duplex):
    """The bytes in the messages of a WebSocket."""

    def __init__(self, connection: Duplex) -> None:
        self._connection = connection
        self._socket = WebSocket()

    @override
    async def read(self) -> bytes:
        while not self._socket.closed:
            data = await self._connection.read()
            try:
                found = b"".join(self._socket.receive(data))
            except MalformedMessage:
                return b""
            await self._flush()
            if found or not data:
                return found
        return b""

    @override
    async def write(self, data: bytes) -> None:
        self._socket.send(data)
        await self._flush()

    async def close(self) -> None:
        """Say goodbye."""
        if not self._socket.closed:
            self._socket.close()
            await self._flush()

    async def _flush(self) -> None:
        data = self._socket.pending()
        if data:
            await self._connection.write(data)


class _Switch:
    """The streams of a connection, in pairs: one for data, one for what goes wrong."""

    def __init__(self, forwarding: Forwarding, connection: Duplex, group: asyncio.TaskGroup) -> None:
        self._forwarding = forwarding
        self._connection = connection
        self._group = group
        self._session = Session()
        self._waiting: dict[str, dict[str, int]] = {}
        self._inlets: dict[int, Inlet] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def listen(self) -> None:
        """Take what comes, until the connection ends."""
        try:
            while data := await self._connection.read():
                for event in self._session.receive(data):
                    await self._take(event)
                await self.flush()
        except MalformedFrame:
            return  # who sends such things is not answered

    def hang_up(self) -> None:
        """End what is still being carried."""
        for task in self._tasks:
            task.cancel()

    async def send(self, stream: int, data: bytes) -> None:
        """Send something on a stream."""
        self._session.send(stream, data)
        await self.flush()

    async def flush(self) -> None:
        """Let everything go that is to be sent."""
        data = self._session.pending()
        if data:
            await self._connection.write(data)

    async def _take(self, event: Event) -> None:
        match event:
            case Opened():
                self._open(event)
            case Received(stream=stream, data=data) if stream in self._inlets:
                await self._inlets[stream].feed(data)
            case Closed(stream=stream, reset=reset):
                if stream in self._inlets:
                    self._inlets[stream].close()
                if reset:
                    self._forget(stream)
            case _:
                pass  # of the other stream of a pair: nobody has anything to say there

    def _open(self, event: Opened) -> None:
        kind, port = event.headers.get(STREAM_TYPE, ""), event.headers.get("port", "")
        request = event.headers.get("requestid") or port
        pair = self._waiting.setdefault(request, {})
        valid = port.isdecimal() and 0 < int(port) <= _LAST_PORT
        if kind not in ("data", "error") or kind in pair or not valid:
            self._session.reset(event.stream)
            if not pair:
                del self._waiting[request]
            return
        self._session.accept(event.stream)
        pair[kind] = event.stream
        if kind == "data":
            self._inlets[event.stream] = Inlet()
        if len(pair) == 2:  # noqa: PLR2004 - both
            del self._waiting[request]
            task = self._group.create_task(self._carry(int(port), pair["data"], pair["error"]))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _forget(self, stream: int) -> None:
        """A stream that waits for its other half will not be used."""
        self._waiting = {key: pair for key, pair in self._waiting.items() if stream not in pair.values()}

    async def _carry(self, port: int, data: int, error: int) -> None:
        problem = await self._forwarding.carry(port, _Stream(self, data, self._inlets[data]))
        self._inlets.pop(data).close()  # or who feeds it would wait for ever
        if problem:
            self._session.send(error, problem.encode())
        self._session.finish(error)
        self._session.finish(data)
        await self.flush()


class _Stream(Duplex):
    def __init__(self, switch: _Switch, stream: int, inlet: Inlet) -> None:
        self._switch = switch
        self._stream = stream
        self._inlet = inlet

    @override
    async def read(self) -> bytes:
        return await self._inlet.read()

    @override
    async def write(self, data: bytes) -> None:
        await self._switch.send(self._stream, data)
