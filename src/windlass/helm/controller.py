from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

import orjson
from typing_extensions import override

from windlass.api import Key, Resource, Selection
from windlass.errors import (
    ApiError,
    ConfigError,
    HelmError,
    ReleaseError,
    Terminal,
    ToolError,
    UndecodableError,
    UnwatchableError,
)
from windlass.helm.annotation import Wishes
from windlass.helm.aside import aside
from windlass.helm.blueprint import Blueprint
from windlass.helm.chart import ChartFolder
from windlass.helm.engine import Deploying, Retreat
from windlass.helm.history import BY_RELEASE, watch_records
from windlass.helm.manifest import read_manifest
from windlass.helm.options import HelmOptions
from windlass.helm.ownership import Owner
from windlass.helm.readiness import summary
from windlass.helm.release import Releases, Wanted
from windlass.helm.served import Served
from windlass.helm.status import HelmStatus, reason_of
from windlass.helm.upkeep import Upkeep
from windlass.helm.values import assignments, values_of
from windlass.helm.whose import Whose
from windlass.reconcile import Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from pathlib import Path

    from windlass.api import Json
    from windlass.codegen import Rule
    from windlass.helm.engine import Helm
    from windlass.helm.record import ReleaseRecord, Revision
    from windlass.helm.release import Settlement
    from windlass.reconcile import Context

_TOLD: Final = (HelmError, ApiError, Terminal, ToolError, UndecodableError, UnwatchableError)
"""What is told in a condition; anything else is a fault of the process, or the end of its lease."""

_SOON: Final = timedelta(seconds=5)


class HelmController(Reconciler[Any]):
    """Makes each object of a kind a release of a chart: its spec are the values.

    It behaves as operator-sdk's Helm operator does: the release has the object's name and lies in its
    namespace; conditions, annotations and finalizers are the same. A subclass may say more: `values` before
    the chart is rendered, `objects` after it, `before` and `after` a pass.

        manager.add(HelmController(of=Minimart, chart=Path("charts/minimart"), helm=HelmProgram(client)))
    """

    finalizer = "helm.sdk.operatorframework.io/uninstall-release"
    old_finalizers = ("uninstall-helm-release",)
    indexes = (BY_RELEASE,)

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
        self._known: set[Key] = set()
        self._looked: dict[Key, datetime] = {}
        self._changed: dict[Key, bytes] = {}
        self.reads = (watch_records(self._released), *self._capability_watches())

    async def values(self, resource: Any, ctx: Context) -> Json:  # noqa: ARG002 - for those who say more
        """The values for the chart: the object's spec, unless a subclass translates it."""
        return values_of(resource, self.options.metadata_key)

    def objects(self, resource: Any, objects: Sequence[Json]) -> Sequence[Json]:  # noqa: ARG002
        """What is deployed in place of what the chart renders; the number and order must stay.

        It is asked again when the object says something else, and once after the operator has started.
        """
        return objects

    async def before(self, resource: Any, ctx: Context) -> None:
        """Called before each pass over an object that is not being deleted; what it raises ends the pass."""

    async def after(self, resource: Any, revision: Revision, ctx: Context) -> None:
        """Called when the release is as it should be."""

    @override
    async def reconcile(self, resource: Any, ctx: Context) -> Result[HelmStatus]:
        status, wishes = HelmStatus.of(resource), Wishes.of(resource.metadata)
        self._known.add(ctx.key)
        status.initialize(ctx.now)
        for unclear in wishes.unclear:
            ctx.event("InvalidAnnotation", unclear, warning=True)
        try:
            await self.before(resource, ctx)
            wanted = await self._wanted(resource, wishes, ctx)
            settled = await self._settled(wanted, ctx)
            self._note(resource, wanted, ctx)
            owner = Owner(self.of, ctx.key, resource.metadata.uid)
            live = await self._upkeep.repair(settled, owner, ctx, wakes=self.options.watch_dependents)
            await self.after(resource, settled.revision, ctx)
        except _TOLD as error:
            return _failed(status, error, ctx)
        status.deploy(settled.revision, ctx.now)
        period = self._period(wishes) or None
        unready = summary(live)
        if unready:
            return Result.waiting("RollingOut", unready, status, again=period)
        return Result.ready(status, again=period)

    @override
    async def finalize(self, resource: Any, ctx: Context) -> Result[HelmStatus]:
        status, wishes = HelmStatus.of(resource), Wishes.of(resource.metadata)
        told = status.deployed_release.manifest if status.deployed_release else ""
        objects, release = await aside(len(told), _readable, told), self._release(ctx.key)
        how = Retreat(
            hooks=not wishes.uninstall_disable_hooks,
            description=wishes.uninstall_description,
            timeout=self.options.timeout,
        )
        try:
            removal = await self._releases.remove(release, self._whose(ctx), how, ctx)
            if removal == "absent":
                await self._upkeep.sweep(objects, release, ctx)  # its records are gone, it may not be
            if wishes.uninstall_wait and removal != "foreign":
                remaining = await self._upkeep.remaining(objects, release, ctx)
                if remaining:
                    message = f"waiting until these are gone: {', '.join(remaining)}"
                    status.uninstall(ctx.now, message)
                    return Result.waiting("Uninstalling", message, status, again=_SOON)
        except _TOLD as error:
            known = isinstance(error, ReleaseError)
            return _failed(status, error if known else ReleaseError("uninstall", str(error)), ctx)
        status.uninstall(ctx.now)
        ctx.log.info("Uninstalled release")
        return Result.ready(status)

    @override
    async def forget(self, key: Key) -> None:
        self._known.discard(key)
        self._looked.pop(key, None)
        self._changed.pop(key, None)
        self._releases.forget(self._release(key))

    async def _wanted(self, resource: Any, wishes: Wishes, ctx: Context) -> Wanted:
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
        return Wanted(
            blueprint=blueprint,
            kind=self._owner(ctx).type_name,
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

    async def _settled(self, wanted: Wanted, ctx: Context) -> Settlement:
        """The release as wanted; people are told of what is not in the object's own spec."""
        try:
            settled = await self._releases.settle(wanted, ctx)
        except ReleaseError as error:
            if error.step != "reconcile" and error.retry_at is None:
                self._tell_overrides(ctx)
            raise
        if settled.fresh:
            number = settled.revision.number
            ctx.log.info("%s release, revision %d", "Installed" if number == 1 else "Upgraded", number)
            self._tell_overrides(ctx)
        if settled.unstable:
            where = ", ".join(settled.unstable)
            ctx.event("UnstableChart", f"held, since each rendering has another: {where}", warning=True)
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


def _failed(status: HelmStatus, error: Exception, ctx: Context) -> Result[HelmStatus]:
    """What a failure leads to: told in a condition, and tried again, ever later, or when that is due."""
    step = error.step if isinstance(error, ReleaseError) else "reconcile"
    status.fail(step, str(error), ctx.now)
    if isinstance(error, ReleaseError) and error.retry_at is not None:
        again = max(error.retry_at - ctx.now, timedelta(seconds=1))
        return Result.waiting(reason_of(step), str(error), status, again=again)
    return Result.failed(error, status)


def _mark(resource: Resource) -> bytes:
    """What stands for all that people say of an object."""
    whole = resource.to_wire()
    said = {name: whole.get("metadata", {}).get(name) for name in ("labels", "annotations")}
    rest = {name: value for name, value in whole.items() if name not in ("metadata", "status")}
    return sha256(orjson.dumps([said, rest], option=orjson.OPT_SORT_KEYS)).digest()


def _readable(manifest: str) -> Sequence[Json]:
    """The objects of a manifest that a status tells; anybody may have written that."""
    try:
        return read_manifest(manifest)
    except ConfigError:
        return ()
