"""Connections that requests become, and what a client says on them: WebSocket messages, SPDY frames."""

from __future__ import annotations

import asyncio
import base64
import struct
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from typing_extensions import override

from windlass.apiserver import Call, Query
from windlass.apiserver.kubelet import Duplex
from windlass.apiserver.streaming.inlet import Inlet
from windlass.apiserver.streaming.spdy.frame import (
    Control,
    Data,
    FrameReader,
    Kind,
    control_frame,
    data_frames,
)
from windlass.apiserver.streaming.spdy.header import HeaderReader, HeaderWriter

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from windlass.apiserver import ApiServer
    from windlass.apiserver.streaming import Upgrade
    from windlass.testing import Access

_KEY = "dGhlIHNhbXBsZSBub25jZQ=="
_PATIENCE = 10.0
_GOODBYE = 8


@dataclass(frozen=True)
class Asking:
    """A request that is to become a connection."""

    path: str
    headers: dict[str, str]
    query: Sequence[tuple[str, str]] = ()
    method: str = "GET"


def websocket(path: str, *protocols: str, query: Sequence[tuple[str, str]] = ()) -> Asking:
    """A request for a WebSocket that speaks one of these protocols."""
    headers = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": _KEY,
    }
    return Asking(
        path, headers | ({"Sec-WebSocket-Protocol": ", ".join(protocols)} if protocols else {}), query
    )


def spdy(path: str, *protocols: str, query: Sequence[tuple[str, str]] = ()) -> Asking:
    """A request for SPDY, with one of these protocols on it."""
    headers = {"Connection": "Upgrade", "Upgrade": "SPDY/3.1", "Content-Length": "0"}
    if protocols:
        headers["X-Stream-Protocol-Version"] = ",".join(protocols)
    return Asking(path, headers, query, method="POST")


@dataclass
class Opened:
    """What was answered: a connection, or with another status than 101 a body."""

    status: int
    headers: dict[str, str]
    connection: Duplex
    body: bytes = b""


@asynccontextmanager
async def open_in_process(server: ApiServer, token: str, asking: Asking) -> AsyncIterator[Opened]:
    """A connection to a server of this process."""
    headers = {name.lower(): value for name, value in asking.headers.items()}
    call = Call(
        method=asking.method,
        path=asking.path,
        query=Query(asking.query),
        headers={**headers, "authorization": f"Bearer {token}", "user-agent": "test"},
    )
    reply = await server.handle(call)
    ours, theirs = Pipe.pair()
    if reply.upgrade is None:
        yield Opened(reply.status, reply.headers, ours, reply.body)
        return
    serving = asyncio.create_task(_served(reply.upgrade, theirs))
    named = {name.lower(): value for name, value in reply.upgrade.headers.items()}
    yield Opened(101, named, ours)
    ours.hang_up()
    await serving


async def _served(upgrade: Upgrade, connection: Pipe) -> None:
    await upgrade.serve(connection)
    connection.hang_up()


@dataclass
class Pipe(Duplex):
    """One end of a connection in memory."""

    came: Inlet = field(default_factory=Inlet)
    goes: Inlet = field(default_factory=Inlet)

    @classmethod
    def pair(cls) -> tuple[Pipe, Pipe]:
        """Both ends."""
        one, other = Inlet(), Inlet()
        return cls(one, other), cls(other, one)

    @override
    async def read(self) -> bytes:
        return await self.came.read()

    @override
    async def write(self, data: bytes) -> None:
        await self.goes.feed(data)

    def hang_up(self) -> None:
        """Say no more."""
        self.goes.close()


@asynccontextmanager
async def open_socket(access: Access, token: str, asking: Asking) -> AsyncIterator[Opened]:
    """A connection to a server on a port."""
    import ssl

    where = urlsplit(access.server)
    context = ssl.create_default_context(cadata=access.ca)
    reader, writer = await asyncio.open_connection(where.hostname, where.port, ssl=context)
    query = f"?{urlencode(asking.query)}" if asking.query else ""
    lines = [f"{asking.method} {asking.path}{query} HTTP/1.1", f"Host: {where.netloc}"]
    lines += [f"Authorization: Bearer {token}", *(f"{key}: {value}" for key, value in asking.headers.items())]
    try:
        writer.write("\r\n".join([*lines, "", ""]).encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {key.lower(): value.strip() for key, _, value in (line.partition(":") for line in head[1:])}
        body = await reader.readexactly(int(headers.get("content-length", "0") or 0))
        yield Opened(int(head[0].split()[1]), headers, _Socket(reader, writer), body)
    finally:
        writer.transport.abort()


class _Socket(Duplex):
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @override
    async def read(self) -> bytes:
        return await self._reader.read(65536)

    @override
    async def write(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()


class Messages:
    """The messages of a WebSocket, seen from the client, and the pieces of each channel."""

    def __init__(self, connection: Duplex) -> None:
        self._connection = connection
        self._buffer = b""
        self.channels: dict[int, bytes] = {}
        self.closed = False

    async def send(self, message: bytes, code: int = 2) -> None:
        """Send a message, masked by nothing."""
        size = len(message)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        await self._connection.write(bytes([0x80 | code]) + length + bytes(4) + message)

    async def receive(self) -> bytes:
        """The next message; empty once there are no more."""
        message = b""
        while True:
            code, whole, data = await self._frame()
            if code == _GOODBYE:
                self.closed = True
                return b""
            message += data
            if whole and message:
                return message

    async def _frame(self) -> tuple[int, bool, bytes]:
        while (frame := self._cut()) is None:
            async with asyncio.timeout(_PATIENCE):
                data = await self._connection.read()
            if not data:
                return _GOODBYE, True, b""
            self._buffer += data
        return frame

    async def finish(self) -> dict[int, bytes]:
        """What came on each channel until the end."""
        while not self.closed:
            self.sort(await self.receive())
        return self.channels

    async def until(self, channel: int, text: bytes) -> None:
        """Wait until something has come on a channel."""
        while text not in self.channels.get(channel, b""):
            assert not self.closed, f"the connection ended with {self.channels}"
            self.sort(await self.receive())

    def sort(self, message: bytes) -> None:
        """Put a message to its channel."""
        if message:
            self.channels[message[0]] = self.channels.get(message[0], b"") + message[1:]

    def _cut(self) -> tuple[int, bool, bytes] | None:
        at, size = 2, self._buffer[1] if len(self._buffer) > 1 else -1
        if size in (126, 127):
            width = 2 if size == 126 else 8
            size, at = int.from_bytes(self._buffer[2 : 2 + width], "big"), 2 + width
        if size < 0 or len(self._buffer) < at + size:
            return None
        first, message = self._buffer[0], self._buffer[at : at + size]
        self._buffer = self._buffer[at + size :]
        return first & 0xF, bool(first & 0x80), message


def decoded(channels: dict[int, bytes], pieces: Sequence[bytes]) -> dict[int, bytes]:
    """The channels of messages that are base64, each for itself."""
    found = dict(channels)
    for piece in pieces:
        number = piece[0] - ord("0")
        found[number] = found.get(number, b"") + base64.b64decode(piece[1:])
    return found


class SpdyClient:
    """A client on a connection that speaks SPDY, and what came on each of its streams."""

    def __init__(self, connection: Duplex) -> None:
        self._connection = connection
        self._frames = FrameReader()
        self._headers = HeaderWriter()
        self._read = HeaderReader()
        self._next = 1
        self.came: dict[int, bytes] = {}
        self.replied: set[int] = set()
        self.finished: set[int] = set()
        self.reset: set[int] = set()
        self.pings: list[int] = []

    async def open(self, *, fin: bool = False, **headers: str) -> int:
        """Open a stream, and wait until the other side agrees or does not."""
        stream, self._next = self._next, self._next + 2
        body = struct.pack("!IIH", stream, 0, 0) + self._headers.write(headers)
        await self._connection.write(control_frame(Kind.SYN_STREAM, body, int(fin)))
        await self.until(lambda: stream in self.replied or stream in self.reset)
        return stream

    async def send(self, stream: int, data: bytes, *, fin: bool = False) -> None:
        """Send something on a stream."""
        await self._connection.write(data_frames(stream, data, fin=fin))

    async def ping(self, number: int) -> None:
        """Ask whether somebody is there."""
        await self._connection.write(control_frame(Kind.PING, struct.pack("!I", number)))

    async def until(self, condition: Callable[[], bool]) -> None:
        """Take what comes until something is so."""
        while not condition():
            async with asyncio.timeout(_PATIENCE):
                data = await self._connection.read()
            assert data, "the connection ended"
            for frame in self._frames.feed(data):
                self._take(frame)

    def _take(self, frame: Control | Data) -> None:
        if isinstance(frame, Data):
            self.came[frame.stream] = self.came.get(frame.stream, b"") + frame.data
            if frame.fin:
                self.finished.add(frame.stream)
            return
        number = struct.unpack_from("!I", frame.body)[0]
        match frame.kind:
            case Kind.SYN_REPLY:
                self._read.read(frame.body[4:])
                self.replied.add(number)
            case Kind.RST_STREAM:
                self.reset.add(number)
            case Kind.PING:
                self.pings.append(number)
            case _:
                pass
