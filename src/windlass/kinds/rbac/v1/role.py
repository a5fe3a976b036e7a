# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Resource

if TYPE_CHECKING:
    from windlass.kinds.rbac.v1.policy_rule import PolicyRule

__lazy__ = {
    "PolicyRule": "windlass.kinds.rbac.v1.policy_rule",
}


class Role(Resource, group="rbac.authorization.k8s.io", version="v1", plural="roles"):
    rules: "list[PolicyRule]" = []
