from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol

from typing_extensions import override

from windlass.apiserver.disk.database import Batch
from windlass.apiserver.store import Journal, Unwritable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from windlass.apiserver.store import Change

_log = logging.getLogger("windlass.apiserver")


class Writing(Protocol):
    """Where batches go: `file` tells people where that is."""

    @property
    def file(self) -> Path:
        """Where it is."""

    def commit(self, batch: Batch) -> None:
        """Write a batch, wholly or not at all, and return when it is safe."""


class DiskJournal(Journal):
    """Writes in one thread what happens to a store in one event loop.

    Who first waits for a change has everything written that happened so far, in one transaction; who comes
    while that is being done waits for the next. After a failure it writes nothing more: the store is ahead of
    the disk then, and what a disk has after it failed to write is anybody's guess.
    """

    def __init__(self, database: Writing, revision: int) -> None:
        """`revision` is the newest that the database has."""
        self._database = database
        self._thread = ThreadPoolExecutor(1, "windlass-journal")
        self._batch = Batch(revision)
        self._committed = revision
        self._writing: asyncio.Future[None] | None = None
        self._failure = ""

    @override
    def record(self, collection: str, change: Change) -> None:
        if self._failure:
            raise Unwritable(self._failure)
        self._batch.changes.append((collection, change))
        self._batch.revision = change.revision

    @override
    def keep(self, collection: str, floor: int | None, dropped: Sequence[int]) -> None:
        self._batch.floors[collection] = floor
        self._batch.dropped += dropped

    @override
    async def durable(self, revision: int) -> None:
        while revision > self._committed:
            if self._failure:
                raise Unwritable(self._failure)
            if self._writing is None:
                self._writing = asyncio.ensure_future(self._write())
            await asyncio.shield(self._writing)  # others wait for it too

    async def close(self, why: str) -> None:
        """Write what is left, and nothing more from then on, which those who try are told."""
        while (self._writing or self._batch) and not self._failure:
            await (self._writing or self._write())
        self._failure = self._failure or why
        self._thread.shutdown()

    async def _write(self) -> None:
        batch, self._batch = self._batch, Batch(self._batch.revision)
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._thread, self._database.commit, batch)
        except BaseException as error:
            # Whatever it was: what was not written must never be taken for written.
            self._failure = f"cannot write {self._database.file}: {error}"
            if not isinstance(error, Exception):
                raise
            _log.error("%s; nothing is served until the next start", self._failure)
        else:
            self._committed = batch.revision
        finally:
            self._writing = None
