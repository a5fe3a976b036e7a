from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.api import Key, Selection
from windlass.errors import ApiError, ConnectionFailedError, Terminal
from windlass.kinds.admissionregistration.v1 import MutatingWebhookConfiguration
from windlass.kinds.apps.v1 import DaemonSet, Deployment
from windlass.kinds.core.v1 import ConfigMap, Node, Pod, Secret, Service, ServiceAccount
from windlass.kinds.node.v1 import RuntimeClass
from windlass.kinds.rbac.v1 import ClusterRole, ClusterRoleBinding
from windlass.operators.peerpod.capacity import Capacity, tell_nodes
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
    from collections.abc import Iterable

    from windlass.api import Resource, Selector

_PLACED: Final[tuple[type[Resource], ...]] = (Deployment, Secret, Service, ServiceAccount)
_SHARED: Final[tuple[type[Resource], ...]] = (ClusterRole, ClusterRoleBinding, MutatingWebhookConfiguration)
_WRITTEN: Final[tuple[type[Resource], ...]] = (DaemonSet, *_PLACED, *_SHARED, RuntimeClass)

_SOON: Final = timedelta(seconds=5)  # should the change not be one that wakes


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
        changed = await self._capacity.withdraw(ctx)
        if changed:
            return Result.waiting("NodesChanged", f"{changed[0]} changed while it was written", again=_SOON)
        await self._parts.no_adaptor(resource, ctx)
        await self._hook.remove(resource, ctx)
        await self._parts.no_runtime(ctx)
        return Result.ready()

    async def _settle(
        self, config: PeerPodConfig, report: Report, ctx: Context
    ) -> Result[PeerPodConfigStatus]:
        selector, limit = _selector(config), _limit(config)
        survey = await self._capacity.survey(config, selector, limit, ctx)
        contested = self._capacity.contested(config, survey.chosen, ctx.key)
        if contested:  # what is there already stays: it may be in use
            report.warns("Conflict", "Overlap", contested)
            report.lacks("NodesAdvertised", "Conflict", contested)
            return report.conclude()
        report.clears("Conflict", "NoOverlap")
        if config.spec.components.extended_resource:
            changed = await self._capacity.advertise(survey, ctx)
            tell_nodes(report, survey, changed, ctx)
        else:
            await self._capacity.withdraw(ctx)
            report.shares({}, {})
            report.turned_off("NodesAdvertised", "OverCommitted")
        await self._set_up(config, selector, report, ctx)
        return report.conclude()

    async def _set_up(self, config: PeerPodConfig, selector: Selector, report: Report, ctx: Context) -> None:
        """Have what is wanted beside the capacity of nodes, and nothing of what is not."""
        wanted = config.spec.components
        if wanted.daemon_set:
            await self._parts.adaptor(config, selector, report, ctx)
        else:
            await self._parts.no_adaptor(config, ctx)
            report.turned_off("SecretFound", "ConfigMapFound", "ProviderValid", "DaemonSetReady")
        if wanted.runtime_class:
            await self._parts.runtime(report, ctx)
        else:
            await self._parts.no_runtime(ctx)
            report.turned_off("RuntimeClassFound")
        if wanted.webhook:
            await self._hook.make(config, report, ctx)
        else:
            await self._hook.remove(config, ctx)
            report.turned_off("WebhookReady")

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
