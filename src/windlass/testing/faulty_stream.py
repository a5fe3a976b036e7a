from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from typing_extensions import override

from windlass.aio import Clock, within
from windlass.client import Stream
from windlass.errors import ConnectionFailedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from datetime import timedelta

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
    """A stream that can be broken off or fall silent, by whoever holds it and before any line.

    `breaks` is asked before each line whether the stream breaks there, `falls_silent` whether nothing more
    is heard.
    """

    def __init__(self, inner: Stream, request: Request, clock: Clock) -> None:
        self._inner = inner
        self._request = request
        self._clock = clock
        self._waiting: asyncio.Timeout | None = None
        self._is_cut = self._is_silent = False
        self.breaks: Callable[[], bool] = lambda: False
        self.falls_silent: Callable[[], bool] = lambda: False

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

    @property
    def is_silent(self) -> bool:
        """Whether it says nothing more."""
        return self._is_silent

    def cut(self) -> None:
        """Break it off: whoever reads it learns that now, or when they next ask for a line."""
        self._is_cut = True
        if self._waiting is not None and not self._waiting.expired():
            self._waiting.reschedule(asyncio.get_running_loop().time())

    def silence(self) -> None:
        """Let it say nothing more, and nobody know."""
        self._is_silent = True

    @override
    async def lines(self) -> AsyncIterator[bytes]:
        lines = aiter(self._inner.lines())
        while (line := await self._next(lines)) is not None:
            yield line

    async def _next(self, lines: AsyncIterator[bytes]) -> bytes | None:
        """The next line; None at the end."""
        line: bytes | None = None
        try:
            async with asyncio.timeout(None) as self._waiting:  # no time is measured: `cut` ends it
                line = await anext(lines, None)
                if self._is_silent or self.falls_silent():
                    self._is_silent = True
                    await unheard(self._clock, self._request.timeout)
                if line is not None and self.breaks():
                    self._is_cut = True
        except TimeoutError:
            self._is_cut = True
        finally:
            self._waiting = None
        if self._is_cut:
            raise ConnectionFailedError(f"{self._request}: the connection was cut", sent=True)
        return line


async def unheard(clock: Clock, limit: timedelta | None) -> None:
    """Wait for something that never comes, for as long as somebody waits for it.

    Raises:
        TimeoutError: they do not wait any longer.
    """
    if limit is None:
        await asyncio.get_running_loop().create_future()
    else:
        await within(clock, limit, unheard(clock, None))
