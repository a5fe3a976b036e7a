"""The records of releases on the server: read, corrected after crashes, relabelled and removed."""

from __future__ import annotations

from contextlib import aclosing, suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

import orjson

from windlass.api import write_yaml
from windlass.client import ListOptions, MergePatch
from windlass.errors import ConfigError, NotFound, ReleaseError, UndecodableError
from windlass.helm.aside import aside
from windlass.helm.attempt import REFUSED_DELAY
from windlass.helm.history import BY_RELEASE, History, is_underway, written
from windlass.helm.manifest import read_manifest, readable_manifest
from windlass.helm.record import OWNER, ReleaseRecord, packed, read_record, unpacked, with_state

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from datetime import datetime

    from windlass.api import Json, Key
    from windlass.helm.record import Revision
    from windlass.reconcile import Context

LONGEST_NAME: Final = 53
"""The longest name that Helm takes for a release."""

_PATIENCE: Final = timedelta(minutes=6)
"""After how long a step that another `helm` began, and never ended, counts as given up: Helm's own limit of
five minutes, and some time for the clocks."""


_LARGEST: Final = 32 * 2**20
"""The largest size of all records of a release together; any user who may write Secrets can create many."""

_PAGES: Final = ListOptions(page_size=10)


class _Read(NamedTuple):
    """A revision that was read, by the uid of its record; objects as text, which takes less memory."""

    uid: str
    revision: Revision
    objects: bytes


class Records:
    """Reads the records of releases from the cache, or from the server where the cache may lag behind us."""

    def __init__(self) -> None:
        self._numbers: dict[Key, int] = {}
        self._read: dict[Key, _Read] = {}

    def expect(self, release: Key, number: int) -> None:
        """Trust the cache only from this revision on."""
        self._numbers[release] = number

    def forget(self, release: Key) -> None:
        """Drop what is kept in memory about a release."""
        self._numbers.pop(release, None)
        self._read.pop(release, None)

    async def cached(self, release: Key, ctx: Context) -> History:
        """Return the records of a release from the cache, unless it lags behind what we have just done."""
        history = await self.listed(release, ctx)
        seen = history.records[-1].number if history.records else 0
        return history if seen >= self._numbers.get(release, 0) else await self.stored(release, ctx)

    async def listed(self, release: Key, ctx: Context) -> History:
        """Return the records of a release as the cache has them, without their content."""
        return History.of(await ctx.list(ReleaseRecord, index=BY_RELEASE, value=str(release)))

    async def deciding(self, history: History, ctx: Context) -> History:
        """Return the one record that decides whose a release is, with its content."""
        record = history.deployed or history.latest
        return History(() if record is None else (await self._whole(record, ctx),))

    async def stored(self, release: Key, ctx: Context) -> History:
        """Return the records of a release as the server has them."""
        if len(release.name) > LONGEST_NAME:  # there can be none, and no label has such a value
            return History(())
        history = History.of(await self._listed(release, ctx))
        self._numbers[release] = history.records[-1].number if history.records else 0
        return history

    async def _listed(self, release: Key, ctx: Context) -> Sequence[ReleaseRecord]:
        """Return the records of a release, which are read a few at a time.

        Raises:
            ReleaseError: together they are larger than any history that Helm keeps.
        """
        found: list[ReleaseRecord] = []
        size, labels = 0, f"{OWNER},name={release.name}"
        pages = ctx.live.pages(ReleaseRecord, release.namespace, labels=labels, options=_PAGES)
        async with aclosing(pages):
            async for page in pages:
                found += page.items
                size += sum(len(value) for each in page.items for value in each.data.values())
                if size > _LARGEST:
                    message = (
                        f"the records of release {release} are larger than {_LARGEST >> 20} MiB together"
                    )
                    advice = f"delete the Secrets with label name={release.name} that Helm did not make"
                    raise ReleaseError("reconcile", f"{message}; {advice}")
        return found

    async def in_effect(self, history: History, ctx: Context) -> tuple[Revision, Sequence[Json]]:
        """Return the revision that is in effect and its objects; each is read from the server once."""
        record = history.deployed
        if record is None:
            raise ReleaseError("reconcile", "no revision of the release is in effect")
        kept = self._read.get(record.release)
        if kept is None or kept.uid != record.metadata.uid:
            whole = await self._whole(record, ctx)
            revision = await aside(len(whole.data.get("release", "")), read_record, whole)
            objects = orjson.dumps(await manifest_of(revision))
            kept = self._read[record.release] = _Read(record.metadata.uid, revision, objects)
        return kept.revision, orjson.loads(kept.objects)

    async def hooks(self, history: History, ctx: Context) -> Sequence[Json]:
        """Return the hooks of the revision in effect; of one that cannot be read as YAML, nothing."""
        revision, _ = await self.in_effect(history, ctx)
        texts = [str(each.get("manifest") or "") for each in revision.hooks]
        return [obj for text in texts for obj in await aside(len(text), readable_manifest, text)]

    async def corrected(self, history: History, ctx: Context) -> History:
        """Return the history with the states that a crashed process left behind corrected.

        Raises:
            ReleaseError: another `helm` may be at work.
        """
        if history.correction is None or history.latest is None:
            return history
        latest, (record, state) = history.latest, history.correction
        until: datetime = written(latest) + _PATIENCE
        if is_underway(latest) and not history.is_ours and ctx.now < until:
            message = f"release {latest.release} is {latest.state}: another helm is changing it"
            raise ReleaseError("reconcile", message, kind="busy", retry_at=until, tried=False)
        patch = with_state(record, state, f"found {record.state} without a process that works on it")
        await ctx.patch(ReleaseRecord, record.metadata.name, MergePatch(patch), record.metadata.namespace)
        return await self.stored(record.release, ctx)

    async def drop(self, history: History, ctx: Context) -> None:
        """Remove all records: Helm never does where the kind of an object is gone."""
        for record in history.records:
            await ctx.delete(ReleaseRecord, record.metadata.name, record.metadata.namespace)

    async def _whole(self, record: ReleaseRecord, ctx: Context) -> ReleaseRecord:
        try:
            return await ctx.live.get(ReleaseRecord, record.metadata.name, record.metadata.namespace)
        except NotFound as error:
            self._numbers[record.release] = record.number + 1  # so that the server is asked next time
            message = f"the record of release {record.release} was deleted meanwhile"
            raise ReleaseError("reconcile", message) from error


def check_name(release: Key, now: datetime) -> None:
    """Say more than Helm does, which calls such a name invalid.

    Raises:
        ReleaseError: the name is too long.
    """
    if len(release.name) > LONGEST_NAME:
        message = f"the release name {release.name} has {len(release.name)} characters, and Helm takes"
        raise ReleaseError(
            "install",
            f"{message} {LONGEST_NAME}: the object needs a shorter name",
            kind="refused",
            retry_at=now + REFUSED_DELAY,
            tried=False,
        )


async def reduce_record(
    record: ReleaseRecord | None, wanted: Callable[[Sequence[Json]], Awaitable[Sequence[Json]]], ctx: Context
) -> None:
    """Take those objects out of a record that `wanted` leaves out, where Helm must not touch them.

    Helm gives up on a release that has an object whose kind is not served any more, and deletes objects that
    another release has taken over.
    """
    if record is None:
        return
    try:
        content = unpacked(record)
    except UndecodableError:
        return
    text = str(content.get("manifest") or "")
    try:
        objects = await aside(len(text), read_manifest, text)
    except ConfigError:
        return
    left = await wanted(objects)
    if len(left) < len(objects):
        manifest = await aside(len(text), write_yaml, left)
        patch = MergePatch({"data": packed({**content, "manifest": manifest})})
        await ctx.patch(ReleaseRecord, record.metadata.name, patch, record.metadata.namespace)


async def relabel(record: ReleaseRecord, labels: Mapping[str, str], ctx: Context) -> None:
    """Note that a revision is as wanted, although it was made from another input."""
    if any(record.metadata.labels.get(name) != value for name, value in labels.items()):
        patch = MergePatch({"metadata": {"labels": dict(labels)}})
        await ctx.patch(ReleaseRecord, record.metadata.name, patch, record.metadata.namespace)


async def manifest_of(revision: Revision) -> Sequence[Json]:
    """Return the objects of a revision.

    Raises:
        UndecodableError: its manifest cannot be read.
    """
    try:
        return await aside(len(revision.manifest), read_manifest, revision.manifest)
    except ConfigError as error:
        raise UndecodableError(
            f"the manifest of {revision.release}, revision {revision.number}, cannot be read: {error}"
        ) from error


async def is_damaged(record: ReleaseRecord, ctx: Context) -> bool:
    """Whether the content of a record, as the server has it, cannot be read."""
    try:
        whole = await ctx.live.get(ReleaseRecord, record.metadata.name, record.metadata.namespace)
        await manifest_of(read_record(whole))
    except NotFound:
        return False
    except UndecodableError:
        return True
    return False


async def objects_of(records: Sequence[ReleaseRecord]) -> Sequence[Json]:
    """Return the objects of several revisions; those of a damaged record are not known."""
    found: list[Json] = []
    for record in records:
        with suppress(UndecodableError):
            found += await manifest_of(read_record(record))
    return found
