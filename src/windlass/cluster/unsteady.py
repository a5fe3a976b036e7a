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
    from windlass.client import Request

T = TypeVar("T")


async def survived(request: Request, work: Coroutine[Any, Any, T], clock: Clock) -> T:
    """What becomes of a request, or of the wait for a line, in the time that it may take.

    Raises:
        ConnectionFailedError: the connection broke, or the time is over.
    """
    try:
        return await (within(clock, request.timeout, work) if request.timeout else work)
    except Cut as cut:
        raise ConnectionFailedError(f"{request}: {cut}", sent=True) from None
    except TimeoutError:
        raise ConnectionFailedError(f"{request}: no answer came in time", sent=True) from None


async def endangered(
    request: Request, chunks: AsyncGenerator[bytes, None], clock: Clock
) -> AsyncGenerator[bytes, None]:
    """The pieces of an answer; the request's timeout bounds each silence."""
    async with aclosing(chunks):
        while (chunk := await survived(request, _next(chunks), clock)) is not None:
            yield chunk


async def _next(chunks: AsyncGenerator[bytes, None]) -> bytes | None:
    return await anext(chunks, None)
