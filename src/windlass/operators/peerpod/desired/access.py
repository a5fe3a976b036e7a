"""Under which name the cloud-api-adaptor runs, and what it may do."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from windlass.codegen import manager_roles
from windlass.kinds.core.v1 import Node, Pod, Secret, ServiceAccount
from windlass.kinds.rbac.v1 import ClusterRole, ClusterRoleBinding
from windlass.operators.peerpod.desired.mark import metadata
from windlass.operators.peerpod.types import PeerPod
from windlass.reconcile import Rule

ACCOUNT: Final = "cloud-api-adaptor"
ADAPTOR_RULES: Final = tuple(
    replace(rule, cluster_wide=True)
    for rule in (
        *(Rule.on(kind, "get", "list") for kind in (Pod, Secret, ServiceAccount)),
        Rule.on(PeerPod, "create", "patch", "update"),
        Rule.on(PeerPod, "update", subresource="finalizers"),
        Rule.on(Node, "get", "patch"),
        Rule.on(Node, "patch", subresource="status"),
    )
)
"""What the cloud-api-adaptor needs, in all namespaces. Who grants it has to have it."""


def service_account(namespace: str) -> ServiceAccount:
    """The account of the cloud-api-adaptor."""
    return ServiceAccount.from_wire({"metadata": metadata(ACCOUNT, namespace)})


def role_name(namespace: str, name: str) -> str:
    """What the role and its binding are called; `name` is the one that the options give."""
    return f"{name}-{ACCOUNT}-{namespace}"


def role(namespace: str, name: str) -> ClusterRole:
    """What the cloud-api-adaptor may do."""
    (made,) = manager_roles("", ADAPTOR_RULES)
    return ClusterRole.from_wire({"metadata": metadata(role_name(namespace, name)), "rules": made["rules"]})


def role_binding(namespace: str, name: str) -> ClusterRoleBinding:
    """Who may do it."""
    called = role_name(namespace, name)
    return ClusterRoleBinding.from_wire(
        {
            "metadata": metadata(called),
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": called},
            "subjects": [{"kind": "ServiceAccount", "name": ACCOUNT, "namespace": namespace}],
        }
    )
