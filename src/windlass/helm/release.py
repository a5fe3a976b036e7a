from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Literal

from windlass.client import MergePatch
from windlass.errors import HelmError, ReleaseError
from windlass.helm.attempt import Attempts
from windlass.helm.candidate import Renders
from windlass.helm.engine import Deploying, Retreat
from windlass.helm.history import INPUT, KIND, is_ours, is_underway, marked, written
from windlass.helm.manifest import differences, same
from windlass.helm.record import ReleaseRecord, with_state
from windlass.helm.records import Records, objects_in
from windlass.helm.whose import Whose

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from windlass.api import Json, Key
    from windlass.helm.blueprint import Blueprint
    from windlass.helm.candidate import Candidate
    from windlass.helm.engine import Change, Helm
    from windlass.helm.history import History
    from windlass.helm.record import Revision
    from windlass.helm.upkeep import Upkeep
    from windlass.reconcile import Context

Removal = Literal["done", "absent", "foreign"]
"""How a removal ended; `foreign` is a release that somebody else has made, which stays."""

_LONGEST_NAME: Final = 53
_PATIENCE: Final = timedelta(minutes=6)
"""After how long a step that somebody else began, and never ended, counts as given up: Helm's own limit of
five minutes, and some time for the clocks."""

_TERMINATING: Final = "because it is being terminated"
"""What the server says to whoever creates something in a namespace that is being deleted."""


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
        self._records = Records()

    async def settle(self, wanted: Wanted, ctx: Context) -> Settlement:
        """Install or upgrade a release, where it is not what is wanted.

        Raises:
            ReleaseError: it could not be done, or somebody else is at it.
        """
        release, digest = wanted.blueprint.release, wanted.blueprint.digest
        _check_name(release)
        history = await self._records.seen(release, ctx)
        if not history.is_made_from(digest):  # as far as the cache knows, which may lag
            history = await self._asked(release, ctx)
        if history.is_made_from(digest) and not wanted.anew:
            return Settlement(*await self._records.in_effect(history, ctx))
        self._attempts.check(release, digest, ctx.now)
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
        history = await self._records.asked(release, ctx)
        self.forget(release)
        if not history.records:
            return "absent"
        if await whose.dispute(history, self._records, ctx):
            return "foreign"
        await self._remove_older(history, ctx)
        await self._uninstall(release, how, ctx)
        return "done"

    def forget(self, release: Key) -> None:
        """Let go of what is kept in memory about a release."""
        self._attempts.forget(release)
        self._records.forget(release)

    async def _asked(self, release: Key, ctx: Context) -> History:
        """The records as the server has them, after what nobody will end any more was given up."""
        history = await self._records.asked(release, ctx)
        if history.latest is None or not is_underway(history.latest):
            return history
        await self._give_up(history.latest, ctx)
        return await self._records.asked(release, ctx)

    async def _change(self, wanted: Wanted, history: History, ctx: Context) -> Settlement:
        if dispute := await wanted.whose.dispute(history, self._records, ctx):
            raise ReleaseError("reconcile", dispute)
        if history.deployed is None:
            return await self._install(wanted, history, ctx)
        revision, deployed = await self._records.in_effect(history, ctx)
        try:
            candidate = await self._renders.candidate(
                wanted.blueprint, deployed, wanted.change, lookup=wanted.lookup
            )
        except HelmError as error:
            raise ReleaseError("reconcile", str(error)) from error
        if history.is_in_effect and same(candidate.objects, deployed):
            await self._relabel(history.deployed, wanted, ctx)
            return Settlement(revision, deployed, unstable=candidate.unstable.told())
        return await self._upgrade(wanted, history, (deployed, candidate), ctx)

    async def _install(self, wanted: Wanted, history: History, ctx: Context) -> Settlement:
        release = wanted.blueprint.release
        if history.latest is not None:  # it never went well, and to upgrade it would skip its install hooks
            await self._uninstall(release, wanted.retreat, ctx)
        how = replace(wanted.install, labels=_labels(wanted, 1), change=wanted.change)
        try:
            revision = await ctx.effect(
                f"helm install {release}", lambda: self._helm.deploy(wanted.blueprint, how)
            )
        except HelmError as error:
            raise ReleaseError("install", f"{error}{await self._tidy(wanted, ctx)}") from error
        self._records.note(release, revision.number)
        return Settlement(revision, objects_in(revision), fresh=True)

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
        await self._sweep_failed(history, states, ctx)
        try:
            revision = await ctx.effect(what, lambda: self._helm.deploy(wanted.blueprint, how))
        except HelmError as error:
            said = await self._fall_back(wanted, history, ctx)
            raise ReleaseError("upgrade", f"{error}{said}") from error
        self._records.note(release, revision.number)
        objects = objects_in(revision)
        return Settlement(revision, objects, fresh=True, unstable=candidate.unstable.told())

    async def _remove_older(self, history: History, ctx: Context) -> None:
        """Remove what only the revision in effect has, where a later one was tried: Helm takes that one."""
        latest, deployed = history.latest, history.deployed
        if latest is None or deployed is None or latest is deployed:
            return
        older, newer = [await self._records.objects(each, ctx) for each in (deployed, latest)]
        await self._upkeep.sweep(older, deployed.release, ctx, spare=newer)

    async def _tidy(self, wanted: Wanted, ctx: Context) -> str:
        """Remove what a failed installation has left; what there is to say."""
        release = wanted.blueprint.release
        latest = (await self._records.asked(release, ctx)).latest
        if latest is not None and is_ours(latest):  # else somebody else was quicker
            try:
                await self._uninstall(release, wanted.retreat, ctx)
            except ReleaseError as error:
                return f"; what it left could not be removed: {error}"
        return ""

    async def _fall_back(self, wanted: Wanted, history: History, ctx: Context) -> str:
        """Return to the last good revision after a failed upgrade, if it left one; what there is to say."""
        release, good = wanted.blueprint.release, history.deployed
        latest = (await self._records.asked(release, ctx)).latest
        if good is None or latest is None or latest.number == good.number or not is_ours(latest):
            return ""
        if is_underway(latest):  # Helm could not even note that it failed
            await self._give_up(latest, ctx)
        try:
            await ctx.effect(
                f"helm rollback {release} to revision {good.number}",
                lambda: self._helm.rollback(release, good.number, wanted.retreat),
            )
        except HelmError as error:
            return f"; the rollback to revision {good.number} failed too: {error}"
        return f"; rolled back to revision {good.number}"

    async def _uninstall(self, release: Key, how: Retreat, ctx: Context) -> None:
        try:
            await self._uninstall_by(release, how, ctx)
        except HelmError as error:
            if not how.hooks or _TERMINATING not in str(error):
                raise ReleaseError("uninstall", str(error)) from error
            # No hook can run there any more, and the namespace waits for what waits for us.
            await self._uninstall(release, replace(how, hooks=False), ctx)

    async def _uninstall_by(self, release: Key, how: Retreat, ctx: Context) -> None:
        await ctx.effect(f"helm uninstall {release}", lambda: self._helm.uninstall(release, how))
        self._records.forget(release)

    async def _give_up(self, record: ReleaseRecord, ctx: Context) -> None:
        """End what a process began that is no more. Only we act on our releases, and not twice at a time.

        Raises:
            ReleaseError: a person may be at it.
        """
        until: datetime = written(record) + _PATIENCE
        if not is_ours(record) and ctx.now < until:
            message = f"{record.release} is {record.state} since somebody else changes it"
            raise ReleaseError("reconcile", message, retry_at=until)
        patch = with_state(await self._records.whole(record, ctx), "failed", f"given up while {record.state}")
        await ctx.patch(ReleaseRecord, record.metadata.name, MergePatch(patch), record.metadata.namespace)

    async def _relabel(self, record: ReleaseRecord, wanted: Wanted, ctx: Context) -> None:
        """Note that a revision is as wanted, although it was made from something else."""
        labels = _labels(wanted, record.number)
        if all(record.metadata.labels.get(name) == value for name, value in labels.items()):
            return
        patch = MergePatch({"metadata": {"labels": dict(labels)}})
        await ctx.patch(ReleaseRecord, record.metadata.name, patch, record.metadata.namespace)

    async def _sweep_failed(
        self, history: History, states: tuple[Sequence[Json], Candidate], ctx: Context
    ) -> None:
        """Remove what failed revisions have left and nobody wants, while their records tell of it.

        Helm removes only what the revision has that it starts from: the one that is deployed, or where none
        is any more, the last one.
        """
        deployed, candidate = states
        left: list[Json] = [] if history.is_deployed else list(deployed)
        spare = [*candidate.objects, *(deployed if history.is_deployed else ())]
        for record in history.failed:
            left += await self._records.objects(record, ctx)
            await self._upkeep.sweep(left, record.release, ctx, spare=spare)


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
