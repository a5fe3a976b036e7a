"""A sink that writes down what a source says."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from windlass.aio import ManualClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.api import Key
    from windlass.reconcile import Cause, Source

EVERYTHING = "everything"


class RecordingSink:
    """Keeps, in order, which object was woken and why; `EVERYTHING` stands for all of them."""

    def __init__(self, clock: ManualClock | None = None) -> None:
        self.clock = clock or ManualClock()
        self.woken: list[tuple[Key | str, str]] = []

    def wake(self, key: Key, cause: Cause) -> None:
        self.woken.append((key, str(cause)))

    def wake_all(self, cause: Cause) -> None:
        self.woken.append((EVERYTHING, str(cause)))


@asynccontextmanager
async def running(source: Source, sink: RecordingSink) -> AsyncIterator[None]:
    """Run a source for the length of a block."""
    async with asyncio.TaskGroup() as group:
        task = group.create_task(source.run(sink))
        await turns()
        yield
        task.cancel()


async def turns() -> None:
    """Let everything happen that needs no time."""
    for _ in range(10):
        await asyncio.sleep(0)
