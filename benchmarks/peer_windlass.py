"""Ours: `python -m benchmarks.peer_windlass fill` fills a cache with all Widgets."""

import asyncio
import sys

from benchmarks.widget import Widget
from windlass.aio import run
from windlass.cache import Cache
from windlass.client import connect


async def fill() -> None:
    """Say when the cache has everything."""
    async with connect() as client:
        cache = Cache(client)
        widgets = cache.informer(Widget)
        async with asyncio.TaskGroup() as group:
            group.create_task(cache.run())
            await widgets.synced()
            print("synced", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "fill":
        run(fill())
