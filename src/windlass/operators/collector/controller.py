from __future__ import annotations

from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.api import Key, Selection
from windlass.errors import ApiError, HelmError, Terminal, ToolError
from windlass.helm import (
    BY_RELEASE,
    Blueprint,
    Deploying,
    HelmProgram,
    Owner,
    Releases,
    Retreat,
    Served,
    Upkeep,
    Wanted,
    Whose,
    watch_records,
)
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.kinds.core.v1 import ConfigMap, Namespace, Secret
from windlass.operators.collector.claims import Claims
from windlass.operators.collector.desired import look_again, referred, release_of
from windlass.operators.collector.gather import Gathered
from windlass.operators.collector.options import CollectorOptions
from windlass.operators.collector.place import ensure_namespace, leave_namespace
from windlass.operators.collector.report import Pace, concluded, deployed, failed, held, objects_of, waiting
from windlass.operators.collector.rules import RULES
from windlass.operators.collector.source import Sources
from windlass.operators.collector.types import Collector, CollectorStatus, ReleaseStatus
from windlass.reconcile import Context, Follow, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.helm import Helm
    from windlass.manager import Manager
    from windlass.operators.collector.source import Charts

_MARKS: Final = Selection(metadata_only=True)
_NO_RECORDS: Final = Selection(metadata_only=True, fields="type!=helm.sh/release.v1")


class CollectorController(Reconciler[Collector]):
    """Makes each Collector a release of a chart in its tenant's namespace.

    The release is noted in the status before it is made, so that whatever happens then, the one that is to be
    uninstalled is known.
    """

    finalizer = "example.com/collector"
    indexes = (BY_RELEASE,)
    rules = RULES

    def __init__(
        self, helm: Helm, options: CollectorOptions | None = None, charts: Charts | None = None
    ) -> None:
        self.options = options or CollectorOptions()
        self.selection = Selection(labels=self.options.selector)
        self._gathered = Gathered(self.options, charts or Sources())
        self._served = Served(helm.client)
        self._upkeep = Upkeep(self._served)
        self._releases = Releases(helm, self._upkeep)
        self._claims = Claims()
        self.follows = (Follow(Collector, self._claims.see),)
        self.reads = (
            Watch(Collector, to=self._claims.rivals, selection=self.selection),
            Watch(Secret, by=lambda each: referred(each, "Secret", self.options), selection=_NO_RECORDS),
            Watch(ConfigMap, by=lambda each: referred(each, "ConfigMap", self.options), selection=_MARKS),
            Watch(Namespace, by=lambda each: Key("", release_of(each.spec).namespace), selection=_MARKS),
            Watch(CustomResourceDefinition, to=self._served_anew, selection=_MARKS),
            watch_records(lambda record: self._claims.claimants(record.release)),
        )

    @override
    async def reconcile(self, resource: Collector, ctx: Context) -> Result[CollectorStatus]:
        status = resource.status.model_copy(deep=True)
        try:
            return await self._settle(resource, status, ctx)
        except (HelmError, ToolError, ApiError, Terminal) as error:
            return failed(status, error, ctx.now)

    @override
    async def finalize(self, resource: Collector, ctx: Context) -> Result[CollectorStatus]:
        status = resource.status.model_copy(deep=True)
        try:
            await self._leave(status, ctx)
        except (HelmError, ToolError, ApiError) as error:
            return failed(status, error, ctx.now)
        return Result.ready(status)

    async def _settle(
        self, collector: Collector, status: CollectorStatus, ctx: Context
    ) -> Result[CollectorStatus]:
        release = release_of(collector.spec)
        if held(status) not in (None, release):
            await self._leave(status, ctx, to=release.namespace)
        if (owner := self._claims.owner(release)) not in (None, ctx.key):
            status.release, status.resources = None, []
            return waiting(status, "Conflict", f"{release} belongs to the Collector {owner}", ctx.now)
        values = await self._gathered.values(collector, ctx)
        chart, status.chart = await self._gathered.chart(collector, ctx)
        if not await ensure_namespace(collector, ctx):
            message = f"the namespace {release.namespace} is being deleted"
            return waiting(status, "NamespaceTerminating", message, ctx.now)
        blueprint = Blueprint(
            release=release, chart=chart, values=values, capabilities=await self._served.capabilities()
        )
        return await self._deploy(collector, blueprint, status, ctx)

    async def _deploy(
        self, collector: Collector, blueprint: Blueprint, status: CollectorStatus, ctx: Context
    ) -> Result[CollectorStatus]:
        if status.release is None:
            status.release = ReleaseStatus(name=blueprint.release.name, namespace=blueprint.release.namespace)
            await ctx.checkpoint(status)
        owner = Owner(Collector, ctx.key, collector.metadata.uid)
        how = Deploying(history=self.options.history)
        wanted = Wanted(blueprint=blueprint, kind=owner.type_name, install=how, upgrade=how)
        settled = await self._releases.settle(wanted, ctx)
        deployed(status, settled, blueprint.digest)
        live = await self._upkeep.repair(settled, owner, ctx)
        if settled.unstable:
            where = ", ".join(settled.unstable)
            ctx.event("UnstableChart", f"held, since each rendering has another: {where}", warning=True)
        again = look_again(collector, status.chart, self.options, ctx.now)
        return concluded(status, settled, live, Pace(ctx.now, self.options.wait, again))

    async def _leave(self, status: CollectorStatus, ctx: Context, *, to: str = "") -> None:
        """Uninstall the release that a Collector has, unless it is another's; `to` is where it goes."""
        release = held(status)
        if release is None:
            return
        if self._claims.owner(release) in (None, ctx.key):
            whose = Whose(kind=Owner(Collector, ctx.key).type_name)
            if await self._releases.remove(release, whose, Retreat(), ctx) == "absent":
                # Its records are gone, it may not be.
                await self._upkeep.sweep(objects_of(status), release, ctx)
            others = self._claims.in_namespace(release.namespace) - {ctx.key}
            if self.options.delete_namespaces and not others and release.namespace != to:
                await leave_namespace(release.namespace, ctx)
        self._upkeep.forget(release)
        status.release, status.resources = None, []

    def _served_anew(self, _: CustomResourceDefinition) -> Iterable[Key]:
        """A kind came or went, which may decide what a chart renders."""
        self._served.outdate()
        return self._claims.everybody()


def add_to(manager: Manager) -> None:
    """Serve Collectors with the chart that ships."""
    manager.add(CollectorController(HelmProgram(manager.client)))
