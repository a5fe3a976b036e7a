"""The records of releases: from the cache where that will do, else from the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import orjson

from windlass.errors import ConfigError, NotFound, ReleaseError, UndecodableError
from windlass.helm.history import BY_RELEASE, History
from windlass.helm.manifest import read_manifest
from windlass.helm.record import OWNER, ReleaseRecord, read_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json, Key
    from windlass.helm.record import Revision
    from windlass.reconcile import Context


class _Kept(NamedTuple):
    """A revision that was read, by the uid of its record; objects as text, of which there are many."""

    uid: str
    revision: Revision
    objects: bytes


class Records:
    """Reads records. The cache has their labels alone, and may lag behind what we have just done."""

    def __init__(self) -> None:
        self._numbers: dict[Key, int] = {}
        self._read: dict[Key, _Kept] = {}

    async def seen(self, release: Key, ctx: Context) -> History:
        """The records as the cache shows them, or the server, if the cache lacks what we have just done.

        That is enough to see that nothing is to be done. Before anything is, ask.
        """
        history = History.of(await ctx.list(ReleaseRecord, index=BY_RELEASE, value=str(release)))
        number = history.records[-1].number if history.records else 0
        return history if number >= self._numbers.get(release, 0) else await self.asked(release, ctx)

    async def asked(self, release: Key, ctx: Context) -> History:
        """The records as the server has them."""
        found = await ctx.live.list(ReleaseRecord, release.namespace, labels=f"{OWNER},name={release.name}")
        history = History.of(found.items)
        self.note(release, history.records[-1].number if history.records else 0)
        return history

    async def in_effect(self, history: History, ctx: Context) -> tuple[Revision, Sequence[Json]]:
        """The revision that is in effect, and its objects; its record is read once.

        Raises:
            ReleaseError: there is none, or it is damaged.
        """
        record = history.deployed
        if record is None:
            raise ReleaseError("reconcile", "there is no revision in effect")
        kept = self._read.get(record.release)
        if kept is None or kept.uid != record.metadata.uid:
            revision = await self.revision(record, ctx)
            objects = orjson.dumps(objects_in(revision))
            kept = self._read[record.release] = _Kept(record.metadata.uid, revision, objects)
        return kept.revision, orjson.loads(kept.objects)

    async def objects(self, record: ReleaseRecord, ctx: Context) -> Sequence[Json]:
        """The objects of a revision.

        Raises:
            ReleaseError: its record is gone or damaged.
        """
        return objects_in(await self.revision(record, ctx))

    async def revision(self, record: ReleaseRecord, ctx: Context) -> Revision:
        """The revision in a record.

        Raises:
            ReleaseError: the record is gone or damaged.
        """
        whole = await self.whole(record, ctx)
        try:
            return read_record(whole)
        except UndecodableError as error:
            raise ReleaseError("reconcile", str(error)) from error

    async def whole(self, record: ReleaseRecord, ctx: Context) -> ReleaseRecord:
        """A record with its content.

        Raises:
            ReleaseError: it is gone.
        """
        try:
            return await ctx.live.get(ReleaseRecord, record.metadata.name, record.metadata.namespace)
        except NotFound as error:
            self.note(record.release, record.number + 1)  # so that the server is asked next time
            raise ReleaseError("reconcile", f"the record of {record.release} has just gone") from error

    def note(self, release: Key, number: int) -> None:
        """Which revision is the last; a cache that has not seen it is not believed."""
        self._numbers[release] = number

    def forget(self, release: Key) -> None:
        """Let go of what is kept in memory about a release."""
        self._numbers.pop(release, None)
        self._read.pop(release, None)


def objects_in(revision: Revision) -> Sequence[Json]:
    """The objects of a revision.

    Raises:
        ReleaseError: its manifest cannot be read.
    """
    try:
        return read_manifest(revision.manifest)
    except ConfigError as error:
        message = f"revision {revision.number} of {revision.release} cannot be read: {error}"
        raise ReleaseError("reconcile", message) from error
