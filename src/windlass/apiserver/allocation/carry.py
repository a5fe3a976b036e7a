"""What an update of a service may leave out, and what it gives up with its type."""

from __future__ import annotations

from typing import Any, Final

from windlass.apiserver.allocation.family import same

Spec = dict[str, Any]

_ON_NODES: Final = ("NodePort", "LoadBalancer")


def needs_address(spec: Spec) -> bool:
    """Whether a service has an address, or has said that it wants none."""
    return spec.get("type") != "ExternalName"


def needs_node_ports(spec: Spec) -> bool:
    """Whether the ports of a service are also ports of the nodes."""
    return spec.get("type") in _ON_NODES


def needs_health_port(spec: Spec) -> bool:
    """Whether nodes are asked on a port of its own whether they serve a service."""
    return spec.get("type") == "LoadBalancer" and spec.get("externalTrafficPolicy") == "Local"


def node_ports(spec: Spec) -> list[int]:
    """The ports of nodes that the ports of a service name."""
    return [port["nodePort"] for port in spec.get("ports") or () if port.get("nodePort")]


def assigns_node_ports(spec: Spec) -> bool:
    """Whether ports of a service that name no port of the nodes are given one."""
    if spec.get("type") == "LoadBalancer":
        return bool(spec.get("allocateLoadBalancerNodePorts", True))
    return spec.get("type") == "NodePort"


def carry_over(spec: Spec, old: Spec) -> None:
    """Put back what a service was given, where the update leaves it out: nobody should have to read first."""
    if needs_address(old) and needs_address(spec):
        for name in ("clusterIP", "clusterIPs"):
            if not spec.get(name) and old.get(name):
                spec[name] = old[name]
    if assigns_node_ports(old) and assigns_node_ports(spec):
        _carry_ports(spec, old)
    if needs_health_port(old) and needs_health_port(spec) and old.get("healthCheckNodePort"):
        spec.setdefault("healthCheckNodePort", old["healthCheckNodePort"])


def _carry_ports(spec: Spec, old: Spec) -> None:
    used = set(node_ports(old)) & set(node_ports(spec))
    by_name = {port.get("name", ""): port.get("nodePort", 0) for port in old.get("ports") or ()}
    for port in spec.get("ports") or ():
        before = by_name.get(port.get("name", ""), 0)
        if not port.get("nodePort") and before and before not in used:
            port["nodePort"] = before


def align_addresses(spec: Spec, old: Spec | None) -> None:
    """Let the list of addresses follow the single one, for those who know only that."""
    first, listed = spec.get("clusterIP", ""), spec.get("clusterIPs")
    if old is None:
        if first and not listed:
            spec["clusterIPs"] = [first]
        return
    before = old.get("clusterIP", "")
    if old.get("clusterIPs") and not listed and before == first:
        spec["clusterIPs"] = old["clusterIPs"]
    if before == first or not same(spec, old, "clusterIPs"):
        return
    if before and not first:
        spec.pop("clusterIPs", None)
    else:
        spec["clusterIPs"] = [first]


def drop_with_type(spec: Spec, old: Spec) -> None:
    """Remove what the new type has no use for, unless the update itself changes it."""
    if needs_address(old) and not needs_address(spec):
        if spec.get("clusterIP", "") == old.get("clusterIP", "") and same(spec, old, "clusterIPs"):
            spec.pop("clusterIP", None)
            spec.pop("clusterIPs", None)
        _drop_same(spec, old, "ipFamilies")
        _drop_same(spec, old, "ipFamilyPolicy")
    if needs_node_ports(old) and not needs_node_ports(spec) and set(node_ports(spec)) <= set(node_ports(old)):
        for port in spec.get("ports") or ():
            port.pop("nodePort", None)
    if needs_health_port(old) and not needs_health_port(spec):
        _drop_same(spec, old, "healthCheckNodePort")
    if old.get("type") == "LoadBalancer" != spec.get("type"):
        _drop_same(spec, old, "allocateLoadBalancerNodePorts")
        _drop_same(spec, old, "loadBalancerClass")
    if _is_reached_from_outside(old) and not _is_reached_from_outside(spec):
        _drop_same(spec, old, "externalTrafficPolicy")


def _drop_same(spec: Spec, old: Spec, name: str) -> None:
    if spec.get(name) == old.get(name):
        spec.pop(name, None)


def _is_reached_from_outside(spec: Spec) -> bool:
    return needs_node_ports(spec) or (spec.get("type") == "ClusterIP" and bool(spec.get("externalIPs")))
