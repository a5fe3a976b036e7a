"""Services, endpoints, ingresses and network policies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.warning.address import odd_address, odd_range

if TYPE_CHECKING:
    from collections.abc import Iterator

Object = dict[str, Any]

_HINTS: Final = "service.kubernetes.io/topology-aware-hints"
_MODE: Final = "service.kubernetes.io/topology-mode"
_INGRESS_CLASS: Final = "kubernetes.io/ingress.class"
_BY_CONTROLLERS: Final = ("endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io")


def service(obj: Object, _old: Object | None) -> Iterator[str]:
    """Fields that are ignored beside others, or that nobody should use."""
    spec = obj.get("spec", {})
    kind, headless = spec.get("type"), spec.get("clusterIP") == "None" and spec.get("type") == "ClusterIP"
    external = spec.get("externalIPs") or ()
    if _HINTS in (obj["metadata"].get("annotations") or {}):
        yield f"annotation {_HINTS} is deprecated, please use {_MODE} instead"
    for index, address in enumerate(spec.get("clusterIPs") or ()):
        yield from odd_address(address, f"spec.clusterIPs[{index}]")
    if headless:
        yield from _ignored_when_headless(spec)
    for index, address in enumerate(external):
        yield from odd_address(address, f"spec.externalIPs[{index}]")
    if external and not headless and kind != "ExternalName":
        yield "spec.externalIPs is deprecated and may no longer be implemented in some clusters"
    if spec.get("loadBalancerIP"):
        yield from odd_address(spec["loadBalancerIP"], "spec.loadBalancerIP")
    for index, each in enumerate(spec.get("loadBalancerSourceRanges") or ()):
        yield from odd_range(each, f"spec.loadBalancerSourceRanges[{index}]")
    yield from _ignored_by_type(spec)
    if spec.get("trafficDistribution") == "PreferClose":
        yield 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'


def _ignored_when_headless(spec: Object) -> Iterator[str]:
    if spec.get("loadBalancerIP"):
        yield "spec.loadBalancerIP is ignored for headless services"
    if spec.get("externalIPs"):
        yield "spec.externalIPs is ignored for headless services"
    if spec.get("sessionAffinity") != "None":
        yield "spec.SessionAffinity is ignored for headless services"


def _ignored_by_type(spec: Object) -> Iterator[str]:
    if spec.get("type") == "ExternalName":
        if spec.get("externalIPs"):
            yield 'spec.externalIPs is ignored when spec.type is "ExternalName"'
    elif spec.get("externalName"):
        yield 'spec.externalName is ignored when spec.type is not "ExternalName"'


def endpoints(obj: Object, _old: Object | None) -> Iterator[str]:
    """Addresses that are oddly written, unless it was a controller."""
    labels = obj["metadata"].get("labels") or {}
    if labels.get("endpoints.kubernetes.io/managed-by") == "endpoint-controller":
        return
    for index, subset in enumerate(obj.get("subsets") or ()):
        for field in ("addresses", "notReadyAddresses"):
            for at, each in enumerate(subset.get(field) or ()):
                yield from odd_address(each.get("ip", ""), f"subsets[{index}].{field}[{at}].ip")


def endpoint_slice(obj: Object, old: Object | None) -> Iterator[str]:
    """Names in the place of addresses, and addresses that are oddly written."""
    if old is None and obj.get("addressType") == "FQDN":
        yield "spec.addressType: FQDN endpoints are deprecated"
    labels = obj["metadata"].get("labels") or {}
    if labels.get("endpointslice.kubernetes.io/managed-by") in _BY_CONTROLLERS:
        return
    for index, endpoint in enumerate(obj.get("endpoints") or ()):
        for at, address in enumerate(endpoint.get("addresses") or ()):
            yield from odd_address(address, f"endpoints[{index}].addresses[{at}]")


def ingress(obj: Object, old: Object | None) -> Iterator[str]:
    """A class that is named where it was named of old."""
    named = _INGRESS_CLASS in (obj["metadata"].get("annotations") or {})
    if old is None and named and "ingressClassName" not in obj.get("spec", {}):
        yield f"annotation \"{_INGRESS_CLASS}\" is deprecated, please use 'spec.ingressClassName' instead"


def network_policy(obj: Object, _old: Object | None) -> Iterator[str]:
    """Ranges that are oddly written."""
    for side, peers in (("ingress", "from"), ("egress", "to")):
        for index, rule in enumerate(obj.get("spec", {}).get(side) or ()):
            for at, peer in enumerate(rule.get(peers) or ()):
                block = peer.get("ipBlock")
                if block is None:
                    continue
                path = f"spec.{side}[{index}].{peers}[{at}].ipBlock"
                yield from odd_range(block.get("cidr", ""), f"{path}.cidr")
                for number, each in enumerate(block.get("except") or ()):
                    yield from odd_range(each, f"{path}.except[{number}]")
