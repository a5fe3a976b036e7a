"""Connections of this process that break, as those over a network do; only faults on demand break them."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Any, TypeVar

from windlass.aio import within
from windlass.apiserver import Cut
from windlass.errors import ConnectionFailedError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Coroutine

    from windlass.aio import Clock
    from windlass.apiserver import ApiServer, Call, Reply
    from windlass.client import Request

T = TypeVar("T")


async def handled(server: ApiServer, request: Request, call: Call) -> Reply:
    """The answer to a request; its timeout bounds the wait for it, and in a stream each silence.

    Raises:
        ConnectionFailedError: the connection broke, or the time is over.
    """
    clock = server.world.clock
    reply = await _survived(request, server.handle(call), clock)
    if reply.chunks is not None:
        reply.chunks = _endangered(request, reply.chunks, clock)
    return reply


async def _endangered(
    request: Request, chunks: AsyncGenerator[bytes, None], clock: Clock
) -> AsyncGenerator[bytes, None]:
    async with aclosing(chunks):
        while (chunk := await _survived(request, _next(chunks), clock)) is not None:
            yield chunk


async def _next(chunks: AsyncGenerator[bytes, None]) -> bytes | None:
    return await anext(chunks, None)


async def _survived(request: Request, work: Coroutine[Any, Any, T], clock: Clock) -> T:
    try:
        return await (within(clock, request.timeout, work) if request.timeout else work)
    except Cut as cut:
        raise ConnectionFailedError(f"{request}: {cut}", sent=True) from None
    except TimeoutError:
        raise ConnectionFailedError(f"{request}: no answer came in time", sent=True) from None
