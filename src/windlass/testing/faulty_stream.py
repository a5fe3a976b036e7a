from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import override

from windlass.apiserver.fault import Cut, Flow
from windlass.client import Stream
from windlass.errors import ConnectionFailedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from windlass.aio import Clock
    from windlass.apiserver.fault import StreamFate
    from windlass.client import Request, Response


class RefusedStream(Stream):
    """A whole answer in the place of a stream."""

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


class FaultyStream(Stream):
    """A stream that breaks off or falls silent by fate, or when whoever holds its `flow` says so."""

    def __init__(self, inner: Stream, request: Request, clock: Clock, fate: StreamFate | None = None) -> None:
        self._inner = inner
        self._request = request
        self.flow = Flow(aiter(inner.lines()), clock, fate)
        self.flow.patience = request.timeout

    @property
    @override
    def status(self) -> int:
        return self._inner.status

    @property
    @override
    def headers(self) -> Mapping[str, str]:
        return self._inner.headers

    @property
    @override
    def warnings(self) -> tuple[str, ...]:
        return self._inner.warnings

    @override
    async def lines(self) -> AsyncIterator[bytes]:
        try:
            while (line := await self.flow.next()) is not None:
                yield line
        except Cut as cut:
            raise ConnectionFailedError(f"{self._request}: {cut}", sent=True) from None
