from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.api import Key, Selection
from windlass.controller import RECONCILE_AT
from windlass.errors import (
    Conflict,
    NotFound,
    NotLeadingError,
    ReleaseError,
)
from windlass.helm import (
    BY_RELEASE,
    Blueprint,
    Deploying,
    HelmProgram,
    Owner,
    ReleaseRecord,
    Releases,
    Removing,
    Retreat,
    Served,
    SharedObjects,
    Upkeep,
    Wanted,
    Whose,
    watch_records,
)
from windlass.helm.source import Sources
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.kinds.core.v1 import ConfigMap, Namespace, Secret, ServiceAccount
from windlass.kinds.rbac.v1 import RoleBinding
from windlass.operators.collector.claims import Claims
from windlass.operators.collector.desired import (
    CREATOR,
    account_of,
    check_tenancy,
    look_again,
    referred,
    release_of,
    removing_account,
    user_of,
    version_of,
)
from windlass.operators.collector.gather import Gathered
from windlass.operators.collector.options import CollectorOptions
from windlass.operators.collector.place import MANAGED_BY, ensure_namespace, leave_namespace
from windlass.operators.collector.report import (
    Pace,
    Pass,
    concluded,
    deployed,
    failed,
    held,
    is_forbidden,
    objects_of,
    record_event,
    set_shared,
    waiting,
)
from windlass.operators.collector.rules import RULES, rules_for
from windlass.operators.collector.settings import options_from
from windlass.operators.collector.types import Collector, CollectorStatus, ReleaseStatus
from windlass.reconcile import Channel, Context, Follow, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.helm import Helm
    from windlass.helm.source import Charts
    from windlass.manager import Manager

_MARKS: Final = Selection(metadata_only=True)
_NO_RECORDS: Final = Selection(metadata_only=True, fields="type!=helm.sh/release.v1")


class CollectorController(Reconciler[Collector]):
    """Makes each Collector a release of a chart in its tenant's namespace.

    Everything of a release is done as a ServiceAccount of the Collector's namespace: rendering, hooks,
    objects, records, drift repair and removal. The operator itself reads, reports, and creates namespaces
    that the tenancy configuration allows.

    The release is noted in the status before it is made, so that whatever happens then, the one that is to be
    uninstalled is known.
    """

    first_retry = timedelta(seconds=1)  # each run may start a process, or fetch a chart
    finalizer = "example.com/collector"
    indexes = (BY_RELEASE,)
    rules = RULES
    programs = ("helm",)

    def __init__(
        self, helm: Helm, options: CollectorOptions | None = None, charts: Charts | None = None
    ) -> None:
        self.options = options or CollectorOptions()
        self.rules = tuple(rules_for(self.options))
        self.selection = Selection(labels=self.options.selector)
        self._gathered = Gathered(self.options, charts or Sources())
        self._served = Served(helm.client)
        self._upkeep = Upkeep(self._served)
        self._releases = Releases(helm, self._upkeep)
        self._claims = Claims(self._may_have)
        self.shared = SharedObjects()
        self._woken = Channel()
        self.sources = (self._woken,)
        self.follows = (Follow(Collector, self._claims.see),)
        self.reads = (
            Watch(Collector, to=self._claims.rivals, selection=self.selection),
            Watch(Secret, by=lambda each: referred(each, "Secret", self.options), selection=_NO_RECORDS),
            Watch(ConfigMap, by=lambda each: referred(each, "ConfigMap", self.options), selection=_MARKS),
            Watch(Namespace, by=lambda each: Key("", release_of(each.spec).namespace), selection=_MARKS),
            Watch(CustomResourceDefinition, to=self._served_anew, selection=_MARKS),
            watch_records(lambda record: self._claims.claimants(record.release)),
            *self._binding_watches(),
        )

    @override
    async def reconcile(self, resource: Collector, ctx: Context) -> Result[CollectorStatus]:
        found = Pass(resource.status.model_copy(deep=True))
        try:
            waits = await self._settle(resource, found, ctx)
        except NotLeadingError:
            raise
        except Exception as error:  # noqa: BLE001 - it is reported, and the loop logs it
            found.failure, waits = error, None
        if waits is not None:
            return waits
        if isinstance(found.failure, ReleaseError) and found.failure.kind == "superseded":
            return Result.waiting("Superseded", str(found.failure))
        try:
            await self._repair(resource, found, ctx)
        except NotLeadingError:
            raise
        except Exception as error:  # noqa: BLE001 - it is reported, and the loop logs it
            found.failure = found.failure or error
        if found.error is not None:
            record_event(found.error, ctx)
        again = look_again(resource, found.status.chart, self.options, ctx.now)
        return concluded(found, Pace(ctx.now, self.options.wait, again))

    @override
    async def finalize(self, resource: Collector, ctx: Context) -> Result[CollectorStatus]:
        status = resource.status.model_copy(deep=True)
        self._gathered.forget(ctx.key)
        try:
            await self._leave(resource, status, ctx)
        except NotLeadingError:
            raise
        except Exception as error:  # noqa: BLE001 - it is reported, and the loop logs it
            if not is_forbidden(error) or not await self._has_no_account(resource, ctx):
                return _failed(status, error, ctx)
            self._abandon(status, error, ctx)
        return Result.ready(status)

    @override
    async def forget(self, key: Key) -> None:
        self._gathered.forget(key)

    async def _settle(
        self, collector: Collector, found: Pass, ctx: Context
    ) -> Result[CollectorStatus] | None:
        """Deploy what a Collector asks for; a result tells that something else has to happen first."""
        check_tenancy(collector, self.options)
        release, status = release_of(collector.spec), found.status
        if held(status) not in (None, release):
            await self._leave(collector, status, ctx, to=release.namespace)
        if (owner := self._claims.owner(release)) not in (None, ctx.key):
            status.release, status.resources = None, []
            return waiting(status, "Conflict", f"{release} belongs to the Collector {owner}", ctx.now)
        chart, status.chart = await self._gathered.chart(
            collector, ctx, lambda: self._woken.send(ctx.key, "turn")
        )
        values = await self._gathered.values(collector, chart, ctx)
        role, account = self.options.tenancy.namespace_role, account_of(collector, self.options)
        if not await ensure_namespace(collector, role, account, ctx):
            message = f"the namespace {release.namespace} is being deleted"
            return waiting(status, "NamespaceTerminating", message, ctx.now)
        blueprint = Blueprint(
            release=release, chart=chart, values=values, capabilities=await self._served.capabilities()
        )
        await self._deploy(collector, blueprint, found, ctx)
        return None

    async def _deploy(self, collector: Collector, blueprint: Blueprint, found: Pass, ctx: Context) -> None:
        status, account = found.status, account_of(collector, self.options)
        if status.release is None:
            release = blueprint.release
            status.release = ReleaseStatus(
                name=release.name, namespace=release.namespace, service_account=account
            )
            await ctx.checkpoint(status)
        found.settled = settled = await self._releases.settle(
            self._wanted(collector, blueprint, account, ctx), ctx
        )
        found.failure = settled.failure
        if settled.failure is None:
            deployed(status, settled.revision, blueprint.digest, account)
            status.version = version_of(blueprint, settled.revision)
        if settled.unstable:
            where = ", ".join(settled.unstable)
            ctx.event("UnstableChart", f"held, since each rendering has another: {where}", warning=True)

    def _wanted(self, collector: Collector, blueprint: Blueprint, account: str, ctx: Context) -> Wanted:
        owner = Owner(Collector, ctx.key, collector.metadata.uid)
        how = Deploying(history=self.options.history, timeout=self.options.timeout)

        async def progress(message: str) -> None:
            with suppress(Conflict, NotFound):  # the next run sees what has changed
                await ctx.progress("Deploying", message)

        return Wanted(
            blueprint=blueprint,
            kind=owner.type_name,
            owner=owner,
            install=how,
            upgrade=how,
            retreat=Retreat(force=True, history=how.history, timeout=how.timeout),
            request=collector.metadata.annotations.get(RECONCILE_AT, ""),
            user=user_of(collector, account, blueprint.release.namespace),
            progress=progress,
            wake=lambda: self._woken.send(ctx.key, "turn"),
        )

    async def _repair(self, collector: Collector, found: Pass, ctx: Context) -> None:
        """Keep the objects of the revision in effect as they should be, also if another one failed.

        It is done as the ServiceAccount that deployed them, whatever the spec says meanwhile.
        """
        release = held(found.status)
        if release is None or self._claims.owner(release) not in (None, ctx.key):
            return
        self.shared.attend(release, lambda: self._woken.send(ctx.key, "object conflict"))
        user = user_of(collector, removing_account(collector, self.options), release.namespace)
        acting = ctx.acting_as(user) if user else ctx
        owner = Owner(Collector, ctx.key, collector.metadata.uid)
        if found.settled is None and found.failure is not None:
            whose = Whose(kind=owner.type_name)
            found.settled = await self._releases.fallback(release, whose, found.failure, acting)
        foreign = {each.obj: each.release for each in self._releases.foreign(release)}
        self.shared.record(release, foreign)
        set_shared(found.status, self.shared.of(release), ctx.now)
        if found.settled is None:
            return
        if found.failure is not None and (known := found.status.release) is not None:
            deployed(found.status, found.settled.revision, known.digest, known.service_account)
        found.repair = await self._upkeep.repair(found.settled, owner, acting)
        foreign |= {each.obj: each.release for each in found.repair.foreign}
        self.shared.record(release, foreign)
        set_shared(found.status, self.shared.of(release), ctx.now)
        if isinstance(found.failure, ReleaseError) and found.repair.changed:
            changed = found.repair.changed
            found.failure = self._releases.retried(release, found.failure, changed, ctx.now)

    async def _leave(
        self, collector: Collector, status: CollectorStatus, ctx: Context, *, to: str = ""
    ) -> None:
        """Uninstall the release that a Collector has, unless it is another's; `to` is where it goes.

        It is done as the ServiceAccount: what that may not delete stays, whatever the status says.
        """
        release = held(status)
        if release is None:
            return
        made = bool(status.release and status.release.revision) or await _has_records(release, ctx)
        if made and self._claims.owner(release) in (None, ctx.key):
            user = user_of(collector, removing_account(collector, self.options), release.namespace)
            removing = Removing(
                whose=Whose(kind=Owner(Collector, ctx.key).type_name),
                how=Retreat(timeout=self.options.timeout),
                user=user,
                wake=lambda: self._woken.send(ctx.key, "turn"),
            )
            if await self._releases.remove(release, removing, ctx) == "absent":
                # Its records are gone, it may not be.
                acting = ctx.acting_as(user) if user else ctx
                await self._upkeep.sweep(objects_of(status), release, acting)
            others = self._claims.in_namespace(release.namespace) - {ctx.key}
            if self.options.delete_namespaces and not others and release.namespace != to:
                await leave_namespace(release.namespace, collector, ctx)
        if self._claims.owner(release) in (None, ctx.key):
            self._forget(release)
        status.release, status.resources = None, []

    def _forget(self, release: Key) -> None:
        self._releases.forget(release)
        self.shared.forget(release)

    async def _has_no_account(self, collector: Collector, ctx: Context) -> bool:
        """Whether the ServiceAccount that may remove a release is gone.

        The namespace of the Collector is being deleted, in any order, or the ServiceAccount was deleted.
        """
        place = await ctx.get(Namespace, collector.metadata.namespace)
        if place is not None and place.metadata.deletion_timestamp is not None:
            return True
        account = removing_account(collector, self.options)
        if not account:
            return False
        try:
            await ctx.live.get(ServiceAccount, account, collector.metadata.namespace)
        except NotFound:
            return True
        return False

    def _abandon(self, status: CollectorStatus, error: Exception, ctx: Context) -> None:
        """Let a release stay whose ServiceAccount is gone: only it was allowed to remove the objects."""
        release = held(status)
        message = (
            f"release {release} was not uninstalled, since its ServiceAccount is gone: {error}; "
            f"an administrator can remove it with helm uninstall"
        )
        ctx.event("UninstallSkipped", message, warning=True)
        ctx.log.warning("Left a release that could not be uninstalled", extra={"windlass": {"why": message}})
        if release is not None:
            self._forget(release)
        status.release, status.resources = None, []

    def _may_have(self, collector: Collector, namespace: str) -> bool:
        """Whether a Collector is allowed to have a release in a namespace."""
        return self.options.tenancy.allows_namespace(collector.metadata.namespace, namespace)

    def _binding_watches(self) -> Iterable[Watch[RoleBinding]]:
        """The RoleBindings that the operator creates, where it does."""
        if not self.options.tenancy.namespace_role or not self.options.tenancy.reaches_others:
            return ()
        ours = Selection(labels=f"{MANAGED_BY}={CREATOR}", metadata_only=True)
        return (
            Watch(
                RoleBinding,
                to=lambda each: self._claims.in_namespace(each.metadata.namespace),
                selection=ours,
            ),
        )

    def _served_anew(self, _: CustomResourceDefinition) -> Iterable[Key]:
        """A kind came or went, which may decide what a chart renders."""
        self._served.outdate()
        return self._claims.everybody()


async def _has_records(release: Key, ctx: Context) -> bool:
    """Whether Helm began with a release, which notes that first; the operator itself looks.

    A ServiceAccount without rights never began, and must not keep its Collector from moving or going.
    """
    labels = f"owner=helm,name={release.name}"
    return bool((await ctx.live.list(ReleaseRecord, release.namespace, labels=labels)).items)


def _failed(status: CollectorStatus, error: Exception, ctx: Context) -> Result[CollectorStatus]:
    """Report a failure, in the conditions and as an event."""
    record_event(error, ctx)
    return failed(status, error, ctx.now)


def add_to(manager: Manager, options: CollectorOptions | None = None) -> None:
    """Serve Collectors; without options, by the file that `COLLECTOR_CONFIG` names.

    Raises:
        ConfigError: the file cannot be read, or has a setting that is unknown or cannot be used.
    """
    chosen = options or options_from(os.environ)
    if (account := manager.options.default_service_account) is not None:
        chosen = replace(chosen, default_service_account=account)
    manager.add(CollectorController(HelmProgram.of(manager), chosen))
