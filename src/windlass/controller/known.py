from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from windlass.cache import Informer


async def known(informer: Informer[Any], given_up: asyncio.Event | None = None) -> None:
    """Wait until an informer is filled, until the server says that there is no such kind, or in vain."""
    async with asyncio.TaskGroup() as group:
        either = [group.create_task(informer.synced()), group.create_task(informer.missing())]
        if given_up is not None:
            either.append(group.create_task(_set(given_up)))
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        for each in either:
            each.cancel()


async def _set(event: asyncio.Event) -> None:
    await event.wait()
