from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from windlass.cluster.controller.volume.claim import ClaimController
from windlass.cluster.controller.volume.ephemeral import EphemeralVolumeController
from windlass.cluster.controller.volume.provisioner import (
    ClassController,
    ProvisionedVolumeController,
    ProvisioningController,
)
from windlass.cluster.controller.volume.volume import VolumeController
from windlass.manager import Manager, ManagerOptions
from windlass.reconcile import Channel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Client

_NAME: Final = "simulated-storage"


def add_to(manager: Manager) -> None:
    """Have claims and volumes bound, protected and reclaimed."""
    freed = Channel()
    manager.add(ClaimController(freed))
    manager.add(VolumeController(freed))
    manager.add(EphemeralVolumeController())


def add_provisioner_to(manager: Manager) -> None:
    """Have a storage class `standard`, and volumes made for its claims."""
    manager.add(ClassController())
    manager.add(ProvisioningController())
    manager.add(ProvisionedVolumeController())


@asynccontextmanager
async def provisioner_running(client: Client) -> AsyncIterator[None]:
    """Run the provisioner beside the controllers of any cluster, as a driver, until the block is left."""
    manager = Manager(client, ManagerOptions(name=_NAME))
    add_provisioner_to(manager)
    async with asyncio.TaskGroup() as group:
        running = group.create_task(manager.run())
        yield
        running.cancel()
