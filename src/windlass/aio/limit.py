from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from datetime import timedelta
    from typing import Any

    from windlass.aio.clock import Clock

T = TypeVar("T")


async def within(clock: Clock, limit: timedelta, work: Coroutine[Any, Any, T]) -> T:
    """What `work` returns, if it does so before the clock says that `limit` has passed; else it is cancelled.

    Unlike `asyncio.timeout` it keeps to the clock that it is given. It returns when `work` has ended, which
    after a cancellation is for `work` to say.

    Raises:
        TimeoutError: the limit has passed.
    """
    working, waiting = asyncio.ensure_future(work), asyncio.ensure_future(clock.sleep(limit))
    try:
        await asyncio.wait((working, waiting), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
    finally:
        working.cancel()
        waiting.cancel()
        await asyncio.gather(working, waiting, return_exceptions=True)
    raise TimeoutError(f"not done within {limit.total_seconds():g} s")
