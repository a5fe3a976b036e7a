from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.cluster import scheduler
from windlass.cluster.controller.garbage import GarbageCollector
from windlass.cluster.controller.job import JobController, JobLeftovers
from windlass.cluster.controller.namespace import NamespaceController
from windlass.cluster.controller.root_certificate import RootCertificatePublisher
from windlass.cluster.controller.service_account import ServiceAccountController
from windlass.cluster.controller.statefulset import StatefulSetController
from windlass.controller import ControllerOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.manager import Manager

_MANY: Final = ControllerOptions(workers=20)


def add_to(manager: Manager, root_certificate: Callable[[], str]) -> None:
    """Have all controllers of a cluster run.

    `root_certificate` returns the certificate of the authority that pods are to trust, as PEM text.
    """
    manager.add(GarbageCollector(manager.cache, manager.client), _MANY)
    manager.add(NamespaceController(manager.client))
    manager.add(ServiceAccountController())
    manager.add(RootCertificatePublisher(root_certificate))
    manager.add(StatefulSetController())
    manager.add(JobController())
    manager.add(JobLeftovers())
    scheduler.add_to(manager)
