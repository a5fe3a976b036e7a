"""An operator with something to lose, and a cluster that makes it hard for it.

For each Widget it rents a thing outside the cluster, once, keeps a ConfigMap, reads a Secret, and gives the thing
back in the end. `Scenario` has it run by one or several managers over ways that can break, in virtual time, and
tells whether everything came out right.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

from operating import install
from widget import Widget, WidgetSpec, WidgetStatus
from windlass.aio import ManualClock
from windlass.api import ObjectMeta
from windlass.client import Client, ClientOptions, MergePatch, Retry
from windlass.cluster import Cluster
from windlass.kinds.core.v1 import ConfigMap, Secret
from windlass.manager import Manager, ManagerOptions
from windlass.reconcile import Context, Reconciler, Result, Watch
from windlass.testing import CALM, FaultyTransport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from windlass.client import Transport
    from windlass.controller import ControllerOptions
    from windlass.testing import Faults

RENTING, RENTED = "renting", "rented"
NAMESPACE = "default"
_TURNS = 30
_STEP = timedelta(milliseconds=250)
_PATIENCE = timedelta(hours=1)


class Outside:
    """A service that rents things out: who has one, and how often each was asked for and given back."""

    def __init__(self) -> None:
        self.rented: set[str] = set()
        self.rents: Counter[str] = Counter()
        self.returns: Counter[str] = Counter()

    async def rent(self, uid: str) -> None:
        """Rent one more thing, whether or not there is one already."""
        await asyncio.sleep(0)
        self.rents[uid] += 1
        self.rented.add(uid)
        await asyncio.sleep(0)

    async def give_back(self, uid: str) -> None:
        """Give back what was rented, if anything was."""
        await asyncio.sleep(0)
        if uid in self.rented:
            self.rented.discard(uid)
            self.returns[uid] += 1


class Renting(Reconciler[Widget]):
    """Rents a thing for each Widget once, by an intent that is written down first."""

    owns = (ConfigMap,)
    reads = (Watch(Secret, by=lambda widget: widget.spec.secret_name),)
    finalizer = "test.windlass.dev/rented"

    def __init__(self, outside: Outside) -> None:
        self.outside = outside
        self.runs = 0

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        """Rent, then keep a ConfigMap that says what is wanted."""
        self.runs += 1
        name = resource.spec.secret_name
        if name and await ctx.get(Secret, name) is None:
            return Result.waiting("SecretMissing", f"no Secret {name}")
        if resource.status.note != RENTED:
            await self._rent(resource, ctx)
        await ctx.apply(config_map(resource))
        await ctx.prune()
        return Result.ready(WidgetStatus(size=resource.spec.size, note=RENTED))

    async def finalize(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        """Give the thing back; once more is no fault."""
        await ctx.effect("give back", lambda: self.outside.give_back(resource.metadata.uid))
        return Result.ready()

    async def _rent(self, widget: Widget, ctx: Context) -> None:
        uid = widget.metadata.uid
        if widget.status.note == RENTING and uid in self.outside.rented:
            return  # an earlier run came so far, and no further
        if widget.status.note != RENTING:
            await ctx.checkpoint(WidgetStatus(note=RENTING))
        await ctx.effect("rent", lambda: self.outside.rent(uid))


def config_map(widget: Widget) -> ConfigMap:
    """What a Widget wants."""
    color = {"color": widget.spec.color} if widget.spec.color else {}
    data = {"size": str(widget.spec.size), **color}
    return ConfigMap(metadata=ObjectMeta(name=f"{widget.metadata.name}-map"), data=data)


@dataclass
class Operator:
    """One process of the operator: its way to the server, and the manager at the end of it."""

    transport: FaultyTransport
    manager: Manager
    reconciler: Renting
    task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Run it."""
        self.task = asyncio.create_task(self.manager.run())

    async def ended(self) -> None:
        """Wait until it has ended."""
        if self.task is not None:
            await asyncio.wait([self.task])


@dataclass
class Scenario:
    """A cluster, its user, and the processes of an operator on it. Time passes when the test says so."""

    cluster: Cluster
    clock: ManualClock = field(default_factory=ManualClock)
    outside: Outside = field(default_factory=Outside)
    seed: int = 1
    operators: list[Operator] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.user = Client(self.cluster.transport())
        self._random = Random(self.seed)

    def operator(
        self,
        faults: Faults = CALM,
        *,
        options: ManagerOptions | None = None,
        controller: ControllerOptions | None = None,
        wrap: Callable[[Transport], Transport] = lambda transport: transport,
    ) -> Operator:
        """One more process of the operator, which does not run yet."""
        number = len(self.operators)
        seed = self.seed * 100 + number
        transport = FaultyTransport(
            wrap(self.cluster.transport()), faults, clock=self.clock, random=Random(seed)
        )
        retry = Retry(clock=self.clock, random=Random(seed + 1))
        client = Client(transport, ClientOptions(retry=retry))
        chosen = options or ManagerOptions(name="renter", drain=timedelta(seconds=5))
        manager = Manager(client, chosen, clock=self.clock, random=Random(seed + 2))
        reconciler = Renting(self.outside)
        manager.add(reconciler, controller)
        operator = Operator(transport, manager, reconciler)
        self.operators.append(operator)
        return operator

    async def stop(self) -> None:
        """End every process, by force where it takes long."""
        tasks = [each.task for each in self.operators if each.task is not None]
        while not all(task.done() for task in tasks):
            for task in tasks:
                task.cancel()
            await self.pass_time()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def make(self, count: int, prefix: str = "w", **spec: Any) -> None:
        """Create Widgets, as a user does."""
        for number in range(count):
            metadata = ObjectMeta(name=f"{prefix}{number}", namespace=NAMESPACE)
            await self.user.create(Widget(metadata=metadata, spec=WidgetSpec(**{"size": number, **spec})))

    async def change_some(self, share: float = 0.2, **spec: Any) -> None:
        """Change some of the Widgets, chosen by chance."""
        for widget in await self.user.list(Widget, NAMESPACE):
            if self._random.random() < share and not widget.metadata.deletion_timestamp:
                wanted = spec or {"size": self._random.randrange(1000)}
                name = widget.metadata.name
                await self.user.patch(Widget, name, MergePatch({"spec": wanted}), NAMESPACE)

    async def delete_some(self, share: float = 0.1) -> None:
        """Delete some of the Widgets, chosen by chance."""
        for widget in await self.user.list(Widget, NAMESPACE):
            if self._random.random() < share:
                await self.user.delete(Widget, widget.metadata.name, NAMESPACE)

    async def pass_time(self, time: timedelta = timedelta(seconds=1)) -> None:
        """Let time go by in small steps, with enough turns in each for what it brings about."""
        for _ in range(time // _STEP):
            await self.clock.advance(_STEP)
            for _ in range(_TURNS):
                await asyncio.sleep(0)

    async def until(self, condition: Callable[[], Awaitable[object]]) -> None:
        """Let time go by until something is so; what it still says after an hour fails the test."""
        deadline = self.clock.monotonic() + _PATIENCE.total_seconds()
        while wrong := await condition():
            assert self.clock.monotonic() < deadline, f"still {wrong}"
            await self.pass_time()

    async def converged(self) -> None:
        """Wait until everything is as the Widgets say, and nothing was done twice that must be done once."""
        await self.until(self.wrong)
        assert {uid: count for uid, count in self.outside.rents.items() if count != 1} == {}
        assert {uid: count for uid, count in self.outside.returns.items() if count != 1} == {}

    async def wrong(self) -> list[str]:
        """Everything that is not as it should be."""
        widgets = {each.metadata.name: each for each in await self.user.list(Widget, NAMESPACE)}
        maps = {each.metadata.name: each.data for each in await self.user.list(ConfigMap, NAMESPACE)}
        wanted = {f"{name}-map": config_map(widget).data for name, widget in widgets.items()}
        uids = {each.metadata.uid for each in widgets.values()}
        found = [f"{name} is not ready" for name, widget in widgets.items() if not is_fresh(widget)]
        found += [f"{name} is {maps.get(name)}" for name in wanted if maps.get(name) != wanted[name]]
        found += [f"{uid} has nothing" for uid in uids - self.outside.rented]
        found += [f"{uid} is still rented" for uid in self.outside.rented - uids]
        return found


def is_fresh(widget: Widget) -> bool:
    """Whether a Widget is reported as ready, and the report is about what it says now."""
    status = widget.status
    ready = {each.type: each.status for each in status.conditions}.get("Ready") == "True"
    of_this = status.observed_generation == widget.metadata.generation
    return ready and of_this and (status.size, status.note) == (widget.spec.size, RENTED)


@asynccontextmanager
async def scenario(seed: int = 1) -> AsyncIterator[Scenario]:
    """A cluster with the Widgets' definition; whatever runs on it is ended with the block."""
    async with Cluster() as cluster:
        made = Scenario(cluster, seed=seed)
        await install(made.user, Widget)
        try:
            yield made
        finally:
            await made.stop()
