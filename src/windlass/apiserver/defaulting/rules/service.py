"""Services. Their addresses and ports of nodes are given elsewhere."""

from __future__ import annotations

from typing import Any, Final

_THREE_HOURS: Final = 10800
_WITH_ADDRESS: Final = (None, "", "ClusterIP", "NodePort", "LoadBalancer")


def affinity(service: dict[str, Any]) -> None:
    """Sessions stick to a client for three hours; without such sessions there is nothing to configure."""
    spec = service.setdefault("spec", {})
    sticky = spec.get("sessionAffinity")
    if sticky in (None, "", "None"):
        spec.pop("sessionAffinityConfig", None)
    elif sticky == "ClientIP":
        given = (spec.get("sessionAffinityConfig") or {}).get("clientIP") or {}
        if "timeoutSeconds" not in given:
            spec["sessionAffinityConfig"] = {"clientIP": {"timeoutSeconds": _THREE_HOURS}}


def target_ports(service: dict[str, Any]) -> None:
    """A port leads to the port of the same number."""
    for port in service.setdefault("spec", {}).get("ports") or ():
        if not port.get("targetPort"):
            port["targetPort"] = port.get("port", 0)


def traffic(service: dict[str, Any]) -> None:
    """Traffic may go to any endpoint: that from outside, where there is such, and that from inside."""
    spec = service.setdefault("spec", {})
    form = spec.get("type")
    outside = form in ("NodePort", "LoadBalancer") or (
        form in (None, "", "ClusterIP") and spec.get("externalIPs")
    )
    if outside and not spec.get("externalTrafficPolicy"):
        spec["externalTrafficPolicy"] = "Cluster"
    if form in _WITH_ADDRESS:
        spec.setdefault("internalTrafficPolicy", "Cluster")


def load_balancer(service: dict[str, Any]) -> None:
    """A load balancer uses ports of nodes, and its addresses are those that clients see."""
    spec = service.setdefault("spec", {})
    if spec.get("type") != "LoadBalancer":
        return
    spec.setdefault("allocateLoadBalancerNodePorts", True)
    for entry in service.get("status", {}).get("loadBalancer", {}).get("ingress") or ():
        if entry.get("ip"):
            entry.setdefault("ipMode", "VIP")


RULES: Final = {"io.k8s.api.core.v1.Service": (affinity, target_ports, traffic, load_balancer)}
