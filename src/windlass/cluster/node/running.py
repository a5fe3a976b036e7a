"""Nodes of a cluster, as an operator of their own: they know the API alone, so that they run on any server."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Final

from windlass.client import Client, ClientOptions, WriteOptions
from windlass.cluster.node.keeper import NodeKeeper
from windlass.cluster.node.nodes import Nodes
from windlass.cluster.node.runner import PodRunner
from windlass.cluster.node.runtime import SimulatedRuntime
from windlass.manager import Manager, ManagerOptions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.aio import Clock
    from windlass.client import Transport

_NAME: Final = "kubelet"


@asynccontextmanager
async def nodes_running(
    transport: Transport, nodes: Nodes, *, clock: Clock | None = None, random: Random | None = None
) -> AsyncIterator[Nodes]:
    """Run nodes until the block is left; their objects stay."""
    client = Client(transport, ClientOptions(write=WriteOptions(field_manager=_NAME)))
    manager = Manager(client, ManagerOptions(name=_NAME), clock=clock, random=random or SystemRandom())
    add_to(manager, nodes)
    async with asyncio.TaskGroup() as group:
        running = group.create_task(manager.run())
        yield nodes
        running.cancel()


def add_to(manager: Manager, nodes: Nodes) -> None:
    """Have nodes run."""
    manager.add(NodeKeeper(nodes))
    manager.add(PodRunner(nodes, SimulatedRuntime(nodes)))
