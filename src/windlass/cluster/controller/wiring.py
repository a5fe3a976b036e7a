from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.cluster import scheduler
from windlass.cluster.controller import volume
from windlass.cluster.controller.cron_job import CronJobController
from windlass.cluster.controller.daemonset import DaemonSetController
from windlass.cluster.controller.deployment import DeploymentController
from windlass.cluster.controller.disruption import DisruptionController
from windlass.cluster.controller.endpoints import EndpointsController, EndpointsLeftovers
from windlass.cluster.controller.finished_job import FinishedJobController
from windlass.cluster.controller.garbage import GarbageCollector
from windlass.cluster.controller.job import JobController, JobLeftovers
from windlass.cluster.controller.namespace import NamespaceController
from windlass.cluster.controller.node_lifecycle import NodeLifecycle
from windlass.cluster.controller.pod_garbage import PodGarbageCollector
from windlass.cluster.controller.replica_set import ReplicaSetController
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
    manager.add(GarbageCollector.watching(manager.cache, manager.client), _MANY)
    manager.add(NamespaceController(manager.client))
    manager.add(PodGarbageCollector(manager.cache))
    manager.add(FinishedJobController())
    manager.add(ServiceAccountController())
    manager.add(RootCertificatePublisher(root_certificate))
    manager.add(ReplicaSetController())
    manager.add(DeploymentController())
    manager.add(NodeLifecycle())
    manager.add(StatefulSetController())
    manager.add(DaemonSetController())
    manager.add(DisruptionController(manager.client))
    manager.add(JobController())
    manager.add(JobLeftovers())
    volume.add_to(manager)
    volume.add_provisioner_to(manager)
    manager.add(CronJobController())
    manager.add(EndpointsController())
    manager.add(EndpointsLeftovers())
    scheduler.add_to(manager)
