from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Protocol

from typing_extensions import override

from windlass.client import Transport
from windlass.errors import ConnectionFailedError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Request, Response, Stream

_READS = frozenset({"GET", "HEAD"})
_FAILED = 500

# Limits are rounded down to this, since the HTTP library remembers the ones that it has seen.
_STEP = timedelta(milliseconds=100)
_LEAST = timedelta(milliseconds=1)


class Fence(Protocol):
    """Says whether this process may still act, by its own clock and without asking anybody.

    There is one fence for each term of leadership. Once it refuses, it never passes again.
    """

    def check(self) -> None:
        """Return if acting is allowed at this instant.

        Raises:
            NotLeadingError: the lease may have passed to another.
        """

    def left(self) -> timedelta | None:
        """For how long acting is allowed unless the lease is renewed; `None` without an election."""

    def doubt(self) -> None:
        """Take note that something was begun and given up, and may still happen.

        The lease is then not handed over early: its next holder waits until it has expired.
        """


class _NoFence(Fence):
    @override
    def check(self) -> None:
        """Everything is allowed."""

    @override
    def left(self) -> timedelta | None:
        return None

    @override
    def doubt(self) -> None:
        """Nobody waits for us."""

    @override
    def __repr__(self) -> str:
        return "NO_FENCE"


NO_FENCE: Final[Fence] = _NoFence()
"""The fence of a process that takes part in no election: it always passes."""


class FencedTransport(Transport):
    """Lets no write through once the lease may have passed to another; reads always pass.

    The fence is asked when a write arrives here, and once more when it is about to leave on a connection. A
    write has no more time than the fence has left, on our side and, by the parameter `timeout`, on the
    server's. What cannot be ruled out after that is in the design page on elections.

    Raises:
        NotLeadingError: from every request that is not a read, when the fence refuses.
    """

    def __init__(self, transport: Transport, fence: Fence) -> None:
        self._transport = transport
        self._fence = fence

    @override
    async def send(self, request: Request) -> Response:
        if request.method in _READS:
            return await self._transport.send(request)
        request = self._fenced(request)
        try:
            response = await self._transport.send(request)
        except asyncio.CancelledError:
            self._fence.doubt()
            raise
        except ConnectionFailedError as error:
            if error.sent:
                self._fence.doubt()
            raise
        if response.status >= _FAILED:
            self._fence.doubt()
        return response

    @override
    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[Stream]:
        if request.method not in _READS:
            self._fence.check()
            request = replace(request, guard=self._fence.check)
        async with self._transport.stream(request) as stream:
            yield stream

    @override
    async def close(self) -> None:
        await self._transport.close()

    def _fenced(self, request: Request) -> Request:
        self._fence.check()
        left = self._fence.left()
        if left is None:
            return request
        limit = max(_LEAST, left - left % _STEP if left > _STEP else left)
        if request.timeout is not None:
            limit = min(limit, request.timeout)
        milliseconds = max(1, limit // _LEAST)  # 0 would mean no limit
        return replace(
            request,
            timeout=limit,
            query=(*request.query, ("timeout", f"{milliseconds}ms")),
            guard=self._fence.check,
        )
