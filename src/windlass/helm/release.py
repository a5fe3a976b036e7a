from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import orjson

from windlass.api import write_yaml
from windlass.client import MergePatch
from windlass.errors import HelmError, NotFound, ReleaseError, UndecodableError
from windlass.helm.aside import aside
from windlass.helm.attempt import Attempts
from windlass.helm.candidate import Renders
from windlass.helm.engine import Deploying, Retreat
from windlass.helm.history import BY_RELEASE, INPUT, KIND, History, is_underway, marked, written
from windlass.helm.manifest import differences, read_manifest, same
from windlass.helm.record import OWNER, ReleaseRecord, packed, read_record, unpacked, with_state
from windlass.helm.whose import Whose

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from windlass.api import Json, Key
    from windlass.helm.blueprint import Blueprint
    from windlass.helm.candidate import Candidate
    from windlass.helm.engine import Change, Helm
    from windlass.helm.record import Revision
    from windlass.helm.upkeep import Upkeep
    from windlass.reconcile import Context

Removal = Literal["done", "absent", "foreign"]
"""How a removal ended; `foreign` is a release that somebody else has made, which stays."""

TERMINATING: Final = "because it is being terminated"
"""So the server refuses to create anything in a namespace that is being deleted."""

_LONGEST_NAME: Final = 53
_PATIENCE: Final = timedelta(minutes=6)
"""After how long a step that somebody else began, and never ended, counts as given up: Helm's own limit of
five minutes, and some time for the clocks."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A release as it should be: what it is made of, how it is deployed, and for which kind of object.

    `change` has what the chart renders changed before it is deployed. `lookup` has templates look at the
    cluster when they are rendered, and `anew` has them rendered although the blueprint is the same.
    """

    blueprint: Blueprint
    kind: str
    install: Deploying = field(default_factory=Deploying)
    upgrade: Deploying = field(default_factory=Deploying)
    retreat: Retreat = field(default_factory=lambda: Retreat(force=True))
    change: Change | None = None
    lookup: bool = False
    anew: bool = False

    @property
    def whose(self) -> Whose:
        """Who may have the release."""
        return Whose(kind=self.kind, chart=self.blueprint.chart.name)


@dataclass(frozen=True)
class Settlement:
    """A release that is deployed as wanted, and its objects; `fresh` tells that Helm has just done it.

    `unstable` tells where its chart renders something else each time.
    """

    revision: Revision
    objects: Sequence[Json]
    fresh: bool = False
    unstable: Sequence[str] = ()


class _Kept(NamedTuple):
    """A revision that was read, by the uid of its record; objects as text, of which there are many."""

    uid: str
    revision: Revision
    objects: bytes


class Releases:
    """Brings releases to what their blueprints say, with as few runs of Helm as that takes.

    A record carries the digest of the blueprint that it was made from. While that is the blueprint that is
    wanted, nothing is rendered and no program runs. The reconciler has to declare `watch_records(…)` among
    its `reads`, and `BY_RELEASE` among its `indexes`.
    """

    def __init__(self, helm: Helm, upkeep: Upkeep) -> None:
        self._helm = helm
        self._upkeep = upkeep
        self._renders = Renders(helm)
        self._attempts = Attempts()
        self._numbers: dict[Key, int] = {}
        self._read: dict[Key, _Kept] = {}

    async def settle(self, wanted: Wanted, ctx: Context) -> Settlement:
        """Install or upgrade a release, where it is not what is wanted.

        Raises:
            ReleaseError: it could not be done, or somebody else is at it.
        """
        release, digest = wanted.blueprint.release, wanted.blueprint.digest
        _check_name(release)
        history = await self._history(release, ctx)
        if history.is_made_from(digest) and not wanted.anew:
            return Settlement(*await self._in_effect(history, ctx))
        self._attempts.check(release, digest, ctx.now)
        history = await self._corrected(await self._asked(release, ctx), ctx)
        if history.is_made_from(digest) and not wanted.anew:
            return Settlement(*await self._in_effect(history, ctx))
        if dispute := wanted.whose.dispute(history):  # nothing is tried, so the next pass need not wait
            raise ReleaseError("reconcile", dispute)
        try:
            settled = await self._change(wanted, history, ctx)
        except ReleaseError as error:
            self._attempts.failed(release, digest, error, ctx.now)
            raise
        self._attempts.forget(release)
        return settled

    async def remove(self, release: Key, whose: Whose, how: Retreat, ctx: Context) -> Removal:
        """Uninstall a release, if it is ours. The server is asked: nothing may be left behind.

        Raises:
            ReleaseError: it could not be done.
        """
        tried = f"removal by {how}"  # in place of a digest: without its hooks, say, it may well go
        self._attempts.check(release, tried, ctx.now)
        history = await self._asked(release, ctx)
        if history.records and not whose.dispute(history):
            try:
                await self._uninstall(history, how, ctx)
            except ReleaseError as error:
                self._attempts.failed(release, tried, error, ctx.now)
                raise
        self.forget(release)
        if not history.records:
            return "absent"
        return "foreign" if whose.dispute(history) else "done"

    def forget(self, release: Key) -> None:
        """Let go of what is kept in memory about a release."""
        self._attempts.forget(release)
        self._numbers.pop(release, None)
        self._read.pop(release, None)
        self._upkeep.forget(release)

    async def _change(self, wanted: Wanted, history: History, ctx: Context) -> Settlement:
        if history.deployed is None:
            return await self._install(wanted, history, ctx)
        revision, deployed = await self._in_effect(history, ctx)
        try:
            candidate = await self._renders.candidate(
                wanted.blueprint, deployed, wanted.change, lookup=wanted.lookup
            )
        except HelmError as error:
            raise ReleaseError("reconcile", str(error)) from error
        if history.latest is history.deployed and same(candidate.objects, deployed):
            await self._relabel(history.deployed, wanted, ctx)
            return Settlement(revision, deployed, unstable=candidate.unstable.told())
        return await self._upgrade(wanted, history, (deployed, candidate), ctx)

    async def _install(self, wanted: Wanted, history: History, ctx: Context) -> Settlement:
        release = wanted.blueprint.release
        if history.latest is not None:  # it never went well, and to upgrade it would skip its install hooks
            await self._uninstall(history, wanted.retreat, ctx)
        how = replace(wanted.install, labels=_labels(wanted, 1), change=wanted.change)
        try:
            revision = await ctx.effect(
                f"helm install {release}", lambda: self._helm.deploy(wanted.blueprint, how)
            )
        except HelmError as error:
            raise ReleaseError("install", f"{error}{await self._tidy(wanted, ctx)}") from error
        self._numbers[release] = revision.number
        return Settlement(revision, await _manifest(revision), fresh=True)

    async def _upgrade(
        self,
        wanted: Wanted,
        history: History,
        states: tuple[Sequence[Json], Candidate],
        ctx: Context,
    ) -> Settlement:
        release, (deployed, candidate) = wanted.blueprint.release, states
        number = history.records[-1].number + 1
        change = candidate.holding(deployed, wanted.change)
        how = replace(wanted.upgrade, labels=_labels(wanted, number), change=change)
        changes = differences(deployed, candidate.objects)
        what = "\n    ".join([f"helm upgrade {release} to revision {number}", *changes])
        # Helm removes only what the revision in effect has. Before, so that no crash can come in between.
        await self._upkeep.sweep(
            await _objects(history.failed), release, ctx, spare=[*deployed, *candidate.objects]
        )
        await self._mend(history.deployed, ctx)
        try:
            revision = await ctx.effect(what, lambda: self._helm.deploy(wanted.blueprint, how))
        except HelmError as error:
            said = await self._fall_back(wanted, history, ctx)
            raise ReleaseError("upgrade", f"{error}{said}") from error
        self._numbers[release] = revision.number
        objects = await _manifest(revision)
        return Settlement(revision, objects, fresh=True, unstable=candidate.unstable.told())

    async def _tidy(self, wanted: Wanted, ctx: Context) -> str:
        """Remove what a failed installation has left; what there is to say."""
        history = await self._asked(wanted.blueprint.release, ctx)
        if history.is_ours:  # else somebody else was quicker
            try:
                await self._uninstall(history, wanted.retreat, ctx)
            except ReleaseError as error:
                return f"; what it left could not be removed: {error}"
        return ""

    async def _fall_back(self, wanted: Wanted, history: History, ctx: Context) -> str:
        """Return to the last good revision after a failed upgrade, if it left one; what there is to say."""
        release, good = wanted.blueprint.release, history.deployed
        # Helm may not even have been able to note how it ended.
        latest = (await self._corrected(await self._asked(release, ctx), ctx)).latest
        if good is None or latest is None or latest.state == "deployed":
            return ""
        try:
            await ctx.effect(
                f"helm rollback {release} to revision {good.number}",
                lambda: self._helm.rollback(release, good.number, wanted.retreat),
            )
        except HelmError as error:
            return f"; the rollback to revision {good.number} failed too: {error}"
        self._numbers[release] = latest.number + 1
        return f"; rolled back to revision {good.number}"

    async def _uninstall(self, history: History, how: Retreat, ctx: Context) -> None:
        """Remove a release that has records: Helm what its last revision has, we what those before left."""
        *before, last = history.records
        release, good = last.release, history.deployed
        since = [each for each in before if good is None or each.number >= good.number]
        objects = await _objects([last])
        await self._upkeep.sweep(await _objects(since), release, ctx, spare=objects)
        await self._mend(last, ctx)
        try:
            await ctx.effect(f"helm uninstall {release}", lambda: self._helm.uninstall(release, how))
        except HelmError as error:
            if how.hooks and TERMINATING in str(error):
                # No hook can run there any more, and the namespace waits for what waits for us.
                await self._uninstall(history, replace(how, hooks=False), ctx)
            elif await self._upkeep.lacks_kinds(objects):
                await self._upkeep.sweep(objects, release, ctx)
                await self._drop(history, ctx)
            else:
                raise ReleaseError("uninstall", str(error)) from error
        self._numbers.pop(release, None)

    async def _drop(self, history: History, ctx: Context) -> None:
        """Remove the records: Helm never does where a kind is gone, and with it the objects of that kind."""
        for record in history.records:
            await ctx.delete(ReleaseRecord, record.metadata.name, record.metadata.namespace)

    async def _history(self, release: Key, ctx: Context) -> History:
        """The records of a release: from the cache, unless it has not seen yet what we have just done."""
        history = History.of(await ctx.list(ReleaseRecord, index=BY_RELEASE, value=str(release)))
        seen = history.records[-1].number if history.records else 0
        return history if seen >= self._numbers.get(release, 0) else await self._asked(release, ctx)

    async def _asked(self, release: Key, ctx: Context) -> History:
        """The records of a release, as the server has them."""
        found = await ctx.live.list(ReleaseRecord, release.namespace, labels=f"{OWNER},name={release.name}")
        history = History.of(found.items)
        self._numbers[release] = history.records[-1].number if history.records else 0
        return history

    async def _in_effect(self, history: History, ctx: Context) -> tuple[Revision, Sequence[Json]]:
        """The content of the record that is in effect, which is read once."""
        record = history.deployed
        if record is None:
            raise ReleaseError("reconcile", "there is no revision in effect")
        kept = self._read.get(record.release)
        if kept is None or kept.uid != record.metadata.uid:
            revision = read_record(await self._whole(record, ctx))
            objects = orjson.dumps(await _manifest(revision))
            kept = self._read[record.release] = _Kept(record.metadata.uid, revision, objects)
        return kept.revision, orjson.loads(kept.objects)

    async def _whole(self, record: ReleaseRecord, ctx: Context) -> ReleaseRecord:
        """A record with its content."""
        try:
            return await ctx.live.get(ReleaseRecord, record.metadata.name, record.metadata.namespace)
        except NotFound as error:
            self._numbers[record.release] = record.number + 1  # so that the server is asked next time
            raise ReleaseError("reconcile", f"the record of {record.release} has just gone") from error

    async def _corrected(self, history: History, ctx: Context) -> History:
        """The history without what was begun by a process that is no more: two never act on one release.

        Raises:
            ReleaseError: a person may be at it.
        """
        if history.correction is None or history.latest is None:
            return history
        latest, (record, state) = history.latest, history.correction
        until: datetime = written(latest) + _PATIENCE
        if is_underway(latest) and not history.is_ours and ctx.now < until:
            message = f"{latest.release} is {latest.state} since somebody else changes it"
            raise ReleaseError("reconcile", message, retry_at=until)
        patch = with_state(record, state, f"found {record.state} with nobody at it")
        await ctx.patch(ReleaseRecord, record.metadata.name, MergePatch(patch), record.metadata.namespace)
        return await self._asked(record.release, ctx)

    async def _mend(self, record: ReleaseRecord | None, ctx: Context) -> None:
        """Take out of a record what is no longer served: Helm gives up on a release that has such a thing."""
        if record is None:
            return
        try:
            content = unpacked(record)
        except UndecodableError:
            return
        text = str(content.get("manifest") or "")
        objects = await aside(len(text), read_manifest, text)
        served = await self._upkeep.served(objects)
        if len(served) < len(objects):
            manifest = await aside(len(text), write_yaml, served)
            patch = MergePatch({"data": packed({**content, "manifest": manifest})})
            await ctx.patch(ReleaseRecord, record.metadata.name, patch, record.metadata.namespace)

    async def _relabel(self, record: ReleaseRecord, wanted: Wanted, ctx: Context) -> None:
        """Note that a revision is as wanted, although it was made from something else."""
        labels = _labels(wanted, record.number)
        if all(record.metadata.labels.get(name) == value for name, value in labels.items()):
            return
        patch = MergePatch({"metadata": {"labels": dict(labels)}})
        await ctx.patch(ReleaseRecord, record.metadata.name, patch, record.metadata.namespace)


async def _manifest(revision: Revision) -> Sequence[Json]:
    return await aside(len(revision.manifest), read_manifest, revision.manifest)


async def _objects(records: Sequence[ReleaseRecord]) -> Sequence[Json]:
    """The objects of revisions; a record that is damaged tells of none."""
    found: list[Json] = []
    for record in records:
        with suppress(UndecodableError):
            found += await _manifest(read_record(record))
    return found


def _labels(wanted: Wanted, number: int) -> Mapping[str, str]:
    """What the record of a revision says about where it comes from."""
    return {INPUT: marked(wanted.blueprint.digest, number), KIND: wanted.whose.label}


def _check_name(release: Key) -> None:
    """Say more than Helm does, which calls such a name invalid.

    Raises:
        ReleaseError: the name is too long.
    """
    if len(release.name) > _LONGEST_NAME:
        message = f"the release name {release.name} has {len(release.name)} characters, and Helm takes"
        raise ReleaseError("install", f"{message} {_LONGEST_NAME}: the object needs a shorter name")
