# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import LabelSelector, Model, Resource

if TYPE_CHECKING:
    from windlass.kinds.rbac.v1.policy_rule import PolicyRule

__lazy__ = {
    "PolicyRule": "windlass.kinds.rbac.v1.policy_rule",
}


class AggregationRule(Model):
    cluster_role_selectors: list[LabelSelector] = []


class ClusterRole(Resource, group="rbac.authorization.k8s.io", version="v1", plural="clusterroles", namespaced=False):
    aggregation_rule: AggregationRule | None = None
    rules: "list[PolicyRule]" = []
