from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.cluster.controller.volume.claim import ClaimController
from windlass.cluster.controller.volume.ephemeral import EphemeralVolumeController
from windlass.cluster.controller.volume.provisioner import (
    ClassController,
    ProvisionedVolumeController,
    ProvisioningController,
)
from windlass.cluster.controller.volume.volume import VolumeController
from windlass.reconcile import Channel

if TYPE_CHECKING:
    from windlass.manager import Manager


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
