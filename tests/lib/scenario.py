"""An operator with something to lose, and a cluster that makes it hard for it.

For each Widget it rents a thing outside the cluster, once, keeps a ConfigMap, reads a Secret, and gives the thing
back in the end. `Scenario` has it run by one or several managers over ways that can break, in virtual time, and
tells whether everything came out right.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from operating import install
from widget import Widget, WidgetSpec, WidgetStatus
from windlass.aio import ManualClock
from windlass.api import ObjectMeta
from windlass.apiserver import World
from windlass.client import Client, ClientOptions, MergePatch, Retry, Transport
from windlass.cluster import Cluster, ClusterOptions
from windlass.kinds.coordination.v1 import Lease
from windlass.kinds.core.v1 import ConfigMap, Secret
from windlass.manager import Manager, ManagerOptions
from windlass.reconcile import Context, Reconciler, Result, Watch
from windlass.testing import CALM, FaultyTransport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from contextlib import AbstractAsyncContextManager

    from windlass.client import Request, Response, Stream
    from windlass.controller import ControllerOptions
    from windlass.testing import Faults

LEASE = "renter"
OPERATOR = "operator"
ELECTED = ManagerOptions(name=LEASE, leader_elect=True, lease_namespace="default", drain=timedelta(seconds=5))
RENTING, RENTED = "renting", "rented"
NAMESPACE = "default"
A_SECOND = timedelta(seconds=1)
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


class Witness(Transport):
    """Stands at the server's door: who writes must hold the lease at that instant, by what the server knows.

    `writes` are those that arrived, `intruders` those of them that came from somebody else.
    """

    def __init__(
        self, transport: Transport, namespace: str = NAMESPACE, *, admin: Transport | None = None
    ) -> None:
        self._transport = transport
        self._admin = Client(admin or transport)
        self._namespace = namespace
        self.identity = ""
        self.writes: list[str] = []
        self.intruders: list[str] = []

    @override
    async def send(self, request: Request) -> Response:
        if request.method != "GET" and "/leases" not in request.path:
            self.writes.append(str(request))
            lease = await self._admin.get(Lease, LEASE, self._namespace)
            if lease.spec.holder_identity != self.identity:
                self.intruders.append(f"{request} by {self.identity}, not {lease.spec.holder_identity}")
        return await self._transport.send(request)

    @override
    def stream(self, request: Request) -> AbstractAsyncContextManager[Stream]:
        return self._transport.stream(request)

    @override
    async def close(self) -> None:
        await self._transport.close()


@dataclass
class Operator:
    """One process of the operator: its way to the server, and the manager at the end of it."""

    transport: FaultyTransport
    manager: Manager
    reconciler: Renting
    witness: Witness
    task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Run it."""
        self.task = asyncio.create_task(self.manager.run())

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended."""
        return self.task is not None and not self.task.done()


class Users:
    """Those who want things: they make, change and delete Widgets, and see what comes of it."""

    def __init__(self, client: Client, namespace: str, outside: Outside, seed: int) -> None:
        self.user = client
        self.namespace = namespace
        self.outside = outside
        self.seed = seed
        self._random = Random(seed)

    async def make(self, count: int, prefix: str = "w", **spec: Any) -> None:
        """Create Widgets."""
        for number in range(count):
            metadata = ObjectMeta(name=f"{prefix}{number}", namespace=self.namespace)
            await self.user.create(Widget(metadata=metadata, spec=WidgetSpec(**{"size": number, **spec})))

    async def change_some(self, share: float = 0.2, **spec: Any) -> None:
        """Change some of the Widgets, chosen by chance."""
        for widget in await self.user.list(Widget, self.namespace):
            if self._random.random() < share and not widget.metadata.deletion_timestamp:
                wanted = spec or {"size": self._random.randrange(1000)}
                name = widget.metadata.name
                await self.user.patch(Widget, name, MergePatch({"spec": wanted}), self.namespace)

    async def label(self, name: str, value: str) -> None:
        """Change a label of a Widget, as somebody does who does not know when to stop."""
        patch = MergePatch({"metadata": {"labels": {"l": value}}})
        await self.user.patch(Widget, name, patch, self.namespace)

    async def delete_some(self, share: float = 0.1) -> None:
        """Delete some of the Widgets, chosen by chance."""
        for widget in await self.user.list(Widget, self.namespace):
            if self._random.random() < share:
                await self.user.delete(Widget, widget.metadata.name, self.namespace)

    async def wrong(self) -> list[str]:
        """Everything that is not as it should be."""
        widgets = {each.metadata.name: each for each in await self.user.list(Widget, self.namespace)}
        maps = {each.metadata.name: each.data for each in await self.user.list(ConfigMap, self.namespace)}
        wanted = {f"{name}-map": config_map(widget).data for name, widget in widgets.items()}
        uids = {each.metadata.uid for each in widgets.values()}
        rented = set(self.outside.rented)
        found = [f"{name} is not ready" for name, widget in widgets.items() if not is_fresh(widget)]
        found += [f"{name} is {maps.get(name)}" for name in wanted if maps.get(name) != wanted[name]]
        found += [f"{uid} has nothing" for uid in uids - rented]
        found += [f"{uid} is still rented" for uid in rented - uids]
        return found

    def check_once(self) -> None:
        """Nothing was done twice that must be done once."""
        assert {uid: count for uid, count in self.outside.rents.items() if count != 1} == {}
        assert {uid: count for uid, count in self.outside.returns.items() if count != 1} == {}


class Scenario(Users):
    """A cluster, its users, and the processes of an operator on it. Time passes when the test says so."""

    def __init__(self, cluster: Cluster, clock: ManualClock, seed: int) -> None:
        super().__init__(Client(cluster.transport()), NAMESPACE, Outside(), seed)
        self.cluster = cluster
        self.clock = clock
        self.operators: list[Operator] = []

    def operator(
        self,
        faults: Faults = CALM,
        *,
        options: ManagerOptions | None = None,
        reconciler: Renting | None = None,
        controller: ControllerOptions | None = None,
    ) -> Operator:
        """One more process of the operator, which does not run yet."""
        seed = self.seed * 100 + len(self.operators)
        witness = Witness(self.cluster.transport(OPERATOR), admin=self.cluster.transport())
        inner = witness if options and options.leader_elect else self.cluster.transport(OPERATOR)
        transport = FaultyTransport(inner, faults, clock=self.clock, random=Random(seed))
        retry = Retry(clock=self.clock, random=Random(seed + 1))
        client = Client(transport, ClientOptions(retry=retry))
        chosen = options or ManagerOptions(name=LEASE, drain=5 * A_SECOND)
        manager = Manager(client, chosen, clock=self.clock, random=Random(seed + 2))
        witness.identity = manager.election.identity if manager.election else ""
        reconciler = reconciler or Renting(self.outside)
        manager.add(reconciler, controller)
        operator = Operator(transport, manager, reconciler, witness)
        self.operators.append(operator)
        return operator

    def run(self, manager: Manager) -> None:
        """Run a manager that was made elsewhere until the end."""
        transport = FaultyTransport(self.cluster.transport())
        witness = Witness(transport)
        self.operators.append(Operator(transport, manager, Renting(self.outside), witness))
        self.operators[-1].start()

    async def stop(self, *operators: Operator) -> None:
        """End processes as SIGTERM does, all of them unless some are named; by force where it takes long."""
        tasks = [each.task for each in operators or self.operators if each.task is not None]
        while not all(task.done() for task in tasks):
            for task in tasks:
                task.cancel()
            await self.pass_time(10 * A_SECOND)
        for task in tasks:
            if not task.cancelled():
                task.result()  # nothing but the stop may have ended it

    async def kill(self, operator: Operator) -> None:
        """End a process as SIGKILL does: what it sent arrives, and nothing that it does after that."""
        operator.transport.partition("refused")
        await self.stop(operator)

    async def pass_time(self, time: timedelta = A_SECOND) -> None:
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
            await self.pass_time(5 * A_SECOND)

    async def converged(self) -> None:
        """Wait until everything is as the Widgets say, and nothing was done twice that must be done once."""
        await self.until(self.wrong)
        self.check_once()


def is_fresh(widget: Widget) -> bool:
    """Whether a Widget is reported as ready, and the report is about what it says now."""
    status = widget.status
    ready = {each.type: each.status for each in status.conditions}.get("Ready") == "True"
    of_this = status.observed_generation == widget.metadata.generation
    return ready and of_this and (status.size, status.note) == (widget.spec.size, RENTED)


@asynccontextmanager
async def scenario(seed: int = 1) -> AsyncIterator[Scenario]:
    """A cluster with the Widgets' definition; whatever runs on it is ended with the block."""
    clock = ManualClock()
    world = World(chance=Random(seed), clock=clock)
    async with Cluster(ClusterOptions(world=world, users={OPERATOR: ("system:masters",)})) as cluster:
        made = Scenario(cluster, clock, seed)
        await install(made.user, Widget)
        try:
            yield made
        finally:
            await made.stop()
