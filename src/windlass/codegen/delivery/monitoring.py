"""Where an operator's metrics are, and how Prometheus finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.codegen.delivery.workload import METRICS, labels, service_name

if TYPE_CHECKING:
    from windlass.api import Json

_TOKEN: Final = "/var/run/secrets/kubernetes.io/serviceaccount/token"  # noqa: S105 - where it lies


def metrics_service(operator: str, namespace: str) -> Json:
    """The Service in front of the metrics.

    Raises:
        ConfigError: the operator's name is too long for it.
    """
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {
            "name": service_name(operator, "controller-manager-metrics-service"),
            "namespace": namespace,
            "labels": labels(operator),
        },
        "spec": {
            "selector": labels(operator),
            "ports": [{"name": "metrics", "port": METRICS, "protocol": "TCP", "targetPort": "metrics"}],
        },
    }


def service_monitor(operator: str, namespace: str) -> Json:
    """What tells the Prometheus operator to read the metrics, with the token of Prometheus's own account.

    The operator signs its certificate itself, so that there is nothing to verify it with.
    """
    endpoint = {
        "port": "metrics",
        "path": "/metrics",
        "scheme": "https",
        "bearerTokenFile": _TOKEN,
        "tlsConfig": {"insecureSkipVerify": True},
    }
    return {
        "apiVersion": "monitoring.coreos.com/v1",
        "kind": "ServiceMonitor",
        "metadata": {
            "name": f"{operator}-controller-manager-metrics-monitor",
            "namespace": namespace,
            "labels": labels(operator),
        },
        "spec": {"selector": {"matchLabels": labels(operator)}, "endpoints": [endpoint]},
    }
