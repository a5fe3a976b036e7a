"""What makes a cluster of an API server: controllers, a scheduler and nodes."""

from __future__ import annotations

from contextlib import asynccontextmanager
from random import Random
from typing import TYPE_CHECKING, Final

from windlass.client import Client, ClientOptions, WriteOptions
from windlass.cluster.controller import add_to
from windlass.manager import Manager, ManagerOptions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from windlass.apiserver import World
    from windlass.client import Request, Transport
    from windlass.cluster.node import ApiAddress, NodeOptions, Nodes

_NAME: Final = "kube-controller-manager"


@asynccontextmanager
async def controllers_running(
    transport: Transport, world: World, root_certificate: Callable[[], str]
) -> AsyncIterator[Manager]:
    """Run the controllers of a cluster, in its time, until the block is left."""
    import asyncio

    options = ClientOptions(write=WriteOptions(field_manager=_NAME), on_warning=_ignored)
    client = Client(transport, options)
    manager = Manager(client, ManagerOptions(name=_NAME), clock=world.clock, random=_chance(world))
    add_to(manager, root_certificate)
    async with asyncio.TaskGroup() as group:
        running = group.create_task(manager.run())
        yield manager
        running.cancel()


def _ignored(_: Request, __: str) -> None:
    """Controllers watch every kind, those that one is warned of too."""


@asynccontextmanager
async def simulated_nodes(
    transport: Transport, world: World, options: NodeOptions, server: ApiAddress | None = None
) -> AsyncIterator[Nodes]:
    """Run simulated nodes, in the time and on the network of the cluster, until the block is left."""
    from windlass.cluster.node import Nodes, Surroundings, nodes_running

    nodes = Nodes(options, network=world.network)
    around = Surroundings(clock=world.clock, random=_chance(world), server=server)
    async with nodes_running(transport, nodes, around) as kubelet:
        nodes.answer(kubelet)
        yield nodes


def _chance(world: World) -> Random:
    return Random(world.chance.getrandbits(64))  # noqa: S311 - of delays and names, no secrets
