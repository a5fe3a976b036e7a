"""A transport that passes requests on to another until a test breaks it."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.client import Request, Response, Stream, Transport
from windlass.errors import ConnectionFailedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

Refusal = Response | ConnectionFailedError


class Unsteady(Transport):
    """Passes everything on, and remembers it. `inner` may be exchanged, as when a server is replaced.

    `refusals` answer the next requests in the place of the server. `down` refuses every connection. `mute`
    holds back whatever streams would say.
    """

    def __init__(self, inner: Transport) -> None:
        self.inner = inner
        self.requests: list[Request] = []
        self.refusals: list[Refusal] = []
        self.down = False
        self.mute = False
        self._open: set[asyncio.Future[None]] = set()

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return len(self._open)

    @property
    def asked(self) -> list[dict[str, str]]:
        """The queries of the requests so far."""
        return [dict(request.query) for request in self.requests]

    def cut(self) -> None:
        """Cut every open stream."""
        for cut in self._open:
            if not cut.done():
                cut.set_result(None)

    @override
    async def send(self, request: Request) -> Response:
        refusal = self._refusal(request)
        return refusal if refusal is not None else await self.inner.send(request)

    @override
    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[Stream]:
        refusal = self._refusal(request)
        if refusal is not None:
            yield _Refused(refusal)
            return
        cut = asyncio.get_running_loop().create_future()
        self._open.add(cut)
        try:
            async with self.inner.stream(request) as stream:
                yield _Cuttable(self, stream, cut)
        finally:
            self._open.discard(cut)

    @override
    async def close(self) -> None:
        await self.inner.close()

    def _refusal(self, request: Request) -> Response | None:
        self.requests.append(request)
        if self.down:
            raise ConnectionFailedError(f"{request}: connection refused")
        if not self.refusals:
            return None
        refusal = self.refusals.pop(0)
        if isinstance(refusal, ConnectionFailedError):
            raise refusal
        return refusal


async def _over(task: asyncio.Future[bytes | None]) -> None:
    """End a task, and be cancelled only then; a generator that still runs cannot be closed."""
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        task.cancel()
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled:
        raise cancelled


class _Refused(Stream):
    def __init__(self, response: Response) -> None:
        self._response = response

    @property
    @override
    def status(self) -> int:
        return self._response.status

    @property
    @override
    def headers(self) -> Mapping[str, str]:
        return self._response.headers

    @property
    @override
    def warnings(self) -> tuple[str, ...]:
        return self._response.warnings

    @override
    async def lines(self) -> AsyncIterator[bytes]:
        yield self._response.body


class _Cuttable(Stream):
    def __init__(self, transport: Unsteady, stream: Stream, cut: asyncio.Future[None]) -> None:
        self._transport = transport
        self._stream = stream
        self._cut = cut

    @property
    @override
    def status(self) -> int:
        return self._stream.status

    @property
    @override
    def headers(self) -> Mapping[str, str]:
        return self._stream.headers

    @property
    @override
    def warnings(self) -> tuple[str, ...]:
        return self._stream.warnings

    @override
    async def lines(self) -> AsyncIterator[bytes]:
        lines = aiter(self._stream.lines())
        while True:
            following: asyncio.Future[bytes | None] = asyncio.ensure_future(anext(lines, None))
            either: set[asyncio.Future[Any]] = {following, self._cut}
            try:
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            finally:
                await _over(following)
            if self._cut.done():
                raise ConnectionFailedError("the connection was cut", sent=True)
            line = following.result()
            if line is None:
                return
            if not self._transport.mute:
                yield line
