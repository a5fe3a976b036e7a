from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.api import Key, Selection
from windlass.errors import ApiError, ConnectionFailedError, Terminal
from windlass.kinds.admissionregistration.v1 import MutatingWebhookConfiguration
from windlass.kinds.apps.v1 import DaemonSet, Deployment
from windlass.kinds.core.v1 import ConfigMap, Node, Pod, Secret, Service, ServiceAccount
from windlass.kinds.node.v1 import RuntimeClass
from windlass.kinds.rbac.v1 import ClusterRole, ClusterRoleBinding
from windlass.operators.peerpod.capacity import Capacity
from windlass.operators.peerpod.census import Census
from windlass.operators.peerpod.desired import ADAPTOR_RULES, CONFIG, MADE_HERE, config_of, place_of
from windlass.operators.peerpod.hook import Hook
from windlass.operators.peerpod.machines import EVERY_NODE, NODES, PODS, parse_limit
from windlass.operators.peerpod.options import PeerPodOptions
from windlass.operators.peerpod.parts import Parts
from windlass.operators.peerpod.report import Report
from windlass.operators.peerpod.types import PeerPodConfig, PeerPodConfigStatus
from windlass.reconcile import Context, Follow, Reconciler, Result, Rule, Watch, generation_changed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.api import Resource, Selector
    from windlass.operators.peerpod.capacity import Survey

_PLACED: Final[tuple[type[Resource], ...]] = (Deployment, Secret, Service, ServiceAccount)
_SHARED: Final[tuple[type[Resource], ...]] = (ClusterRole, ClusterRoleBinding, MutatingWebhookConfiguration)
_WRITTEN: Final[tuple[type[Resource], ...]] = (DaemonSet, *_PLACED, *_SHARED, RuntimeClass)


class PeerPodConfigController(Reconciler[PeerPodConfig]):
    """Has nodes offer virtual machines, and sets up what runs pods in them.

    A node is marked with the config in whose name it offers something, by the same write, so that what has
    to be taken away is known whatever happened in between.
    """

    finalizer = CONFIG
    rules = (
        Rule.on(Node, "patch", subresource="status"),
        *(Rule.on(kind, "create", "patch", "delete") for kind in _WRITTEN),
        *ADAPTOR_RULES,
    )

    def __init__(self, options: PeerPodOptions | None = None) -> None:
        self.options = options or PeerPodOptions()
        self._census = Census(self.options)
        self._capacity = Capacity(self.options, self._census)
        self._parts = Parts(self.options, self._census)
        self._hook = Hook(self.options, self._census)
        self.selection = Selection(labels=self.options.selector)
        self.follows = (Follow(PeerPodConfig, self._census.see),)
        self.indexes = (EVERY_NODE, self._capacity.meter.takers)
        self.reads = (*self._reads_of_others(), *self._reads_of_parts())

    @override
    async def reconcile(self, resource: PeerPodConfig, ctx: Context) -> Result[PeerPodConfigStatus]:
        report = Report(resource.status.model_copy(deep=True), ctx.now)
        try:
            return await self._settle(resource, report, ctx)
        except Terminal as error:
            return report.fail(error, error.reason)
        except (ApiError, ConnectionFailedError) as error:
            return report.fail(error, "ApplyFailed")

    @override
    async def finalize(self, resource: PeerPodConfig, ctx: Context) -> Result[PeerPodConfigStatus]:
        await self._capacity.withdraw(ctx)
        await self._parts.no_adaptor(resource, ctx)
        await self._hook.remove(resource, ctx)
        await self._parts.no_runtime(resource, ctx)
        return Result.ready()

    async def _settle(
        self, config: PeerPodConfig, report: Report, ctx: Context
    ) -> Result[PeerPodConfigStatus]:
        selector, limit = _selector(config), _limit(config)
        survey = await self._capacity.survey(config, selector, limit, ctx)
        contested = self._capacity.contested(config, survey.chosen, ctx.key)
        report.warns("Conflict", bool(contested), "Overlap" if contested else "NoOverlap", contested)
        if contested:  # what is there already stays: it may be in use
            report.lacks("NodesAdvertised", "Conflict", contested)
            return report.conclude()
        wanted = config.spec.components
        if wanted.extended_resource:
            gone = await self._capacity.advertise(survey, ctx)
            _tell_nodes(report, survey, gone, ctx)
        else:
            await self._capacity.withdraw(ctx)
            report.turned_off("NodesAdvertised")
        if wanted.daemon_set:
            await self._parts.adaptor(config, selector, report, ctx)
        else:
            await self._parts.no_adaptor(config, ctx)
        if wanted.runtime_class:
            await self._parts.runtime(report, ctx)
        else:
            await self._parts.no_runtime(config, ctx)
        if wanted.webhook:
            await self._hook.make(config, report, ctx)
        else:
            await self._hook.remove(config, ctx)
        return report.conclude()

    def _reads_of_others(self) -> Iterable[Watch[Any]]:
        """What others make, and this one goes by."""
        place, meter = self.options.namespace, self._capacity.meter
        yield Watch(PeerPodConfig, to=self._census.others, when=generation_changed, selection=self.selection)
        yield Watch(Node, to=self._census.everybody, when=meter.is_news_of_node, selection=NODES)
        yield Watch(Pod, to=self._census.everybody, when=meter.is_news_of_pod, selection=PODS)
        yield Watch(
            Secret,
            by=lambda config: Key(place_of(config, self.options), config.spec.cloud_secret_name),
            selection=Selection(namespace=place, metadata_only=True),
        )
        yield Watch(
            ConfigMap,
            by=lambda config: Key(place_of(config, self.options), config.spec.config_map_name),
            selection=Selection(namespace=place),
        )

    def _reads_of_parts(self) -> Iterable[Watch[Any]]:
        """What is made here: by a config for itself, or for all."""
        placed = Selection(namespace=self.options.namespace, labels=MADE_HERE)
        yield Watch(DaemonSet, to=_marked, selection=placed)
        for kind in _PLACED:
            kept = replace(placed, values=True) if kind is Secret else placed
            yield Watch(kind, to=self._census.everybody, selection=kept)
        for kind in _SHARED:
            yield Watch(kind, to=self._census.everybody, selection=Selection(labels=MADE_HERE))
        yield Watch(RuntimeClass, to=self._census.everybody)  # somebody else's too: that one is left alone


def _marked(resource: Resource) -> Iterable[Key]:
    config = config_of(resource)
    return () if config is None else (config,)


def _selector(config: PeerPodConfig) -> Selector:
    try:
        return config.spec.node_selector.selector()
    except ValueError as error:
        raise Terminal("InvalidSelector", f"spec.nodeSelector: {error}") from error


def _limit(config: PeerPodConfig) -> int:
    limit = parse_limit(config.spec.limit)
    if limit is None:
        message = f"spec.limit: {config.spec.limit!r} is no whole number from zero on"
        raise Terminal("InvalidLimit", message)
    return limit


def _tell_nodes(report: Report, survey: Survey, gone: Sequence[str], ctx: Context) -> None:
    report.shares(survey)
    found = survey.spread
    if gone:
        report.lacks("NodesAdvertised", "NodesChanged", f"{gone[0]} went while its share was written")
    elif found.unplaced:
        message = (
            f"{found.unplaced} virtual machines of the limit have no node: {len(found.shares)} are selected"
        )
        report.lacks("NodesAdvertised", "NoNodes", message)
    else:
        message = f"{len(found.shares)} nodes offer {found.total}"
        report.found("NodesAdvertised", message, reason="Advertised")
    if found.pinned:
        beyond = f", {found.excess} more than the limit" if found.excess else ""
        message = f"more is in use than their share on {len(found.pinned)} nodes{beyond}"
        ctx.event("OverCommitted", message, warning=True)
        report.warns("OverCommitted", True, "InUse", message)  # noqa: FBT003 - a condition
    else:
        report.warns("OverCommitted", bool(found.excess), "Overrides" if found.excess else "WithinLimit", "")
