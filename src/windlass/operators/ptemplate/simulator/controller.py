from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.client import MergePatch
from windlass.kinds.core.v1 import Node
from windlass.operators.ptemplate.kmm import (
    Module,
    ModuleStatus,
    NodeCounts,
    plugin_label,
    ready_label,
)
from windlass.reconcile import Context, Follow, Reconciler, Result, Rule, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Change, Json, Key
    from windlass.manager import Manager

OPERATOR: Final = "kmm-simulator"
_DEVICES: Final = re.compile(r"max_dev=(\d+)")


class ModuleSimulator(Reconciler[Module]):
    """Loads each Module at once on every node that it selects, as far as the cluster can tell.

    `resource` is what device plugins call the devices. A node has as many as the parameters `max_dev` of all
    Modules that select it say together, so that two of them agree about it.
    """

    finalizer = "kmm.node.kubernetes.io/simulated-module"
    rules = (Rule.on(Node, "patch"), Rule.on(Node, "patch", subresource="status"))

    def __init__(self, resource: str = "example.com/ptemplate") -> None:
        self._resource = resource
        self._modules: set[Key] = set()
        self.reads = (Watch(Node, to=lambda _: sorted(self._modules)),)
        self.follows = (Follow(Module, self._see),)

    @override
    async def reconcile(self, resource: Module, ctx: Context) -> Result[ModuleStatus]:
        count = await self._spread(ctx, resource)
        counts = NodeCounts(
            nodes_matching_selector_number=count, desired_number=count, available_number=count
        )
        return Result.ready(ModuleStatus(module_loader=counts, device_plugin=counts))

    @override
    async def finalize(self, resource: Module, ctx: Context) -> Result[ModuleStatus]:
        await self._spread(ctx, None)
        return Result.ready()

    def _see(self, change: Change[Module]) -> None:
        (self._modules.discard if change.new is None else self._modules.add)(change.key)

    async def _spread(self, ctx: Context, module: Module | None) -> int:
        """Label the nodes that a Module selects, and no others; tells how many that are."""
        loaded = [each for each in await ctx.list(Module) if each.metadata.deletion_timestamp is None]
        count = 0
        for node in await ctx.list(Node):
            selected = module is not None and _selects(module, node)
            count += selected
            if selected or ready_label(ctx.key) in node.metadata.labels:
                devices = sum(_devices(each) for each in loaded if _selects(each, node))
                await self._advertise(node, str(devices) if devices else None, ctx)
                await self._label(node, "" if selected else None, ctx)  # last: it tells what is left to do
        return count

    async def _label(self, node: Node, value: str | None, ctx: Context) -> None:
        labels = dict.fromkeys((ready_label(ctx.key), plugin_label(ctx.key)), value)
        await ctx.patch(Node, node.metadata.name, MergePatch({"metadata": {"labels": labels}}))

    async def _advertise(self, node: Node, devices: str | None, ctx: Context) -> None:
        amount: Json = {self._resource: devices}
        patch = MergePatch({"status": {"capacity": amount, "allocatable": amount}})
        await ctx.patch(Node, node.metadata.name, patch, subresource="status")


def _selects(module: Module, node: Node) -> bool:
    return module.spec.selector.items() <= node.metadata.labels.items()


def _devices(module: Module) -> int:
    """How many devices the module makes; one, if it is not told."""
    loader = module.spec.module_loader
    parameters: Iterable[str] = loader.container.modprobe.parameters if loader else ()
    found = (_DEVICES.fullmatch(each) for each in parameters)
    return next((int(each[1]) for each in found if each), 1)


def add_to(manager: Manager) -> None:
    """Stand in for KMM."""
    manager.add(ModuleSimulator())
