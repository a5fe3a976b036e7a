"""What the built-in kinds have in common with some, but not with all: flags by kind.

A kind is named `group/Kind`, as everywhere in these tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_ADMISSION: Final = "admissionregistration.k8s.io"
_POLICIES: Final = frozenset(
    f"{_ADMISSION}/{kind}"
    for kind in (
        "MutatingAdmissionPolicy",
        "MutatingAdmissionPolicyBinding",
        "MutatingWebhookConfiguration",
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
        "ValidatingWebhookConfiguration",
    )
)

UNCOLLECTED: Final = frozenset({"/Event", "events.k8s.io/Event"})
"""Kinds that never have dependents: how a deletion treats those means nothing."""

SCALED: Final = frozenset({"apps/Deployment", "apps/ReplicaSet", "apps/StatefulSet"})
"""Kinds whose number of replicas Go always has: where nothing is set it is zero, not absent."""

COUNTED: Final = _POLICIES | {
    "/Pod",
    "/PodTemplate",
    "/ReplicationController",
    "apiextensions.k8s.io/CustomResourceDefinition",
    "apps/DaemonSet",
    "apps/Deployment",
    "apps/ReplicaSet",
    "apps/StatefulSet",
    "batch/CronJob",
    "batch/Job",
    "discovery.k8s.io/EndpointSlice",
    "networking.k8s.io/Ingress",
    "networking.k8s.io/IngressClass",
    "networking.k8s.io/NetworkPolicy",
    "policy/PodDisruptionBudget",
    "scheduling.k8s.io/PriorityClass",
}
"""Kinds whose changes are counted in `metadata.generation`, from 1."""

CONDITIONAL: Final = _POLICIES | {
    "apiextensions.k8s.io/CustomResourceDefinition",
    "coordination.k8s.io/Lease",
    "node.k8s.io/RuntimeClass",
    "policy/PodDisruptionBudget",
    "storage.k8s.io/CSIDriver",
    "storage.k8s.io/CSINode",
    "storage.k8s.io/CSIStorageCapacity",
    "storage.k8s.io/VolumeAttachment",
}
"""Kinds whose updates must name the version that they are meant for."""

UPSERTED: Final = frozenset(
    {
        "/Endpoints",
        "/Event",
        "/LimitRange",
        "/Service",
        "coordination.k8s.io/Lease",
        "events.k8s.io/Event",
        "node.k8s.io/RuntimeClass",
        "rbac.authorization.k8s.io/ClusterRole",
        "rbac.authorization.k8s.io/ClusterRoleBinding",
        "rbac.authorization.k8s.io/Role",
        "rbac.authorization.k8s.io/RoleBinding",
    }
)
"""Kinds of which an update creates what is missing."""

RETURNED: Final = frozenset(
    {
        "/Namespace",
        "/PersistentVolume",
        "/PersistentVolumeClaim",
        "/Pod",
        "/PodTemplate",
        "/ResourceQuota",
        "/Service",
        "/ServiceAccount",
        "storage.k8s.io/CSIDriver",
        "storage.k8s.io/CSINode",
        "storage.k8s.io/StorageClass",
        "storage.k8s.io/VolumeAttachment",
        "storage.k8s.io/VolumeAttributesClass",
    }
)
"""Kinds of which a delete answers with the object."""

ORPHANING: Final = frozenset({"/ReplicationController", "batch/Job"})
"""Kinds whose dependents outlive them unless a delete says otherwise."""

_OWNED: Final = "metadata.managedFields.*.fieldsV1"
_CLAIMS: Final = f"spec.volumes.*.ephemeral.volumeClaimTemplate.{_OWNED}"
_IN_TEMPLATE: Final = (f"spec.template.{_OWNED}", f"spec.template.{_CLAIMS}")

RAW: Final[Mapping[str, tuple[str, ...]]] = {
    "/Pod": (_CLAIMS,),
    "/PodTemplate": (f"template.{_OWNED}", f"template.{_CLAIMS}"),
    "/ReplicationController": _IN_TEMPLATE,
    "apps/ControllerRevision": ("data",),
    "apps/DaemonSet": _IN_TEMPLATE,
    "apps/Deployment": _IN_TEMPLATE,
    "apps/ReplicaSet": _IN_TEMPLATE,
    "apps/StatefulSet": (*_IN_TEMPLATE, f"spec.volumeClaimTemplates.*.{_OWNED}"),
    "batch/CronJob": (
        f"spec.jobTemplate.{_OWNED}",
        *(f"spec.jobTemplate.{place}" for place in _IN_TEMPLATE),
    ),
    "batch/Job": _IN_TEMPLATE,
}
"""Where Go takes any JSON though the schema says object; nobody owns fields of what holds something else."""

DEPRECATED: Final[Mapping[str, str]] = {
    "/ComponentStatus": "v1 ComponentStatus is deprecated in v1.19+",
    "/Endpoints": "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
}
"""Kinds that nobody should use any more, with the warning that every answer about them carries."""
