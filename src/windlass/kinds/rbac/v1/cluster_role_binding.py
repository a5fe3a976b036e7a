# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Resource

if TYPE_CHECKING:
    from windlass.kinds.rbac.v1.role_ref import RoleRef
    from windlass.kinds.rbac.v1.subject import Subject

__lazy__ = {
    "RoleRef": "windlass.kinds.rbac.v1.role_ref",
    "Subject": "windlass.kinds.rbac.v1.subject",
}


class ClusterRoleBinding(Resource, group="rbac.authorization.k8s.io", version="v1", plural="clusterrolebindings", namespaced=False):
    role_ref: "RoleRef"
    subjects: "list[Subject]" = []
