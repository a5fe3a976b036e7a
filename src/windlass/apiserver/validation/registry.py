"""Which module knows the rules of which built-in kind; a module is loaded when its kind is first written."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.meta import METADATA, validate_prefix
from windlass.apiserver.validation.names import dns_label, dns_subdomain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from windlass.schema import Fault

    Check = Callable[[dict[str, Any], dict[str, Any] | None], Iterable[Fault]]

_MODULES: Final[dict[str, str]] = {
    "/Binding": "binding",
    "/ConfigMap": "config_map",
    "/Endpoints": "endpoints",
    "/Event": "event",
    "/LimitRange": "limit_range",
    "/Namespace": "namespace",
    "/Node": "node",
    "/PersistentVolume": "persistent_volume",
    "/PersistentVolumeClaim": "persistent_volume_claim",
    "/Pod": "pod",
    "/PodTemplate": "pod_template",
    "/ReplicationController": "replication_controller",
    "/ResourceQuota": "resource_quota",
    "/Secret": "secret",
    "/Service": "service",
    "/ServiceAccount": "service_account",
    "admissionregistration.k8s.io/MutatingAdmissionPolicy": "mutating_policy",
    "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding": "mutating_policy_binding",
    "admissionregistration.k8s.io/MutatingWebhookConfiguration": "webhook",
    "admissionregistration.k8s.io/ValidatingAdmissionPolicy": "admission_policy",
    "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": "admission_policy_binding",
    "admissionregistration.k8s.io/ValidatingWebhookConfiguration": "webhook",
    "apps/ControllerRevision": "controller_revision",
    "apps/DaemonSet": "daemon_set",
    "apps/Deployment": "deployment",
    "apps/ReplicaSet": "replica_set",
    "apps/StatefulSet": "stateful_set",
    "authentication.k8s.io/TokenRequest": "token_request",
    "authorization.k8s.io/LocalSubjectAccessReview": "local_access_review",
    "authorization.k8s.io/SelfSubjectAccessReview": "self_access_review",
    "authorization.k8s.io/SubjectAccessReview": "access_review",
    "autoscaling/HorizontalPodAutoscaler": "autoscaler",
    "autoscaling/Scale": "scale",
    "batch/CronJob": "cron_job",
    "batch/Job": "job",
    "coordination.k8s.io/Lease": "lease",
    "discovery.k8s.io/EndpointSlice": "endpoint_slice",
    "events.k8s.io/Event": "new_event",
    "networking.k8s.io/IPAddress": "ip_address",
    "networking.k8s.io/Ingress": "ingress",
    "networking.k8s.io/IngressClass": "ingress_class",
    "networking.k8s.io/NetworkPolicy": "network_policy",
    "networking.k8s.io/ServiceCIDR": "service_cidr",
    "node.k8s.io/RuntimeClass": "runtime_class",
    "policy/PodDisruptionBudget": "disruption_budget",
    "rbac.authorization.k8s.io/ClusterRole": "cluster_role",
    "rbac.authorization.k8s.io/ClusterRoleBinding": "cluster_role_binding",
    "rbac.authorization.k8s.io/Role": "role",
    "rbac.authorization.k8s.io/RoleBinding": "role_binding",
    "scheduling.k8s.io/PriorityClass": "priority_class",
    "storage.k8s.io/CSIDriver": "csi_driver",
    "storage.k8s.io/CSINode": "csi_node",
    "storage.k8s.io/CSIStorageCapacity": "csi_storage_capacity",
    "storage.k8s.io/StorageClass": "storage_class",
    "storage.k8s.io/VolumeAttachment": "volume_attachment",
    "storage.k8s.io/VolumeAttributesClass": "volume_attributes_class",
}
"""`group/Kind` (the core group is empty: `/Pod`) to the module under `windlass.apiserver.validation`."""

_NAMED_AGAIN: Final = frozenset(
    {
        "/ConfigMap",
        "/Endpoints",
        "/LimitRange",
        "/Namespace",
        "/Node",
        "/PersistentVolume",
        "/PersistentVolumeClaim",
        "/Pod",
        "/Secret",
        "/ServiceAccount",
        "admissionregistration.k8s.io/MutatingAdmissionPolicy",
        "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding",
        "admissionregistration.k8s.io/MutatingWebhookConfiguration",
        "admissionregistration.k8s.io/ValidatingAdmissionPolicy",
        "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding",
        "admissionregistration.k8s.io/ValidatingWebhookConfiguration",
        "apps/ControllerRevision",
        "batch/Job",
        "discovery.k8s.io/EndpointSlice",
        "networking.k8s.io/Ingress",
        "networking.k8s.io/IngressClass",
        "node.k8s.io/RuntimeClass",
        "storage.k8s.io/CSINode",
        "storage.k8s.io/CSIStorageCapacity",
        "storage.k8s.io/StorageClass",
        "storage.k8s.io/VolumeAttachment",
        "storage.k8s.io/VolumeAttributesClass",
    }
)
"""Kinds whose updates are checked like new objects, names included."""


def validate(kind: str, obj: dict[str, Any], old: dict[str, Any] | None, subresource: str) -> Iterable[Fault]:
    """What is wrong with an object of a built-in kind, `group/Kind`; on an update, also beside the old one.

    The object is decoded and defaulted. A module gives `validate(obj, old)`, and for writes of `/status`
    `validate_status(obj, old)` where that differs.
    """
    if kind not in _MODULES:
        return ()
    check = _check(kind, subresource)
    found = check(obj, old) if check else ()
    if old is not None and not subresource and obj["metadata"].get("generateName"):
        return (*_prefix_faults(kind, obj), *found)
    return found


@cache
def _check(kind: str, subresource: str) -> Check | None:
    """What checks the objects of a kind, or what writes to a subresource leave of them."""
    module = import_module(f"windlass.apiserver.validation.{_MODULES[kind]}")
    found: Check | None = getattr(module, f"validate_{subresource}" if subresource else "validate", None)
    return found


def _prefix_faults(kind: str, obj: dict[str, Any]) -> Iterable[Fault]:
    """What an update finds wrong with a generateName, which has long been of no use."""
    if kind not in _NAMED_AGAIN:
        return ()
    rule = dns_label if kind == "/Namespace" else dns_subdomain
    return validate_prefix(obj["metadata"], METADATA, rule)
