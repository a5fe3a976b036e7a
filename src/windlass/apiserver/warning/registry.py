"""Which function warns of which kind."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Warn = Callable[[dict[str, Any], dict[str, Any] | None], Iterable[str]]

_ADMISSION: Final = "admissionregistration.k8s.io"
_WHERE: Final = {
    "/Endpoints": "network.endpoints",
    "/Node": "cluster.node",
    "/PersistentVolume": "storage.persistent_volume",
    "/PersistentVolumeClaim": "storage.persistent_volume_claim",
    "/Pod": "workload.pod",
    "/PodTemplate": "workload.pod_template",
    "/ReplicationController": "workload.replication_controller",
    "/ResourceQuota": "cluster.resource_quota",
    "/Secret": "secret.secret",
    "/Service": "network.service",
    "/ServiceAccount": "cluster.service_account",
    f"{_ADMISSION}/MutatingAdmissionPolicy": "cluster.admission",
    f"{_ADMISSION}/MutatingAdmissionPolicyBinding": "cluster.admission",
    f"{_ADMISSION}/MutatingWebhookConfiguration": "cluster.admission",
    f"{_ADMISSION}/ValidatingAdmissionPolicy": "cluster.admission",
    f"{_ADMISSION}/ValidatingAdmissionPolicyBinding": "cluster.admission",
    f"{_ADMISSION}/ValidatingWebhookConfiguration": "cluster.admission",
    "apps/DaemonSet": "workload.daemon_set",
    "apps/Deployment": "workload.named_workload",
    "apps/ReplicaSet": "workload.named_workload",
    "apps/StatefulSet": "workload.stateful_set",
    "batch/CronJob": "workload.cron_job",
    "batch/Job": "workload.job",
    "discovery.k8s.io/EndpointSlice": "network.endpoint_slice",
    "networking.k8s.io/Ingress": "network.ingress",
    "networking.k8s.io/NetworkPolicy": "network.network_policy",
    "node.k8s.io/RuntimeClass": "cluster.runtime_class",
    "storage.k8s.io/CSIDriver": "storage.csi_driver",
    "storage.k8s.io/CSIStorageCapacity": "storage.csi_storage_capacity",
    "storage.k8s.io/StorageClass": "storage.storage_class",
}


@cache
def warnings_for(kind: str) -> Warn | None:
    """What warns of the objects of a kind, named `group/Kind`."""
    where = _WHERE.get(kind)
    if where is None:
        return None
    module, _, function = where.partition(".")
    found: Warn = getattr(import_module(f"windlass.apiserver.warning.{module}"), function)
    return found
