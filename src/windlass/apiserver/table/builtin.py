"""Which built-in kind has which layout."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.table.layout import KindLayout, columns
from windlass.apiserver.table.text import name

if TYPE_CHECKING:
    from datetime import datetime

    from windlass.apiserver.table.layout import Layout

_WHERE: Final = {
    "/ComponentStatus": "cluster.COMPONENT_STATUS",
    "/ConfigMap": "cluster.CONFIG_MAP",
    "/Endpoints": "network.ENDPOINTS",
    "/Event": "cluster.EVENT",
    "/Namespace": "cluster.NAMESPACE",
    "/Node": "cluster.NODE",
    "/PersistentVolume": "storage.PERSISTENT_VOLUME",
    "/PersistentVolumeClaim": "storage.PERSISTENT_VOLUME_CLAIM",
    "/Pod": "pod.POD",
    "/PodTemplate": "workload.POD_TEMPLATE",
    "/ReplicationController": "workload.REPLICATION_CONTROLLER",
    "/ResourceQuota": "cluster.RESOURCE_QUOTA",
    "/Secret": "cluster.SECRET",
    "/Service": "network.SERVICE",
    "/ServiceAccount": "cluster.SERVICE_ACCOUNT",
    "admissionregistration.k8s.io/MutatingAdmissionPolicy": "policy.MUTATING_POLICY",
    "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding": "policy.POLICY_BINDING",
    "admissionregistration.k8s.io/MutatingWebhookConfiguration": "policy.WEBHOOK_CONFIGURATION",
    "admissionregistration.k8s.io/ValidatingAdmissionPolicy": "policy.VALIDATING_POLICY",
    "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": "policy.POLICY_BINDING",
    "admissionregistration.k8s.io/ValidatingWebhookConfiguration": "policy.WEBHOOK_CONFIGURATION",
    "apps/ControllerRevision": "workload.CONTROLLER_REVISION",
    "apps/DaemonSet": "workload.DAEMON_SET",
    "apps/Deployment": "workload.DEPLOYMENT",
    "apps/ReplicaSet": "workload.REPLICA_SET",
    "apps/StatefulSet": "workload.STATEFUL_SET",
    "autoscaling/HorizontalPodAutoscaler": "autoscaling.HORIZONTAL_POD_AUTOSCALER",
    "autoscaling/Scale": "autoscaling.SCALE",
    "batch/CronJob": "workload.CRON_JOB",
    "batch/Job": "workload.JOB",
    "coordination.k8s.io/Lease": "cluster.LEASE",
    "discovery.k8s.io/EndpointSlice": "network.ENDPOINT_SLICE",
    "events.k8s.io/Event": "cluster.EVENT",
    "networking.k8s.io/IPAddress": "network.IP_ADDRESS",
    "networking.k8s.io/Ingress": "network.INGRESS",
    "networking.k8s.io/IngressClass": "network.INGRESS_CLASS",
    "networking.k8s.io/NetworkPolicy": "network.NETWORK_POLICY",
    "networking.k8s.io/ServiceCIDR": "network.SERVICE_CIDR",
    "node.k8s.io/RuntimeClass": "cluster.RUNTIME_CLASS",
    "policy/PodDisruptionBudget": "policy.POD_DISRUPTION_BUDGET",
    "rbac.authorization.k8s.io/ClusterRoleBinding": "policy.ROLE_BINDING",
    "rbac.authorization.k8s.io/RoleBinding": "policy.ROLE_BINDING",
    "scheduling.k8s.io/PriorityClass": "cluster.PRIORITY_CLASS",
    "storage.k8s.io/CSIDriver": "storage.CSI_DRIVER",
    "storage.k8s.io/CSINode": "storage.CSI_NODE",
    "storage.k8s.io/StorageClass": "storage.STORAGE_CLASS",
    "storage.k8s.io/VolumeAttachment": "storage.VOLUME_ATTACHMENT",
    "storage.k8s.io/VolumeAttributesClass": "storage.VOLUME_ATTRIBUTES_CLASS",
}


@cache
def builtin_layout(group: str, kind: str) -> Layout:
    """The layout of a built-in kind; those without one of their own show their name and creation."""
    where = _WHERE.get(f"{group}/{kind}")
    if where is None:
        return PLAIN
    module, _, constant = where.partition(".")
    layout: Layout = getattr(import_module(f"windlass.apiserver.table.{module}"), constant)
    return layout


def _plain(obj: dict[str, Any], _now: datetime) -> list[Any]:
    # A Go time that was never set is that of the year 1.
    return [name(obj), obj["metadata"].get("creationTimestamp") or "0001-01-01T00:00:00Z"]


PLAIN: Final = KindLayout(columns("Name", "Created At:date"), _plain)
"""The layout of every built-in kind that has none of its own."""
