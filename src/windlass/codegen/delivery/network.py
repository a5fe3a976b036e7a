"""Which connections an operator's pod accepts: NetworkPolicies, under the names that kubebuilder gives them.

A pod that a policy selects accepts what some policy allows, and nothing else. Probes come from the pod's own
node and always pass. Outgoing connections are not limited: the address of the API server, and of what the
operator talks to outside, differs from cluster to cluster.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.codegen.delivery.workload import METRICS, WEBHOOKS, labels

if TYPE_CHECKING:
    from windlass.api import Json

METRICS_FROM: Final = {"metrics": "enabled"}
"""The label of the namespaces that metrics are read from, which kubebuilder's policies select too."""


def network_policies(operator: str, namespace: str, *, webhooks: bool) -> dict[str, Json]:
    """The policies of an operator's pod, by file name.

    Metrics may be read from pods of namespaces that are labelled for it. Webhooks accept connections from
    anywhere, since an API server is no pod that a policy could select.
    """
    metrics_from = [{"namespaceSelector": {"matchLabels": METRICS_FROM}}]
    policies = {
        "allow-metrics-traffic": _policy(operator, namespace, "allow-metrics-traffic", METRICS, metrics_from)
    }
    if webhooks:
        policies["allow-webhook-traffic"] = _policy(operator, namespace, "allow-webhook-traffic", WEBHOOKS)
    return {f"{name}.yaml": policy for name, policy in policies.items()}


def _policy(operator: str, namespace: str, name: str, port: int, sources: list[Json] | None = None) -> Json:
    ingress: dict[str, Any] = {"from": sources} if sources else {}
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": f"{operator}-{name}", "namespace": namespace, "labels": labels(operator)},
        "spec": {
            "podSelector": {"matchLabels": labels(operator)},
            "policyTypes": ["Ingress"],
            "ingress": [ingress | {"ports": [{"port": port, "protocol": "TCP"}]}],
        },
    }
