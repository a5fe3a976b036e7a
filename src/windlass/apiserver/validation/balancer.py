"""What a Service and an Ingress say of the balancer in front of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.address import validate_address
from windlass.apiserver.validation.meta import METADATA
from windlass.apiserver.validation.names import dns_subdomain, label_key
from windlass.apiserver.validation.network import read_address, validate_range
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    Object = Mapping[str, Any]

_SPEC: Final = Path("spec")
_POINTS: Final = Path("status").child("loadBalancer", "ingress")
_MODES: Final = ("Proxy", "VIP")
_RANGES: Final = "service.beta.kubernetes.io/load-balancer-source-ranges"
_ONLY_BALANCERS: Final = "may only be used when `type` is 'LoadBalancer'"


def validate_balancer(obj: Object, old: Object | None) -> Iterator[Fault]:
    """The fields of a Service that only balancers have."""
    spec = obj.get("spec", {})
    balanced = spec.get("type") == "LoadBalancer"
    yield from _validate_sources(obj, old, balanced=balanced)
    allocates = spec.get("allocateLoadBalancerNodePorts")
    if allocates is not None and not balanced:
        yield Fault.forbidden(_SPEC.child("allocateLoadBalancerNodePorts"), _ONLY_BALANCERS)
    if allocates is None and balanced:
        yield Fault.required("allocateLoadBalancerNodePorts")
    name = spec.get("loadBalancerClass")
    if name is None:
        return
    if not balanced:
        yield Fault.forbidden(_SPEC.child("loadBalancerClass"), _ONLY_BALANCERS)
        return
    for problem in label_key(name):
        yield Fault.invalid(_SPEC.child("loadBalancerClass"), name, problem)


def validate_balancer_status(obj: Object, old: Object) -> Iterator[Fault]:
    """Where the balancer of a Service is reached."""
    points = _points(obj)
    if obj.get("spec", {}).get("type") != "LoadBalancer":
        if points:
            yield Fault.forbidden(_POINTS, "may only be used when `spec.type` is 'LoadBalancer'")
        return
    kept = _kept(old)
    for index, point in enumerate(points):
        path = _POINTS.index(index)
        yield from _validate_address(point, path, kept)
        yield from _validate_mode(point, path)
        yield from _validate_host(point, path)


def validate_ingress_status(obj: Object, old: Object) -> Iterator[Fault]:
    """Where an Ingress is reached."""
    kept = _kept(old)
    for index, point in enumerate(_points(obj)):
        path = _POINTS.index(index)
        yield from _validate_address(point, path, kept)
        yield from _validate_host(point, path)


def _validate_sources(obj: Object, old: Object | None, *, balanced: bool) -> Iterator[Fault]:
    ranges = obj.get("spec", {}).get("loadBalancerSourceRanges") or ()
    noted = (obj["metadata"].get("annotations") or {}).get(_RANGES)
    if ranges:
        path = _SPEC.child("LoadBalancerSourceRanges")
        before = (old or {}).get("spec", {}).get("loadBalancerSourceRanges") or ()
        if not balanced:
            yield Fault.forbidden(path, _ONLY_BALANCERS)
        kept = {text.strip() for text in before}
        for index, text in enumerate(ranges):
            yield from validate_range(text.strip(), path.index(index), kept)
    elif noted is not None:
        path = METADATA.child("annotations").key(_RANGES)
        if not balanced:
            yield Fault.forbidden(path, _ONLY_BALANCERS)
        same = old is not None and (old["metadata"].get("annotations") or {}).get(_RANGES) == noted
        for text in () if same or not noted.strip() else noted.split(","):
            yield from validate_range(text.strip(), path)


def _points(obj: Object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = obj.get("status", {}).get("loadBalancer", {}).get("ingress") or []
    return found


def _kept(old: Object) -> Collection[str]:
    return {point["ip"] for point in _points(old) if point.get("ip")}


def _validate_address(point: Object, path: Path, kept: Collection[str]) -> Iterator[Fault]:
    if point.get("ip"):
        yield from validate_address(point["ip"], path.child("ip"), kept)


def _validate_mode(point: Object, path: Path) -> Iterator[Fault]:
    mode, address = point.get("ipMode"), point.get("ip")
    if mode is None:
        if address:
            yield Fault.required(path.child("ipMode"), "must be specified when `ip` is set")
    elif not address:
        yield Fault.forbidden(path.child("ipMode"), "may not be specified when `ip` is not set")
    elif mode not in _MODES:
        yield Fault.not_supported(path.child("ipMode"), mode, _MODES)


def _validate_host(point: Object, path: Path) -> Iterator[Fault]:
    host = point.get("hostname", "")
    if not host:
        return
    for problem in dns_subdomain(host):
        yield Fault.invalid(path.child("hostname"), host, problem)
    if read_address(host) is not None:
        yield Fault.invalid(path.child("hostname"), host, "must be a DNS name, not an IP address")
