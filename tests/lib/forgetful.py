"""A server that answers before it writes, and so loses what it has acknowledged when it is killed.

A program of its own, `forgetful.py FOLDER MILLISECONDS`: how long it waits before it begins to write.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from typing_extensions import override

from windlass.aio import run
from windlass.apiserver import World
from windlass.apiserver.disk.database import Database
from windlass.apiserver.disk.journal import DiskJournal
from windlass.apiserver.store import Store
from windlass.cluster import Cluster, ClusterOptions


class ForgetfulJournal(DiskJournal):
    """Says at once that everything is written, and begins to write it after a while."""

    delay = 0.0

    @override
    async def durable(self, revision: int) -> None:
        if self._writing is None and revision > self._committed:
            self._writing = asyncio.ensure_future(self._write_later())

    async def _write_later(self) -> None:
        await asyncio.sleep(self.delay)
        await self._write()


async def main(folder: Path, milliseconds: str) -> None:
    """Serve until the end."""
    database = Database(folder / "objects.sqlite")
    saved = database.load()
    journal = ForgetfulJournal(database, saved.revision)
    journal.delay = float(milliseconds) / 1000
    world = World(store=Store.restored(saved, journal))
    async with Cluster(ClusterOptions(port=0, world=world)) as cluster:
        print(f"export KUBECONFIG={cluster.access.kubeconfig}\nCtrl-C stops it.", flush=True)  # noqa: T201
        await asyncio.Event().wait()


if __name__ == "__main__":
    run(main(Path(sys.argv[1]), sys.argv[2]))
