from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from windlass.cache import Informer


async def known(informer: Informer[Any]) -> None:
    """Wait until an informer is filled, or until the server says that there is no such kind."""
    either = [asyncio.ensure_future(informer.synced()), asyncio.ensure_future(informer.missing())]
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in either:
            each.cancel()
