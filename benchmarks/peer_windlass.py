"""Ours: `python -m benchmarks.peer_windlass reconcile SEED` keeps the status of every Widget fresh.

`python -m benchmarks.peer_windlass fill` fills a cache with them, and prints a line when that is done.
"""

import asyncio
import signal
import sys

from typing_extensions import override

from benchmarks.widget import Widget, WidgetStatus, digest
from windlass.aio import run
from windlass.client import connect
from windlass.manager import Manager, ManagerOptions
from windlass.reconcile import Context, Reconciler, Result

OPTIONS = ManagerOptions(name="bench", max_concurrent_reconciles=16)


class WidgetController(Reconciler[Widget]):
    """Makes statuses fresh."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    @override
    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        text = digest(self._seed, resource.spec.description)
        return Result.ready(WidgetStatus(digest=text, ready=True))


async def reconcile(seed: str) -> None:
    """Keep statuses fresh."""
    async with connect() as client:
        manager = Manager(client, OPTIONS)
        manager.add(WidgetController(seed))
        await manager.run()


async def fill() -> None:
    """Say when the cache has everything."""
    async with connect() as client:
        manager = Manager(client, OPTIONS)
        widgets = manager.cache.informer(Widget)
        async with asyncio.TaskGroup() as group:
            group.create_task(manager.run())
            await widgets.synced()
            print("synced", flush=True)


async def until_terminated() -> None:
    """Do the task that the command line names, until the process is told to end."""
    task = asyncio.ensure_future(fill() if sys.argv[1] == "fill" else reconcile(sys.argv[2]))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    await asyncio.wait([task])
    if not task.cancelled():
        task.result()


if __name__ == "__main__":
    run(until_terminated())
