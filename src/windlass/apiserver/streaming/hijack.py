"""Taking a connection from aiohttp, once its request has been answered with 101."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from aiohttp import web
from typing_extensions import override

from windlass.apiserver.kubelet import Duplex

if TYPE_CHECKING:
    from aiohttp.abc import AbstractStreamWriter

    from windlass.apiserver.streaming.upgrade import Upgrade

_FULL: Final = 256 * 1024


async def hijack(request: web.BaseRequest, upgrade: Upgrade) -> web.StreamResponse:
    """Answer a request with 101, and serve the connection until either side ends it.

    aiohttp knows no upgrade but that to WebSockets, and of those too it would keep the bytes; so the
    connection is taken from it. It is told of the end, with which it cancels whoever still serves. The
    response that is returned goes nowhere.
    """
    transport = request.transport
    if transport is None:
        return _Answered()
    connection = _Connection(transport, request.protocol)
    transport.set_protocol(connection)
    lines = [
        "HTTP/1.1 101 Switching Protocols",
        *(f"{key}: {value}" for key, value in upgrade.headers.items()),
    ]
    try:
        await connection.write("\r\n".join([*lines, "", ""]).encode())
        await upgrade.serve(connection)
    finally:
        transport.close()
    return _Answered()


class _Answered(web.StreamResponse):
    """A response that has been given."""

    def __init__(self) -> None:
        super().__init__()
        self.force_close()

    @override
    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter | None:
        return None

    @override
    async def write_eof(self, data: bytes = b"") -> None:
        return


class _Connection(asyncio.Protocol, Duplex):
    """What is read waits here; the other side waits while that is much."""

    def __init__(self, transport: asyncio.Transport, before: asyncio.Protocol) -> None:
        self._transport = transport
        self._before = before
        self._came = bytearray()
        self._ended = False
        self._there = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    @override
    async def read(self) -> bytes:
        await self._there.wait()
        data = bytes(self._came)
        self._came.clear()
        if not self._ended:
            self._there.clear()
            self._transport.resume_reading()
        return data

    @override
    async def write(self, data: bytes) -> None:
        """Send something, and wait until most is sent; to nobody it is dropped, and `read` says the rest.

        What several tasks send leaves in the order in which they come, however long they wait.
        """
        if not self._ended:
            self._transport.write(data)
        await self._room.wait()

    @override
    def data_received(self, data: bytes) -> None:
        self._came += data
        self._there.set()
        if len(self._came) >= _FULL:
            self._transport.pause_reading()

    @override
    def eof_received(self) -> bool:
        self._end()
        return False

    @override
    def pause_writing(self) -> None:
        self._room.clear()

    @override
    def resume_writing(self) -> None:
        self._room.set()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._end()
        self._before.connection_lost(exc)

    def _end(self) -> None:
        self._ended = True
        self._there.set()
        self._room.set()
