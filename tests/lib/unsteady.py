"""A transport that passes requests on to another until a test breaks it by hand."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from typing_extensions import override

from windlass.errors import ConnectionFailedError
from windlass.testing import FaultyTransport
from windlass.testing.faulty_stream import FaultyStream, RefusedStream

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Request, Response, Stream, Transport


class Unsteady(FaultyTransport):
    """Passes everything on, and remembers it. `use` exchanges what it passes it to, as a server is replaced.

    `refusals` answer the next requests in the place of the server. `mute` silences every stream that is open,
    and those that are opened as long as it holds.
    """

    def __init__(self, inner: Transport) -> None:
        super().__init__(inner)
        self.requests: list[Request] = []
        self.refusals: list[Response | ConnectionFailedError] = []
        self._mute = False

    def use(self, inner: Transport) -> None:
        """Reach another server from now on."""
        self._transport = inner

    @property
    def mute(self) -> bool:
        return self._mute

    @mute.setter
    def mute(self, mute: bool) -> None:
        self._mute = mute
        for flow in self._streams if mute else ():
            flow.silence()

    @property
    def asked(self) -> list[dict[str, str]]:
        """The queries of the requests so far."""
        return [dict(request.query) for request in self.requests]

    @override
    async def send(self, request: Request) -> Response:
        refusal = self._refusal(request)
        return refusal if refusal is not None else await super().send(request)

    @override
    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[Stream]:
        refusal = self._refusal(request)
        if refusal is not None:
            yield RefusedStream(refusal)
            return
        async with super().stream(request) as stream:
            assert isinstance(stream, FaultyStream)
            stream.flow.lines = _in_turns(stream.flow.lines)
            self.mute = self._mute
            yield stream

    def _refusal(self, request: Request) -> Response | None:
        self.requests.append(request)
        if not self.refusals:
            return None
        refusal = self.refusals.pop(0)
        if isinstance(refusal, ConnectionFailedError):
            raise refusal
        return refusal


async def _in_turns(lines: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Lines as from a socket: others have their turn between two of them."""
    async for line in lines:
        await asyncio.sleep(0)
        yield line
