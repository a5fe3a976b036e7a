from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from typing_extensions import override

from windlass.client import Transport
from windlass.errors import ConnectionFailedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Request, Response, Stream
    from windlass.manager.metric import Counters, Number

_NO_ANSWER = "<error>"  # client-go's word for a request that got none


class CountingTransport(Transport):
    """Counts the requests that go through it, by status code and method; a retry counts again."""

    def __init__(self, inner: Transport, host: str, counters: Counters) -> None:
        self._inner = inner
        self._host = host
        self._counters = counters
        self._known: dict[tuple[int | str, str], Number] = {}

    @override
    async def send(self, request: Request) -> Response:
        try:
            response = await self._inner.send(request)
        except ConnectionFailedError:
            self._count(_NO_ANSWER, request.method)
            raise
        self._count(response.status, request.method)
        return response

    @override
    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[Stream]:
        opened = False
        try:
            async with self._inner.stream(request) as stream:
                opened = True
                self._count(stream.status, request.method)
                yield stream
        except ConnectionFailedError:
            if not opened:  # an answer that breaks off later was an answer
                self._count(_NO_ANSWER, request.method)
            raise

    @override
    async def close(self) -> None:
        await self._inner.close()

    def _count(self, code: int | str, method: str) -> None:
        number = self._known.get((code, method))
        if number is None:
            number = self._known[code, method] = self._counters.of(str(code), method, self._host)
        number.value += 1
