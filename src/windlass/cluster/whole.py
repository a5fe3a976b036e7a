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

_NAME: Final = "kube-controller-manager"


@asynccontextmanager
async def controllers_running(
    transport: Transport, world: World, root_certificate: Callable[[], str]
) -> AsyncIterator[Manager]:
    """Run the controllers of a cluster, in its time, until the block is left."""
    import asyncio

    options = ClientOptions(write=WriteOptions(field_manager=_NAME), on_warning=_ignored)
    client = Client(transport, options)
    chance = Random(world.chance.getrandbits(64))  # noqa: S311 - of delays and names, no secrets
    manager = Manager(client, ManagerOptions(name=_NAME), clock=world.clock, random=chance)
    add_to(manager, root_certificate)
    async with asyncio.TaskGroup() as group:
        running = group.create_task(manager.run())
        yield manager
        running.cancel()


def _ignored(_: Request, __: str) -> None:
    """Controllers watch every kind, those that one is warned of too."""
