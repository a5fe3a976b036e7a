from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.cluster import scheduler
from windlass.cluster.controller import volume
from windlass.cluster.controller.account_token import AccountTokenController
from windlass.cluster.controller.cron_job import CronJobController
from windlass.cluster.controller.daemon_set import DaemonSetController
from windlass.cluster.controller.deployment import DeploymentController
from windlass.cluster.controller.disruption import DisruptionController
from windlass.cluster.controller.endpoints import EndpointsController, EndpointsLeftovers, EndpointsMirror
from windlass.cluster.controller.finished_job import FinishedJobController
from windlass.cluster.controller.garbage import GarbageCollector
from windlass.cluster.controller.job import JobController, JobLeftovers
from windlass.cluster.controller.namespace import NamespaceController
from windlass.cluster.controller.node_lifecycle import NodeLifecycle
from windlass.cluster.controller.pod_garbage import PodGarbageCollector
from windlass.cluster.controller.replica_set import ReplicaSetController
from windlass.cluster.controller.root_certificate import RootCertificatePublisher
from windlass.cluster.controller.service_account import ServiceAccountController
from windlass.cluster.controller.stateful_set import StatefulSetController
from windlass.controller import BreakerOptions, ControllerOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.manager import Manager

_MANY: Final = ControllerOptions(workers=20)
_COUNTING: Final = ControllerOptions(breaker=BreakerOptions(runs=1_000_000, writing_runs=1_000_000))
"""For what counts pods: it writes as often as they change, and that is no loop."""


def add_to(manager: Manager, root_certificate: Callable[[], str]) -> None:
    """Have all controllers of a cluster run.

    `root_certificate` returns the certificate of the authority that pods are to trust, as PEM text.
    """
    manager.add(GarbageCollector.watching(manager.cache, manager.client), _MANY)
    manager.add(NamespaceController(manager.client))
    manager.add(PodGarbageCollector())
    manager.add(FinishedJobController())
    manager.add(ServiceAccountController())
    manager.add(AccountTokenController(root_certificate))
    manager.add(RootCertificatePublisher(root_certificate))
    manager.add(ReplicaSetController(), _COUNTING)
    manager.add(DeploymentController(), _COUNTING)
    manager.add(NodeLifecycle())
    manager.add(StatefulSetController(), _COUNTING)
    manager.add(DaemonSetController(), _COUNTING)
    manager.add(DisruptionController(manager.client), _COUNTING)
    manager.add(JobController(), _COUNTING)
    manager.add(JobLeftovers())
    volume.add_to(manager)
    volume.add_provisioner_to(manager)
    manager.add(CronJobController())
    manager.add(EndpointsController(), _COUNTING)
    manager.add(EndpointsLeftovers())
    manager.add(EndpointsMirror())
    scheduler.add_to(manager)
