"""Something that goes on only while somebody is connected."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Coroutine


async def while_connected(listening: Coroutine[Any, Any, None], work: Coroutine[Any, Any, None]) -> None:
    """Do some work, or as much of it as can be done before the connection ends."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(listening), group.create_task(work)]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
