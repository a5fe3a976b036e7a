from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

import orjson
from typing_extensions import override

from windlass.api import Key, Resource, Selection
from windlass.controller import RECONCILE_AT
from windlass.errors import (
    Conflict,
    NotFound,
    NotLeadingError,
    ReleaseError,
    Terminal,
)
from windlass.helm.annotation import Wishes
from windlass.helm.aside import aside
from windlass.helm.blueprint import Blueprint
from windlass.helm.chart import ChartFolder
from windlass.helm.engine import Deploying, Retreat
from windlass.helm.history import BY_RELEASE, watch_records
from windlass.helm.manifest import readable_manifest
from windlass.helm.options import HelmOptions
from windlass.helm.ownership import Owner
from windlass.helm.release import Releases
from windlass.helm.served import Served
from windlass.helm.shared import SharedObjects
from windlass.helm.status import HelmStatus, reason_of
from windlass.helm.step import record_failure, said, unless
from windlass.helm.upkeep import Upkeep
from windlass.helm.values import assignments, values_of
from windlass.helm.wanted import Removing, Wanted
from windlass.helm.whose import Whose
from windlass.reconcile import Channel, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from pathlib import Path

    from windlass.api import Json
    from windlass.codegen import Rule
    from windlass.helm.engine import Helm
    from windlass.helm.record import ReleaseRecord, Revision
    from windlass.helm.release import Removal
    from windlass.helm.upkeep import Repair
    from windlass.helm.wanted import Settlement
    from windlass.reconcile import Context

_SOON: Final = timedelta(seconds=5)
_MOST: Final = 5


class HelmController(Reconciler[Any]):
    """Makes each object of a kind a release of a chart: its spec are the values.

    It behaves as operator-sdk's Helm operator does: the release has the object's name and lies in its
    namespace; conditions, annotations and finalizers are the same. A subclass may say more: `values` before
    the chart is rendered, `objects` after it, `before` and `after` a pass. `shared` knows the objects that
    several releases have; give the same one to all controllers of an operator.

        manager.add(HelmController(of=Minimart, chart=Path("charts/minimart"), helm=HelmProgram(client)))
    """

    first_retry = timedelta(seconds=1)  # each run may start a process
    finalizer = "helm.sdk.operatorframework.io/uninstall-release"
    old_finalizers = ("uninstall-helm-release",)
    indexes = (BY_RELEASE,)
    programs = ("helm",)
    status_type = HelmStatus

    def __init__(
        self,
        *,
        of: type[Resource],
        chart: Path | ChartFolder,
        helm: Helm,
        options: HelmOptions | None = None,
        rules: Sequence[Rule] = (),
    ) -> None:
        self.of = of
        self.options = options or HelmOptions()
        self.name = f"{of.__kind__.name.lower()}-controller"
        self.selection = Selection(labels=self.options.labels())
        self.rules = rules
        self._chart = chart if isinstance(chart, ChartFolder) else ChartFolder(chart)
        self._chart_name = self._chart.current().name  # for removals, which no broken chart may keep back
        self._served = Served(helm.client)
        self._upkeep = Upkeep(self._served)
        self._releases = Releases(helm, self._upkeep)
        self.shared = SharedObjects()
        self._woken = Channel()
        self.sources = (self._woken,)
        self._known: set[Key] = set()
        self._looked: dict[Key, datetime] = {}
        self._changed: dict[Key, bytes] = {}
        self.reads = (watch_records(self._released), *self._capability_watches())

    async def values(self, resource: Any, ctx: Context, /) -> Json:  # noqa: ARG002 - for those who say more
        """The values for the chart: the object's spec, unless a subclass translates it."""
        return values_of(resource, self.options.metadata_key)

    def objects(self, resource: Any, objects: Sequence[Json], /) -> Sequence[Json]:  # noqa: ARG002
        """What is deployed in place of what the chart renders; the number and order must stay.

        It is asked again when the object says something else, and once after the operator has started.
        """
        return objects

    async def before(self, resource: Any, ctx: Context, /) -> None:
        """Called before each pass over an object that is not being deleted.

        What it raises is reported, and keeps a new revision from being deployed; drift is repaired all the
        same.
        """

    async def after(self, resource: Any, revision: Revision, ctx: Context, /) -> None:
        """Called when the release is as it should be."""

    @override
    async def reconcile(self, resource: Any, ctx: Context, /) -> Result[HelmStatus]:
        status, wishes = HelmStatus.of(resource), Wishes.of(resource.metadata)
        self._known.add(ctx.key)
        status.initialize(ctx.now)
        for unclear in wishes.unclear:
            ctx.event("InvalidAnnotation", unclear, warning=True)
        found = _Pass(status, self._release(ctx.key), self._period(wishes) or None)
        self.shared.attend(found.release, lambda: self._woken.send(ctx.key, "object conflict"))
        try:
            await self.before(resource, ctx)
            wanted = await self._wanted(resource, wishes, status, ctx)
            found.settled = await self._settled(wanted, resource, ctx)
            found.failure = found.settled.failure
        except NotLeadingError:
            raise
        except Exception as error:  # noqa: BLE001 - it is reported, and the loop logs it
            found.failure = error
        if isinstance(found.failure, ReleaseError) and found.failure.kind == "superseded":
            return Result.waiting("Superseded", str(found.failure))
        try:
            await self._repair(found, resource, ctx)
        except NotLeadingError:
            raise
        except Exception as error:  # noqa: BLE001 - it is reported, and the loop logs it
            found.failure = found.failure or error
        return self._conclude(found, ctx)

    async def _repair(self, found: _Pass, resource: Any, ctx: Context) -> None:
        """Keep the objects of the revision in effect as they should be, also if another one failed."""
        if found.settled is None and found.failure is not None:
            found.settled = await self._releases.fallback(
                found.release, self._whose(ctx), found.failure, self._acting(ctx)
            )
        foreign = {each.obj: each.release for each in self._releases.foreign(found.release)}
        self.shared.record(found.release, foreign)
        if found.settled is None:
            return
        owner = Owner(self.of, ctx.key, resource.metadata.uid)
        found.repair = await self._upkeep.repair(
            found.settled, owner, self._acting(ctx), wakes=self.options.watch_dependents
        )
        foreign |= {each.obj: each.release for each in found.repair.foreign}
        self.shared.record(found.release, foreign)
        if found.failure is None:
            await self.after(resource, found.settled.revision, ctx)

    def _conclude(self, found: _Pass, ctx: Context) -> Result[HelmStatus]:
        """Report the revision in effect, its objects, and what failed."""
        status, repair, now = found.status, found.repair, ctx.now
        if found.settled is not None:
            status.deploy(found.settled.revision, now)
        status.share("; ".join(map(str, self.shared.of(found.release)[:_MOST])), now)
        unready = repair.unready if repair else ""
        if repair is not None or found.settled is None:
            status.available(unready if found.settled else None, now)
        error = found.failure or (repair.error if repair else None)
        if isinstance(error, ReleaseError) and error.kind == "queued":
            return _queued(status, error, ctx)
        if error is not None:
            if isinstance(error, ReleaseError) and repair and repair.changed:
                error = self._releases.retried(found.release, error, repair.changed, now)
            return _failed(status, error, ctx, found.period)
        status.recover()
        if unready:
            status.ready("False", "RollingOut", unready, now)
            return Result.waiting("RollingOut", unready, status, again=found.period)
        status.ready("True", "Ready", "the release is deployed and its objects are ready", now)
        return Result.ready(status, again=found.period)

    @override
    async def finalize(self, resource: Any, ctx: Context, /) -> Result[HelmStatus]:
        status, wishes = HelmStatus.of(resource), Wishes.of(resource.metadata)
        told = status.deployed_release.manifest if status.deployed_release else ""
        objects, release = await aside(len(told), readable_manifest, told), self._release(ctx.key)
        how = Retreat(
            hooks=not wishes.uninstall_disable_hooks,
            description=wishes.uninstall_description,
            timeout=self.options.timeout,
        )
        try:
            removal = await self._removed(release, how, status, ctx)
            if removal == "absent":
                # Its records are gone, it may not be.
                await self._upkeep.sweep(objects, release, self._acting(ctx))
            if wishes.uninstall_wait and removal != "foreign":
                remaining = await self._upkeep.remaining(objects, release, self._acting(ctx))
                if remaining:
                    message = f"waiting until these are gone: {', '.join(remaining)}"
                    status.uninstall(ctx.now, message)
                    status.ready("False", "Uninstalling", message, ctx.now)
                    return Result.waiting("Uninstalling", message, status, again=_SOON)
        except NotLeadingError:
            raise
        except Exception as error:  # noqa: BLE001 - it is reported, and the loop logs it
            if isinstance(error, ReleaseError) and error.kind == "queued":
                return _queued(status, error, ctx)
            known = isinstance(error, ReleaseError)
            return _failed(status, error if known else ReleaseError("uninstall", said(error)), ctx)
        status.uninstall(ctx.now)
        return Result.ready(status)

    async def _removed(self, release: Key, how: Retreat, status: HelmStatus, ctx: Context) -> Removal:
        began = ctx.now

        def message() -> str:
            return f"helm uninstall of release {release} was started at {began:%H:%M:%SZ}"

        async def progress(text: str) -> None:
            await _show(status, "Uninstalling", text, ctx)

        removing = Removing(
            whose=self._whose(ctx),
            how=how,
            user=self.options.user_in(release.namespace),
            wake=lambda: self._woken.send(ctx.key, "turn"),
        )
        removal = self._releases.remove(release, removing, ctx)
        ended = await unless(removal, asyncio.Event().wait(), progress, message)
        return ended or "absent"

    @override
    async def forget(self, key: Key, /) -> None:
        self._known.discard(key)
        self._looked.pop(key, None)
        self._changed.pop(key, None)
        release = self._release(key)
        self._releases.forget(release)
        self.shared.forget(release)

    async def _wanted(self, resource: Any, wishes: Wishes, status: HelmStatus, ctx: Context) -> Wanted:
        options, chart = self.options, self._chart.current()
        blueprint = Blueprint(
            release=self._release(ctx.key),
            chart=chart,
            values=await self.values(resource, ctx),
            overrides=assignments(options.overrides),
            capabilities=await self._served.capabilities(),
        )
        common = Deploying(history=options.history, timeout=options.timeout)
        lookup = chart.asks.lookup and options.dry_run == "server"
        changes = type(self).objects is not HelmController.objects

        async def progress(text: str) -> None:
            await _show(status, "Deploying", text, ctx)

        return Wanted(
            blueprint=blueprint,
            kind=self._owner(ctx).type_name,
            owner=Owner(self.of, ctx.key, resource.metadata.uid),
            request=resource.metadata.annotations.get(RECONCILE_AT, ""),
            user=options.user_in(blueprint.release.namespace),
            progress=progress,
            wakes=options.watch_dependents,
            at_once=options.at_once or sys.maxsize,
            wake=lambda: self._woken.send(ctx.key, "turn"),
            install=replace(
                common, hooks=not wishes.install_disable_hooks, description=wishes.install_description
            ),
            upgrade=replace(
                common,
                force=wishes.upgrade_force,
                hooks=not wishes.upgrade_disable_hooks,
                description=wishes.upgrade_description,
            ),
            retreat=Retreat(force=wishes.rollback_force, history=options.history, timeout=options.timeout),
            change=(lambda objects: self.objects(resource, objects)) if changes else None,
            lookup=lookup,
            anew=(lookup and self._is_due(wishes, ctx)) or (changes and self._is_changed(resource, ctx)),
        )

    async def _settled(self, wanted: Wanted, resource: Any, ctx: Context) -> Settlement:
        """Bring the release to what is wanted; record events about what is not in the object's own spec."""
        try:
            settled = await self._releases.settle(wanted, ctx)
        except ReleaseError as error:
            if error.step != "reconcile" and error.tried:
                self._tell_overrides(ctx)
            raise
        failure = settled.failure
        if settled.fresh or (failure is not None and failure.tried and failure.step != "reconcile"):
            self._tell_overrides(ctx)
        if settled.unstable:
            where = ", ".join(settled.unstable)
            ctx.event("UnstableChart", f"held, since each rendering has another: {where}", warning=True)
        if failure is None:
            self._note(resource, wanted, ctx)
        return settled

    def _is_due(self, wishes: Wishes, ctx: Context) -> bool:
        """Whether a chart that looks at the cluster is to look again: once in a period, whoever wakes us."""
        last, period = self._looked.setdefault(ctx.key, ctx.now), self._period(wishes)
        return bool(period) and ctx.now >= last + period

    def _is_changed(self, resource: Any, ctx: Context) -> bool:
        """Whether `objects` may say something else than last time, since the object does, or never said."""
        return self._changed.get(ctx.key) != _mark(resource)

    def _note(self, resource: Any, wanted: Wanted, ctx: Context) -> None:
        """Remember what went well, so that it is not done again."""
        if wanted.lookup and wanted.anew:
            self._looked[ctx.key] = ctx.now
        if wanted.change is not None:
            self._changed[ctx.key] = _mark(resource)

    def _period(self, wishes: Wishes) -> timedelta:
        """How long after a pass the next one follows; zero for never."""
        return self.options.period if wishes.period is None else wishes.period

    def _tell_overrides(self, ctx: Context) -> None:
        for path, value in self.options.overrides.items():
            shown = "****" if self.options.suppress_overrides else value
            message = f"the operator overrides the value {path} of the chart by {shown!r}"
            ctx.event("OverrideValuesInUse", message, warning=True)

    def _acting(self, ctx: Context) -> Context:
        user = self.options.user_in(self._release(ctx.key).namespace)
        return ctx.acting_as(user) if user else ctx

    def _owner(self, ctx: Context) -> Owner:
        return Owner(self.of, ctx.key)

    def _whose(self, ctx: Context) -> Whose:
        return Whose(kind=self._owner(ctx).type_name, chart=self._chart_name)

    def _release(self, key: Key) -> Key:
        """The release of an object: of its name, in its namespace; where there is none, the options say."""
        return Key(key.namespace or self.options.namespace, key.name)

    def _released(self, record: ReleaseRecord) -> Iterable[Key]:
        """Whom a record concerns."""
        release = record.release
        key = release if self.of.__kind__.namespaced else Key("", release.name)
        return [key] if key in self._known and self._release(key) == release else []

    def _capability_watches(self) -> Sequence[Watch[Any]]:
        """A chart that asks which kinds there are is looked at again when one comes or goes."""
        if self._chart.current().asks.api_versions == frozenset():
            return ()
        from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

        def came(_: CustomResourceDefinition) -> Iterable[Key]:
            self._served.outdate()
            return list(self._known)

        return (Watch(CustomResourceDefinition, to=came, selection=Selection(metadata_only=True)),)


@dataclass
class _Pass:
    """What one pass over an object has found: the revision in effect, its objects, and what failed."""

    status: HelmStatus
    release: Key
    period: timedelta | None
    settled: Settlement | None = None
    repair: Repair | None = None
    failure: Exception | None = None


async def _show(status: HelmStatus, reason: str, message: str, ctx: Context) -> None:
    """Show while Helm runs that the object is not ready, and why."""
    shown = status.model_copy(deep=True)
    shown.ready("False", reason, message, ctx.now)
    with suppress(Conflict, NotFound):  # the next run sees what has changed, and shows it
        await ctx.checkpoint(shown)
        await ctx.progress(reason, message)


def _queued(status: HelmStatus, error: ReleaseError, ctx: Context) -> Result[HelmStatus]:
    status.ready("False", "Queued", str(error), ctx.now)
    return Result.waiting("Queued", str(error), status, again=_until(error, ctx.now))


def _failed(
    status: HelmStatus, error: Exception, ctx: Context, period: timedelta | None = None
) -> Result[HelmStatus]:
    """Report a failure, in conditions and by an event; retry it when its release says so, or with backoff.

    The next pass follows after the period at the latest: it sees a chart that was edited on disk.
    """
    message = said(error)
    record_failure(ctx, error, message)
    if not isinstance(error, ReleaseError):
        reason = error.reason if isinstance(error, Terminal) else reason_of("reconcile")
        status.fail("reconcile", message, ctx.now)
        if isinstance(error, Terminal):
            status.stall(reason, message, ctx.now)
        else:
            status.ready("False", reason, message, ctx.now)
        return Result.failed(error, status, reason=reason)
    reason = reason_of(error.step, error.kind)
    status.fail(error.step, message, ctx.now)
    status.ready("False", reason, message, ctx.now)
    again = _until(error, ctx.now)
    if again is not None and period is not None:
        again = min(again, period)
    if not error.tried:
        return Result.waiting(reason, message, status, again=again)
    return Result.failed(error, status, reason=reason, again=again)


def _until(error: ReleaseError, now: datetime) -> timedelta | None:
    """How long until a failed step is retried; None leaves that to the backoff of the queue."""
    return max(error.retry_at - now, timedelta(seconds=1)) if error.retry_at else None


def _mark(resource: Resource) -> bytes:
    """What stands for all that people say of an object."""
    whole = resource.to_wire()
    said = {name: whole.get("metadata", {}).get(name) for name in ("labels", "annotations")}
    rest = {name: value for name, value in whole.items() if name not in ("metadata", "status")}
    return sha256(orjson.dumps([said, rest], option=orjson.OPT_SORT_KEYS)).digest()
