"""Puts onto nodes what they offer, and takes it away again."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from windlass.errors import Conflict, Invalid, NotFound, WindlassError
from windlass.kinds.core.v1 import Node
from windlass.operators.peerpod.machines import EVERY_NODE, Machine, Meter
from windlass.operators.peerpod.spread import repeat, spread

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from windlass.api import Key, Selector
    from windlass.client import JsonPatch, Patch
    from windlass.operators.peerpod.census import Census
    from windlass.operators.peerpod.options import PeerPodOptions
    from windlass.operators.peerpod.report import Report
    from windlass.operators.peerpod.spread import Spread
    from windlass.operators.peerpod.types import PeerPodConfig
    from windlass.reconcile import Context

_AT_ONCE: Final = 16


@dataclass(frozen=True)
class Survey:
    """What was found: all nodes, those that are selected, what pods take of each, what each is to offer."""

    machines: Mapping[str, Machine]
    chosen: Mapping[str, Machine]
    used: Mapping[str, int]
    spread: Spread


class Capacity:
    """What the nodes of a config offer."""

    def __init__(self, options: PeerPodOptions, census: Census) -> None:
        self.meter = Meter(options.resource)
        self._options = options
        self._census = census

    async def survey(self, config: PeerPodConfig, selector: Selector, limit: int, ctx: Context) -> Survey:
        """Look at the nodes and their pods, and decide."""
        machines = await self._machines(ctx)
        chosen = {name: each for name, each in machines.items() if self._is_chosen(each, selector)}
        used: Counter[str] = Counter()
        taken = await ctx.digests(self.meter.taken, index=self.meter.takers, value="pod")
        for node, count in taken.values():
            used[node] += count
        overrides = config.spec.per_node_overrides
        hosts = [each.host(name, used[name], overrides.get(name)) for name, each in chosen.items()]
        method = spread if config.spec.limit_mode == "Total" else repeat
        return Survey(machines, chosen, used, method(limit, hosts))

    def contested(self, config: PeerPodConfig, chosen: Mapping[str, Machine], own: Key) -> str:
        """Which node an older config has too, in a sentence; empty for none."""
        for elder, selector in self._census.elders(config, own):
            both = sorted(name for name, each in chosen.items() if selector.matches(each.labels))
            if both:
                more = f" and {len(both) - 1} more" if len(both) > 1 else ""
                return f"the PeerPodConfig {elder}, which is older, has the node {both[0]}{more}"
        return ""

    async def advertise(self, found: Survey, ctx: Context) -> list[str]:
        """Have each node offer its share, and each that is no longer selected offer nothing.

        Those that are to offer less come first, so that at no moment more is offered than before or after.
        Returns the nodes that changed or went meanwhile, as their watch is about to tell.

        Raises:
            WindlassError: some node could not be written; all others are.
        """
        mark, allocatable = str(ctx.key), self._options.allocatable
        less: dict[str, Patch] = dict(self._withdrawals(found.machines, mark, found.chosen))
        more: dict[str, Patch] = {}
        for name, machine in found.chosen.items():
            share = found.spread.shares[name]
            if not machine.is_kept and not self._offers(machine, share, mark):
                patch = self.meter.offer(machine.uid, mark, share, allocatable=allocatable)
                (less if share < (machine.advertised or 0) else more)[name] = patch
        return [*await _write(less, ctx), *await _write(more, ctx)]

    async def withdraw(self, ctx: Context) -> list[str]:
        """Have no node offer anything in the name of this config; returns those that changed meanwhile.

        Raises:
            WindlassError: some node could not be written; all others are.
        """
        return await _write(self._withdrawals(await self._machines(ctx), str(ctx.key), ()), ctx)

    async def _machines(self, ctx: Context) -> dict[str, Machine]:
        found = await ctx.digests(self.meter.machines, index=EVERY_NODE, value="node")
        return {key.name: machine for key, machine in found.items()}

    def _is_chosen(self, machine: Machine, selector: Selector) -> bool:
        barred = machine.is_going or (self._options.schedulable_only and not machine.is_open)
        return not barred and selector.matches(machine.labels)

    def _offers(self, machine: Machine, share: int, mark: str) -> bool:
        allocatable = share if self._options.allocatable else machine.allocatable
        said = (machine.config, machine.advertised, machine.allocatable)
        return said == (mark, share, allocatable)

    def _withdrawals(
        self, machines: Mapping[str, Machine], mark: str, except_for: Iterable[str]
    ) -> dict[str, JsonPatch]:
        spared = frozenset(except_for)
        return {
            name: self.meter.withdrawal(machine, allocatable=self._options.allocatable)
            for name, machine in machines.items()
            if machine.config == mark and name not in spared
        }


def tell_nodes(report: Report, survey: Survey, changed: Sequence[str], ctx: Context) -> None:
    """Tell what the nodes offer, and what is not as the limit says."""
    found = survey.spread
    report.shares(found.shares, survey.used)
    if changed:
        report.lacks("NodesAdvertised", "NodesChanged", f"{changed[0]} changed while it was written")
    elif found.unplaced:
        message = f"{found.unplaced} of the limit have no node: {len(found.shares)} nodes are selected"
        report.lacks("NodesAdvertised", "NoNodes", message)
    else:
        message = f"{len(found.shares)} nodes offer {found.total}"
        report.found("NodesAdvertised", message, reason="Advertised")
    beyond = f"{found.excess} more than the limit" if found.excess else "within the limit"
    if found.pinned:
        message = f"on {len(found.pinned)} nodes more is in use than their share; all nodes offer {beyond}"
        if report.warns("OverCommitted", "InUse", message):
            ctx.event("OverCommitted", message, warning=True)
    elif found.excess:
        report.warns("OverCommitted", "Overrides", f"all nodes offer {beyond}")
    else:
        report.clears("OverCommitted", "WithinLimit")


async def _write(patches: Mapping[str, Patch], ctx: Context) -> list[str]:
    """Write to many nodes at once, and return those that are not what they were taken for.

    A failure is raised when all have been tried.
    """
    waiting = iter(sorted(patches.items()))
    changed: list[str] = []
    failures: list[WindlassError] = []

    async def work() -> None:
        for name, patch in waiting:
            try:
                await ctx.patch(Node, name, patch, subresource="status")
            except (NotFound, Conflict, Invalid):  # it went, is another one, or another config has it
                changed.append(name)
            except WindlassError as error:
                failures.append(error)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(_AT_ONCE, len(patches))):
            group.create_task(work())
    if failures:
        raise failures[0]
    return changed
