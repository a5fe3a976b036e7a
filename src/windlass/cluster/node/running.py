"""Nodes as an operator of their own: they know the API alone, so that they run on any server."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Final

from windlass.aio import Clock, SystemClock
from windlass.client import Client, ClientOptions, WriteOptions
from windlass.cluster.node.gateway import Gateway
from windlass.cluster.node.keeper import NodeKeeper
from windlass.cluster.node.kubelet import NodeKubelet
from windlass.cluster.node.outfit import ApiAddress, Outfitter
from windlass.cluster.node.runner import PodRunner
from windlass.cluster.node.runtime import Runtime
from windlass.manager import Manager, ManagerOptions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from windlass.client import Request, Transport
    from windlass.cluster.node.nodes import Nodes
    from windlass.pki import KeyPair

_NAME: Final = "kubelet"


@asynccontextmanager
async def nodes_running(
    transport: Transport, nodes: Nodes, surroundings: Surroundings | None = None
) -> AsyncIterator[NodeKubelet]:
    """Run nodes until the block is left, which is given what answers for their pods; their objects stay."""
    around = surroundings or Surroundings()
    client = Client(transport, ClientOptions(write=WriteOptions(field_manager=_NAME), on_warning=_ignored))
    manager = Manager(client, ManagerOptions(name=_NAME), clock=around.clock, random=around.random)
    runtime = Runtime(nodes, Outfitter(nodes, client, around.server), around.clock)
    manager.add(NodeKeeper(nodes))
    manager.add(PodRunner(nodes, runtime))
    kubelet = NodeKubelet(nodes, runtime, client)
    gateway = Gateway(kubelet, client, around.random)
    async with (
        runtime.processes.open(),
        _served(kubelet, nodes, around),
        gateway.served(around.gateway) if around.gateway else nullcontext(),
        asyncio.TaskGroup() as group,
    ):
        running = group.create_task(manager.run())
        yield kubelet
        running.cancel()


@asynccontextmanager
async def _served(kubelet: NodeKubelet, nodes: Nodes, around: Surroundings) -> AsyncIterator[None]:
    """Serve the kubelet on a port, if somebody is to find it there, and let the nodes know the port."""
    if around.certificate is None:
        yield
        return
    from windlass.cluster.kubelet import KubeletServer

    authority, clock = around.client_authority, around.clock
    async with KubeletServer(kubelet, around.certificate, authority=authority, clock=clock) as server:
        nodes.port = server.port
        yield


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """What nodes have of the world.

    `clock`, `random`: time and chance.
    `server`: where programs find the API server.
    `certificate`: what the kubelet is served with on a port, for an API server of another process; those who
    ask are known by `client_authority`.
    `gateway`: the Unix socket at which a kube-apiserver of this machine finds pods and Services.
    """

    clock: Clock = field(default_factory=SystemClock)
    random: Random = field(default_factory=SystemRandom)
    server: ApiAddress | None = None
    certificate: KeyPair | None = None
    client_authority: str = ""
    gateway: Path | None = None


def _ignored(_: Request, __: str) -> None:
    """Nodes do what people asked for, who were warned of it."""
