from __future__ import annotations

from contextlib import suppress
from copy import copy
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Literal

from windlass.errors import ApiError, HelmError, ReleaseError
from windlass.helm.aside import aside, size_of
from windlass.helm.attempt import Attempts
from windlass.helm.candidate import Renders
from windlass.helm.history import KIND
from windlass.helm.manifest import differences, has_same_objects, same
from windlass.helm.preflight import foreign_objects, preflight
from windlass.helm.records import (
    Records,
    check_name,
    is_damaged,
    manifest_of,
    objects_of,
    reduce_record,
    relabel,
)
from windlass.helm.shared import Foreign
from windlass.helm.step import announce, failure_of, shortened, unless
from windlass.helm.turns import Turn
from windlass.helm.wanted import Removing, Settlement, Wanted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from windlass.api import Json, Key
    from windlass.client import Impersonation
    from windlass.errors import ReleaseStep
    from windlass.helm.candidate import Candidate
    from windlass.helm.engine import Deploying, Helm, Retreat
    from windlass.helm.history import History
    from windlass.helm.record import Revision
    from windlass.helm.shared import Shared
    from windlass.helm.upkeep import Upkeep
    from windlass.helm.whose import Whose
    from windlass.reconcile import Context

Removal = Literal["done", "absent", "foreign"]
"""How a removal ended; `foreign` is a release of another owner, which stays."""

_LONGEST: Final = 300
_TURN_DELAY: Final = timedelta(seconds=10)
"""When a release looks for a turn again, at the latest: the one that was woken in its place may be gone."""

TERMINATING: Final = "because it is being terminated"  # in the refusal of a namespace that is being deleted


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
        self._tolerated: dict[Key, str] = {}
        self._foreign = Foreign()
        self._swept: dict[Key, int] = {}
        self._user = ""

    async def settle(self, wanted: Wanted, ctx: Context) -> Settlement:
        """Install or upgrade a release, where it is not what is wanted.

        If that fails and an earlier revision is in effect, return that one, with the failure.

        Raises:
            ReleaseError: no revision is in effect, or the release is not ours to touch at the moment.
        """
        if (user := wanted.user) is not None:
            return await self._acting_as(user).settle(replace(wanted, user=None), ctx.acting_as(user))
        try:
            return await self._settle(wanted, ctx)
        except ReleaseError as error:
            found = await self.fallback(wanted.blueprint.release, wanted.whose, error, ctx)
            if found is None:
                raise
            return found

    async def fallback(
        self, release: Key, whose: Whose, failure: Exception, ctx: Context
    ) -> Settlement | None:
        """Return the revision that is in effect although something failed; None if there is none of ours."""
        known = failure if isinstance(failure, ReleaseError) else None
        if known is not None and known.kind == "busy":
            return None
        history = await self._records.cached(release, ctx)
        if history.correction is not None and history.is_ours:
            history = await self._records.corrected(await self._records.stored(release, ctx), ctx)
        deployed = history.deployed
        if deployed is None or deployed.metadata.labels.get(KIND) != whose.label:
            return None
        revision, objects = await self._records.in_effect(history, ctx)
        await self._sweep_failed(history, objects, ctx)
        return Settlement(revision, objects, failure=known)

    async def _sweep_failed(self, history: History, deployed: Sequence[Json], ctx: Context) -> None:
        """Delete what failed revisions have left beside the one in effect, as a rollback does.

        An upgrade may have been killed before its rollback, and the next one may be refused for long.
        """
        if history.latest is None or history.latest is history.deployed:
            return
        release, latest = history.latest.release, history.latest.number
        if self._swept.get(release) == latest:
            return
        failed = (await self._records.stored(release, ctx)).failed
        try:
            await self._upkeep.sweep(await objects_of(failed), release, ctx, spare=deployed)
        except ApiError as error:  # the next pass tries again
            ctx.log.warning("Objects of a failed revision of release %s were not deleted: %s", release, error)
        else:
            self._swept[release] = latest

    async def remove(self, release: Key, removing: Removing, ctx: Context) -> Removal:
        """Uninstall a release, if it is ours. The server is asked: nothing may be left behind.

        Raises:
            ReleaseError: it could not be done, or has to wait for its turn.
        """
        if (user := removing.user) is not None:
            removing = replace(removing, user=None)
            return await self._acting_as(user).remove(release, removing, ctx.acting_as(user))
        whose, how = removing.whose, removing.how
        tried = f"removal by {how}{self._user}"  # in place of a digest: without its hooks it may well go
        self._attempts.check(release, tried, ctx.now)
        try:
            history = await self._records.stored(release, ctx)
        except ReleaseError as error:  # they are too large to be read
            return await self._drop(release, whose, error, ctx)
        if history.records and not whose.dispute(history):
            if not self._helm.turns.take(Turn(release, self._tenant, removes=True), removing.wake):
                raise _queued("uninstall", f"release {release} waits until fewer releases are removed", ctx)
            try:
                await self._uninstall(history, how, ctx)
            except ReleaseError as error:
                if not await is_damaged(history.records[-1], ctx):
                    raise self._attempts.failed(release, tried, error, ctx.now) from error
                return await self._drop(release, whose, error, ctx)
            finally:
                self._helm.turns.leave(release)
            announce(ctx, "Uninstalled", f"Uninstalled release {release}")
        self.forget(release)
        return "absent" if not history.records else "foreign" if whose.dispute(history) else "done"

    async def _drop(self, release: Key, whose: Whose, error: Exception, ctx: Context) -> Removal:
        """Delete records that cannot be read, which must not keep the object of a release for ever."""
        history = await self._records.listed(release, ctx)
        if whose.dispute(await self._records.deciding(history, ctx)):
            return "foreign"
        message = f"Deleted the records of release {release}, which cannot be read: {error}"
        announce(ctx, "RecordsDeleted", message, warning=True)
        await self._records.drop(history, ctx)
        self.forget(release)
        return "absent"

    def _acting_as(self, user: Impersonation) -> Releases:
        twin = copy(self)  # with the same memory
        twin._helm, twin._renders = self._helm.acting_as(user), self._renders.acting_as(user)  # noqa: SLF001
        twin._user = f" as {user.user}"  # noqa: SLF001 - a copy of this
        return twin

    @property
    def _tenant(self) -> str:
        """Whose ServiceAccount acts, by its namespace; empty where the operator itself does."""
        return self._user.rpartition(":")[0]

    def forget(self, release: Key) -> None:
        """Drop what is kept in memory about a release."""
        for memory in (self._attempts, self._records, self._foreign):
            memory.forget(release)
        self._tolerated.pop(release, None)
        self._swept.pop(release, None)
        self._helm.turns.forget(release)
        self._upkeep.forget(release)

    def foreign(self, release: Key) -> list[Shared]:
        """Return the objects of other releases that kept the last attempt from being deployed."""
        return self._foreign.of(release)

    def retried(
        self, release: Key, error: ReleaseError, repaired: Sequence[str], now: datetime
    ) -> ReleaseError:
        """Return the error of a step after drift was repaired, which it may have been refused for."""
        until = self._attempts.renew(release, repaired, now)
        return error if until is None else error.dated(until, tried=error.tried)

    async def _settle(self, wanted: Wanted, ctx: Context) -> Settlement:
        release = wanted.blueprint.release
        self._helm.turns.withdraw(release)
        try:
            found = await self._found(wanted, ctx)
        except BaseException:
            self._helm.turns.forget(release)
            raise
        if isinstance(found, Settlement):
            self._helm.turns.forget(release)
            return found
        turn = Turn(release, self._tenant, wanted.whose.label, wanted.at_once)
        if not self._helm.turns.take(turn, wanted.wake):
            message = f"release {release} waits until fewer releases are installed or upgraded"
            raise _queued("reconcile", message, ctx)
        try:
            return await self._attempt(wanted, found, ctx)
        finally:
            self._helm.turns.leave(release)

    async def _found(self, wanted: Wanted, ctx: Context) -> Settlement | History:
        """Return the release if it is what is wanted, else the history that it is to be changed from.

        Raises:
            ReleaseError: it is not ours to change, or not now.
        """
        release = wanted.blueprint.release
        check_name(release, ctx.now)
        history = await self._records.cached(release, ctx)
        if self._is_current(history, wanted):
            return Settlement(*await self._records.in_effect(history, ctx))
        self._attempts.check(release, self._input(wanted), ctx.now)
        history = await self._records.corrected(await self._records.stored(release, ctx), ctx)
        if self._is_current(history, wanted):
            return Settlement(*await self._records.in_effect(history, ctx))
        if dispute := wanted.whose.dispute(history):
            raise ReleaseError("reconcile", dispute, kind="conflict")
        return history

    async def _attempt(self, wanted: Wanted, history: History, ctx: Context) -> Settlement:
        """Change a release, and note if that fails."""
        release = wanted.blueprint.release
        before = history.records[-1].number if history.records else 0
        self._foreign.forget(release)
        try:
            settled = await self._change(wanted, history, ctx)
        except ReleaseError as error:
            if error.kind == "superseded":
                raise
            after = (await self._records.stored(release, ctx)).latest
            left = history.deployed is not None and after is not None and after.number > before
            raise self._attempts.failed(
                release, self._input(wanted), error, ctx.now, rolled_back=left
            ) from error
        self._attempts.forget(release)
        return settled

    def _input(self, wanted: Wanted) -> str:
        return f"{wanted.input}{self._user}"  # which decide whether a step fails again

    def _is_current(self, history: History, wanted: Wanted) -> bool:
        blueprint = wanted.blueprint
        if wanted.anew or not history.is_made_from(blueprint):
            return False
        tolerated = self._tolerated.get(blueprint.release) == blueprint.capabilities_digest
        return tolerated or history.is_rendered_for(blueprint)

    async def _change(self, wanted: Wanted, history: History, ctx: Context) -> Settlement:
        if history.deployed is None:
            return await self._install(wanted, history, ctx)
        revision, deployed = await self._records.in_effect(history, ctx)
        try:
            candidate = await self._renders.candidate(
                wanted.blueprint, deployed, wanted.change, lookup=wanted.lookup
            )
        except HelmError as error:
            if history.is_made_from(wanted.blueprint) and not wanted.anew:
                why = f"the chart does not render: {error}"
                return self._tolerate(wanted, Settlement(revision, deployed), why, ctx)
            raise failure_of("reconcile", error) from error
        settled = Settlement(revision, deployed, unstable=candidate.unstable.told())
        size = size_of(deployed)
        if history.latest is history.deployed and await aside(size, same, candidate.objects, deployed):
            await relabel(history.deployed, wanted.labels(history.deployed.number), ctx)
            return settled
        if (
            history.is_made_from(wanted.blueprint)
            and not wanted.anew
            and has_same_objects(candidate.objects, deployed)
        ):
            return self._tolerate(wanted, settled, "other fields would change", ctx)
        return await self._upgrade(wanted, history, (deployed, candidate), ctx)

    def _tolerate(self, wanted: Wanted, settled: Settlement, why: str, ctx: Context) -> Settlement:
        """Stay with a revision although the capabilities of the cluster have changed.

        Chart and values are the same: a kind that has come or gone must not make a failure of a release that
        is deployed as wanted, nor restart its pods. It makes an upgrade if the chart has other objects then.
        """
        release = wanted.blueprint.release
        self._tolerated[release] = wanted.blueprint.capabilities_digest
        ctx.log.info(
            "The cluster serves other kinds than before; release %s stays at revision %d: %s",
            release,
            settled.revision.number,
            shortened(why.partition("\n")[0], _LONGEST),
        )
        return settled

    async def _install(self, wanted: Wanted, history: History, ctx: Context) -> Settlement:
        release = wanted.blueprint.release
        if self._attempts.was_refused(release, self._input(wanted)):
            await self._preflight_again("install", wanted)
        if history.latest is not None:  # it never went well, and to upgrade it would skip its install hooks
            await self._uninstall(history, wanted.retreat, ctx)
        how = replace(wanted.install, labels=wanted.labels(1), change=wanted.change, owner=wanted.owner)
        try:
            revision = await self._deploy("install", f"helm install {release}", wanted, how, ctx)
        except HelmError as error:
            addition = await self._tidy(wanted, error, ctx)
            self._foreign.refuse("install", release, self._foreign.of(release), addition)
            failure = failure_of("install", error, addition)
            if failure.kind == "failed":
                found = await foreign_objects(self._helm, wanted, self._upkeep, ctx)
                self._foreign.refuse("install", release, found, addition)
            raise failure from error
        self._records.expect(release, revision.number)
        announce(ctx, "Installed", f"Installed release {release}, revision {revision.number}")
        return Settlement(revision, await manifest_of(revision), fresh=True)

    async def _preflight_again(self, step: ReleaseStep, wanted: Wanted) -> None:
        """See by a dry run that the server takes objects and hooks of which it refused one before."""
        blueprint = wanted.blueprint
        try:
            objects = await self._helm.render(
                blueprint, is_upgrade=step == "upgrade", lookup=wanted.lookup, hooks=True
            )
        except HelmError as error:
            raise failure_of(step, error) from error
        changed = wanted.change(objects) if wanted.change else objects
        await preflight(changed, blueprint.release, step, self._upkeep, self._helm.client)

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
        how = replace(
            wanted.upgrade,
            labels=wanted.labels(number),
            change=change,
            is_upgrade=True,
            owner=wanted.owner,
        )
        changes = await aside(size_of(deployed), differences, deployed, candidate.objects)
        what = "\n    ".join([f"helm upgrade {release} to revision {number}", *changes])
        await self._check_upgrade(wanted, candidate.objects, history, ctx)
        await self._repair_before(wanted, deployed, history, ctx)
        # Helm removes only what the revision in effect has. Before, so that no crash can come in between.
        await self._upkeep.sweep(
            await objects_of(history.failed), release, ctx, spare=[*deployed, *candidate.objects]
        )
        await reduce_record(history.deployed, self._upkeep.served, ctx)
        try:
            revision = await self._deploy("upgrade", what, wanted, how, ctx)
        except HelmError as error:
            addition = await self._fall_back(wanted, history, error, ctx)
            self._foreign.refuse("upgrade", release, self._foreign.of(release), addition)
            raise failure_of("upgrade", error, addition) from error
        self._records.expect(release, revision.number)
        announce(ctx, "Upgraded", f"Upgraded release {release} to revision {revision.number}")
        objects = await manifest_of(revision)
        return Settlement(revision, objects, fresh=True, unstable=candidate.unstable.told())

    async def _repair_before(
        self, wanted: Wanted, deployed: Sequence[Json], history: History, ctx: Context
    ) -> None:
        """Repair the revision in effect before an upgrade, whose hooks may run for minutes."""
        if wanted.owner is not None:
            revision, _ = await self._records.in_effect(history, ctx)
            with suppress(ApiError):  # which the repair after the upgrade reports
                await self._upkeep.repair(
                    Settlement(revision, deployed), wanted.owner, ctx, wakes=wanted.wakes
                )

    async def _check_upgrade(
        self, wanted: Wanted, objects: Sequence[Json], history: History, ctx: Context
    ) -> None:
        """See that no object or hook belongs to another release, and that the server takes all objects.

        Helm would overwrite the first, and leave two revisions behind for each attempt at the second.
        """
        release = wanted.blueprint.release
        objects_and_hooks = [*objects, *await self._records.hooks(history, ctx)]
        self._foreign.refuse("upgrade", release, await self._upkeep.foreign(objects_and_hooks, release, ctx))
        if wanted.upgrade.force:  # which replaces what the server would not let us change
            return
        if self._attempts.was_refused(release, self._input(wanted)):
            await self._preflight_again("upgrade", wanted)
        else:
            await preflight(objects, release, "upgrade", self._upkeep, self._helm.client)

    async def _deploy(
        self, step: ReleaseStep, what: str, wanted: Wanted, how: Deploying, ctx: Context
    ) -> Revision:
        """Run Helm, showing progress when it takes long; give up when the object changes.

        Raises:
            HelmError: Helm failed.
            ReleaseError: the object has changed meanwhile; the program was killed.
        """
        hooks: list[str] = []
        began: list[datetime] = []
        how = replace(how, on_hook=hooks.append, on_start=lambda: began.append(ctx.now))

        def message() -> str:
            release = wanted.blueprint.release
            if not began:
                return f"helm {step} of release {release} waits until fewer helm processes run"
            waits = f", waiting for hook {hooks[-1]}" if hooks else ""
            return f"helm {step} of release {release} has been running since {began[0]:%H:%M:%SZ}{waits}"

        how = replace(how, on_delete=self._foreign.guard(self._helm.client, wanted.blueprint.release, ctx))
        deploying = ctx.effect(what, lambda: self._helm.deploy(wanted.blueprint, how))
        revision = await unless(deploying, ctx.superseded(), wanted.progress, message)
        if revision is None:
            changed = f"gave up helm {step}: the object was changed or deleted meanwhile"
            announce(ctx, "Interrupted", changed)
            raise ReleaseError(step, changed, kind="superseded", tried=False)
        return revision

    async def _tidy(self, wanted: Wanted, error: HelmError, ctx: Context) -> str:
        """Remove what a failed installation has left; return what there is to say."""
        if isinstance(error, ReleaseError):  # given up: the next run removes what there is
            return ""
        release = wanted.blueprint.release
        history = await self._records.stored(release, ctx)
        if history.is_ours:  # else another helm was quicker
            try:
                await self._uninstall(history, wanted.retreat, ctx)
            except ReleaseError as left:
                return f"; what it left could not be removed: {left}"
        return ""

    async def _fall_back(self, wanted: Wanted, history: History, error: HelmError, ctx: Context) -> str:
        """Roll back after a failed upgrade that left a revision; return what there is to say."""
        if isinstance(error, ReleaseError):  # given up: the next run goes on from what there is
            return ""
        release, good = wanted.blueprint.release, history.deployed
        # Helm may not even have been able to note how it ended.
        stored = await self._records.stored(release, ctx)
        latest = (await self._records.corrected(stored, ctx)).latest
        if good is None or latest is None or latest.state == "deployed":
            return ""
        try:
            await ctx.effect(
                f"helm rollback {release} to revision {good.number}",
                lambda: self._helm.rollback(release, good.number, wanted.retreat),
            )
        except HelmError as failed:
            announce(ctx, "RollbackFailed", f"helm rollback {release} failed: {failed}", warning=True)
            return f"; the rollback to revision {good.number} failed too: {failed}"
        self._records.expect(release, latest.number + 1)
        announce(ctx, "RolledBack", f"Rolled back release {release} to revision {good.number}", warning=True)
        return f"; rolled back to revision {good.number}"

    async def _uninstall(self, history: History, how: Retreat, ctx: Context) -> None:
        """Remove a release that has records: Helm what its last revision has, we what those before left."""
        *before, last = history.records
        release, good = last.release, history.deployed
        since = [each for each in before if good is None or each.number >= good.number]
        objects = await objects_of([last])
        await self._upkeep.sweep(await objects_of(since), release, ctx, spare=objects)
        await reduce_record(last, lambda found: self._upkeep.own(found, release, ctx), ctx)
        try:
            guarded = replace(how, on_delete=self._foreign.guard(self._helm.client, release, ctx))
            found = await ctx.effect(
                f"helm uninstall {release}", lambda: self._helm.uninstall(release, guarded), planned=True
            )
            if not found:  # the records were deleted meanwhile, and the objects were not
                await self._upkeep.sweep(objects, release, ctx)
        except HelmError as error:
            if how.hooks and TERMINATING in str(error):
                # No hook can run there any more, and the namespace waits for what waits for us.
                await self._uninstall(history, replace(how, hooks=False), ctx)
            elif await self._upkeep.lacks_kinds(objects):
                await self._upkeep.sweep(objects, release, ctx)
                await self._records.drop(history, ctx)
            else:
                raise failure_of("uninstall", error) from error
        self._records.forget(release)


def _queued(step: ReleaseStep, message: str, ctx: Context) -> ReleaseError:
    return ReleaseError(step, message, kind="queued", retry_at=ctx.now + _TURN_DELAY, tried=False)
