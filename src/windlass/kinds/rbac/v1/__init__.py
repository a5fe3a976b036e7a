"""The kinds of rbac/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.rbac.v1.cluster_role import AggregationRule as AggregationRule
    from windlass.kinds.rbac.v1.cluster_role import ClusterRole as ClusterRole
    from windlass.kinds.rbac.v1.cluster_role_binding import ClusterRoleBinding as ClusterRoleBinding
    from windlass.kinds.rbac.v1.policy_rule import PolicyRule as PolicyRule
    from windlass.kinds.rbac.v1.role import Role as Role
    from windlass.kinds.rbac.v1.role_binding import RoleBinding as RoleBinding
    from windlass.kinds.rbac.v1.role_ref import RoleRef as RoleRef
    from windlass.kinds.rbac.v1.subject import Subject as Subject

__lazy__ = {
    "AggregationRule": "windlass.kinds.rbac.v1.cluster_role",
    "ClusterRole": "windlass.kinds.rbac.v1.cluster_role",
    "ClusterRoleBinding": "windlass.kinds.rbac.v1.cluster_role_binding",
    "PolicyRule": "windlass.kinds.rbac.v1.policy_rule",
    "Role": "windlass.kinds.rbac.v1.role",
    "RoleBinding": "windlass.kinds.rbac.v1.role_binding",
    "RoleRef": "windlass.kinds.rbac.v1.role_ref",
    "Subject": "windlass.kinds.rbac.v1.subject",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
