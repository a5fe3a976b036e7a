"""A transport that lets a test step in before each request."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from typing_extensions import override

from windlass.client import Transport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from windlass.client import Request, Response, Stream


class Meddling(Transport):
    """Awaits `before` for each request, then passes it on; what `before` raises is raised in its place."""

    def __init__(self, transport: Transport, before: Callable[[Request], Awaitable[None]]) -> None:
        self._transport = transport
        self._before = before

    @override
    async def send(self, request: Request) -> Response:
        await self._before(request)
        return await self._transport.send(request)

    @override
    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[Stream]:
        await self._before(request)
        async with self._transport.stream(request) as stream:
            yield stream

    @override
    async def close(self) -> None:
        await self._transport.close()
