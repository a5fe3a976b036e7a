"""An operator over HTTPS, on the embedded server and the real one, while the server and it itself are killed."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

import pytest

import renting
from applying import CHILDREN, Applying
from operating import install
from polling import until
from program import running
from real import settled
from renting import OutsideOnDisk
from scenario import LEASE, Outside, Renting, Users, Witness
from widget import Widget, WidgetSpec, WidgetStatus
from windlass.api import ObjectMeta
from windlass.client import Client, ClientOptions, connect, load_config
from windlass.kinds.core.v1 import ConfigMap
from windlass.manager import Manager, ManagerOptions
from windlass.reconcile import Context, Reconciler, Result
from windlass.testing import (
    CALM,
    Faults,
    FaultyTransport,
    RecordingTransport,
    assert_settled,
    start_control_plane,
)
from windlass.testing.embedded import EmbeddedControlPlane
from windlass.testing.namespace import create_namespace, delete_namespace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

    from windlass.client import Transport
    from windlass.testing import Access

pytestmark = pytest.mark.xdist_group("runtime")  # the servers are killed: nobody else may stand on them

PATIENCE = 45.0
LONG = 150.0
MANY = 10_000


class Server(Protocol):
    """What can be done to a server."""

    access: Access

    def kill(self) -> None: ...
    def restart(self) -> None: ...
    def compact(self) -> None: ...
    def stop(self) -> None: ...


@pytest.fixture(scope="module", params=["embedded", "real"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server that is these tests' alone."""
    request.getfixturevalue("control_plane")  # without one asked for, skip
    made: Server = EmbeddedControlPlane() if request.param == "embedded" else start_control_plane()
    asyncio.run(_prepare(made.access))
    yield made
    made.stop()


async def _prepare(access: Access) -> None:
    async with connect(load_config(access.kubeconfig)) as client:
        await install(client, Widget)


class World(Users):
    """The users of a namespace, who have a connection of their own, and what the operator does for them."""

    async def converged(self) -> None:
        """Wait until everything is as the Widgets say, and nothing was done twice that must be done once."""
        await until(self._told, lambda wrong: not wrong, every=0.2, patience=PATIENCE)
        self.check_once()

    async def _told(self) -> list[str]:
        if isinstance(self.outside, OutsideOnDisk):
            self.outside.read()
        return await self.wrong()


@pytest.fixture
async def world(server: Server) -> AsyncIterator[World]:
    """Users in a namespace of their own."""
    namespace = create_namespace(server.access)
    async with settled(), connect(load_config(server.access.kubeconfig)) as client:
        yield World(client, namespace, Outside(), 1)
    delete_namespace(server.access, namespace)


@asynccontextmanager
async def operating(
    server: Server, world: World, faults: Faults = CALM
) -> AsyncIterator[tuple[FaultyTransport, Renting]]:
    """The operator that rents, in this process, until the end of the block."""
    reconciler = Renting(world.outside)
    async with managing(server, world, reconciler, faults) as (_, _, transport):
        yield transport, reconciler


@asynccontextmanager
async def managing(
    server: Server, world: World, reconciler: Reconciler[Any], faults: Faults = CALM
) -> AsyncIterator[tuple[Manager, RecordingTransport, FaultyTransport]]:
    """A manager with one reconciler, in this process, until the end of the block."""
    async with connect(load_config(server.access.kubeconfig)) as opened:
        transport = FaultyTransport(opened.transport, faults, random=Random(1))
        recorded = RecordingTransport(transport)
        options = ManagerOptions(name=LEASE, namespaces=(world.namespace,))
        manager = Manager(Client(recorded, ClientOptions()), options)
        manager.add(reconciler)
        async with asyncio.TaskGroup() as group:
            task = group.create_task(manager.run())
            yield manager, recorded, transport
            task.cancel()


async def test_a_server_that_is_killed_and_restarted_in_the_middle(server: Server, world: World) -> None:
    await world.make(200)
    async with operating(server, world) as (_, reconciler):
        for done in (20, 120):
            await rented(world.outside, done)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.restart)
            await world.change_some(0.1)
            await world.delete_some(0.02)

        await world.converged()

        assert reconciler.runs >= 200


class Sizing(Reconciler[Widget]):
    """Tells the size of each Widget."""

    def __init__(self) -> None:
        self.runs = 0

    async def reconcile(self, resource: Widget, ctx: Context) -> Result[WidgetStatus]:
        self.runs += 1
        return Result.ready(WidgetStatus(size=resource.spec.size))


@pytest.mark.timeout(240)  # ten thousand objects have to be made first
@pytest.mark.parametrize("server", ["real"], indirect=True)
async def test_ten_thousand_reconciles_with_the_server_killed_in_the_middle(
    server: Server, world: World
) -> None:
    numbers = iter(range(MANY))

    async def make() -> None:
        for number in numbers:
            metadata = ObjectMeta(name=f"w{number}", namespace=world.namespace)
            await world.user.create(Widget(metadata=metadata, spec=WidgetSpec(size=number)))

    await asyncio.gather(*(make() for _ in range(40)))
    reconciler = Sizing()
    async with managing(server, world, reconciler) as (manager, _, _):
        await until(_answer(lambda: reconciler.runs >= MANY // 3), patience=LONG)
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.restart)

        def is_done() -> bool:
            idle = all(not len(each.queue) + each.queue.running for each in manager.controllers)
            return reconciler.runs >= MANY and idle and not manager.controllers[0].queue.delayed

        await until(_answer(is_done), every=0.1, patience=LONG)

    found = await world.user.list(Widget, world.namespace)
    assert len(found) == MANY
    assert [each.metadata.name for each in found if each.status.size != each.spec.size] == []


async def test_watches_cut_every_second_and_a_tenth_of_the_requests_failing(
    server: Server, world: World
) -> None:
    faults = Faults(
        conflict=0.03, busy=0.01, throttled=0.01, failed=0.03, lost=0.02, cut_every=timedelta(seconds=1)
    )
    async with operating(server, world, faults) as (transport, _):
        await world.make(60)
        for _ in range(4):
            await world.change_some(0.2)
            await world.delete_some(0.02)
            await cut_again(transport)

        await world.converged()

        assert len(transport.log) > 20


async def test_a_history_that_is_compacted_while_the_operator_is_away(server: Server, world: World) -> None:
    async with operating(server, world) as (transport, _):
        await world.make(30)
        await world.converged()
        transport.partition()
        await world.change_some(0.3)
        await world.delete_some(0.2)
        await asyncio.to_thread(server.compact)
        await asyncio.to_thread(server.restart)
        await world.make(5, "late")
        transport.heal()

        await world.converged()


@pytest.mark.parametrize("child", CHILDREN)
async def test_another_pass_over_what_a_server_writes_in_its_own_way_makes_no_call(
    server: Server, world: World, child: str
) -> None:
    reconciler = Applying(*CHILDREN[child])
    async with managing(server, world, reconciler) as (manager, recorded, _):
        await world.make(1)
        await until(_answer(lambda: reconciler.runs > 0))
        before = reconciler.runs

        await assert_settled(manager, recorded)

        assert reconciler.runs > before


async def test_a_field_that_is_no_longer_wanted_goes_away(server: Server, world: World) -> None:
    async with operating(server, world):
        await world.make(1, color="red")
        await world.converged()
        assert (await world.user.get(ConfigMap, "w0-map", world.namespace)).data["color"] == "red"

        await world.change_some(1, color=None)
        await world.converged()

        assert (await world.user.get(ConfigMap, "w0-map", world.namespace)).data == {"size": "0"}


class Process:
    """One of several that stand for election, each with its own way to the server."""

    def __init__(self, transport: Transport, world: World) -> None:
        self.witness = Witness(transport, world.namespace)
        self.transport = FaultyTransport(self.witness)
        options = ManagerOptions(
            name=LEASE,
            namespaces=(world.namespace,),
            leader_elect=True,
            lease_namespace=world.namespace,
        )
        self.manager = Manager(Client(self.transport), options)
        self.manager.add(Renting(world.outside))
        assert self.manager.election is not None
        self.witness.identity = self.manager.election.identity


async def test_a_leader_that_is_cut_off_is_followed_and_writes_nothing_when_it_comes_back(
    server: Server, world: World
) -> None:
    config = load_config(server.access.kubeconfig)
    async with connect(config) as one, connect(config) as two, asyncio.TaskGroup() as group:
        pair = [Process(each.transport, world) for each in (one, two)]
        tasks = [group.create_task(each.manager.run()) for each in pair]
        await world.make(20)
        await world.converged()
        first, second = sorted(pair, key=lambda each: not each.manager.is_leading)
        first.transport.partition("silent")
        await world.change_some(0.5)
        await until(_answer(lambda: second.manager.is_leading), patience=PATIENCE)
        first.transport.heal()
        await world.delete_some()
        await world.converged()

        assert not first.manager.is_leading
        assert [each.witness.intruders for each in pair] == [[], []]
        assert all(each.witness.writes for each in pair)
        for task in tasks:
            task.cancel()


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM], ids=lambda end: end.name)
async def test_an_operator_that_is_ended_in_the_middle_and_started_again(
    server: Server, world: World, end: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "rents"
    outside = OutsideOnDisk(file)
    world.outside = outside
    monkeypatch.setenv("RENTS", str(file))
    monkeypatch.setenv("PYTHONPATH", str(Path(renting.__file__).parent))
    command = (
        str(Path(sys.executable).with_name("windlass")), "run", renting.__file__,
        "--kubeconfig", str(server.access.kubeconfig), "--namespace", world.namespace,
        "--health-probe-bind-address", "0", "--metrics-bind-address", "0",
    )  # fmt: skip
    await world.make(200)
    for done in (10, 80):
        async with running(*command) as operator:
            await rented(outside, done)
            operator.kill(end)
            assert await operator.ended() == (0 if end is signal.SIGTERM else -end)
        outside.read()
        assert len(outside.rents) < 200, "it was not in the middle of anything"
    async with running(*command):
        await world.converged()


async def rented(outside: Outside, count: int) -> None:
    """Wait until so many things were rented."""

    async def so_far() -> int:
        if isinstance(outside, OutsideOnDisk):
            outside.read()
        return len(outside.rents)

    await until(so_far, count.__le__, patience=PATIENCE)


async def cut_again(transport: FaultyTransport) -> None:
    """Wait until streams were cut once more."""
    before = transport.count("cut")

    async def cuts() -> int:
        return transport.count("cut")

    await until(cuts, before.__lt__)


def _answer(condition: Callable[[], bool]) -> Callable[[], Awaitable[bool]]:
    async def ask() -> bool:
        return condition()

    return ask
