"""An operator over HTTPS, on the embedded server and the real one, while the server and it itself are killed."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Protocol

import pytest

import renting
from operating import install
from polling import until
from program import running
from real import settled
from renting import OutsideOnDisk
from scenario import LEASE, Outside, Renting, Users
from widget import Widget
from windlass.client import Client, ClientOptions, connect, load_config
from windlass.manager import Manager, ManagerOptions
from windlass.testing import Faults, FaultyTransport, start_control_plane
from windlass.testing.embedded import EmbeddedControlPlane
from windlass.testing.namespace import create_namespace, delete_namespace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from windlass.testing import Access

pytestmark = pytest.mark.xdist_group("runtime")  # the servers are killed: nobody else may stand on them

PATIENCE = 45.0


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
    server: Server, world: World, faults: Faults | None = None
) -> AsyncIterator[tuple[FaultyTransport, Renting]]:
    """An operator that runs in this process until the end of the block."""
    async with connect(load_config(server.access.kubeconfig)) as opened:
        transport = FaultyTransport(opened.transport, faults or Faults(), random=Random(1))
        options = ManagerOptions(name=LEASE, namespaces=(world.namespace,))
        manager = Manager(Client(transport, ClientOptions()), options)
        reconciler = Renting(world.outside)
        manager.add(reconciler)
        async with asyncio.TaskGroup() as group:
            task = group.create_task(manager.run())
            yield transport, reconciler
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
