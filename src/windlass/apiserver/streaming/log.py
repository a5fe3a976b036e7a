"""What a container wrote, as the answer to a request."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING

from windlass.apiserver.exchange import Reply

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator


async def log_reply(chunks: AsyncGenerator[bytes, None]) -> Reply:
    """The answer that a log is, once it has begun: before that, it may still be an error.

    Raises:
        KubeletRefusal: there is nothing to be had.
    """
    first = await anext(chunks, b"")
    return Reply(content_type="text/plain", chunks=_whole(first, chunks))


async def _whole(first: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    async with aclosing(rest):
        if first:
            yield first
        async for chunk in rest:
            yield chunk
