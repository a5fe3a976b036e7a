from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.cluster.controller import volume
from windlass.cluster.controller.daemonset import DaemonSetController
from windlass.cluster.controller.statefulset import StatefulSetController

if TYPE_CHECKING:
    from windlass.manager import Manager


def add_to(manager: Manager) -> None:
    """Have all controllers of a cluster run."""
    manager.add(StatefulSetController())
    manager.add(DaemonSetController())
    volume.add_to(manager)
    volume.add_provisioner_to(manager)
