"""Service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.address import validate_address
from windlass.apiserver.validation.balancer import validate_balancer, validate_balancer_status
from windlass.apiserver.validation.label import validate_labels
from windlass.apiserver.validation.meta import METADATA, validate_object_meta
from windlass.apiserver.validation.names import dns_label, dns_subdomain
from windlass.apiserver.validation.network import validate_destination
from windlass.apiserver.validation.number import port_number
from windlass.apiserver.validation.service_address import (
    is_headless,
    validate_cluster_addresses,
    validate_same_addresses,
)
from windlass.apiserver.validation.service_port import validate_ports, validate_unique_ports
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]

_SPEC: Final = Path("spec")
_TYPES: Final = ("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")
_AFFINITIES: Final = ("ClientIP", "None")
_POLICIES: Final = ("Cluster", "Local")
_DISTRIBUTIONS: Final = ("PreferClose", "PreferSameZone", "PreferSameNode")
_LONGEST_AFFINITY: Final = 86400
_HINTS: Final = "service.kubernetes.io/topology-aware-hints"
_MODE: Final = "service.kubernetes.io/topology-mode"


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A Service; that its addresses and ports are free is for those who hand them out."""
    yield from validate_object_meta(obj, old, dns_label)
    spec = obj.get("spec", {})
    if old is not None:
        yield from validate_same_addresses(spec, old.get("spec", {}))
        yield from _validate_same_balancer(spec, old.get("spec", {}))
    yield from _validate_annotations(obj["metadata"].get("annotations") or {})
    if not spec.get("ports") and not is_headless(spec) and spec.get("type") != "ExternalName":
        yield Fault.required(_SPEC.child("ports"))
    yield from _validate_type_needs(spec)
    yield from validate_ports(spec.get("ports") or (), _SPEC.child("ports"))
    yield from validate_labels(spec.get("selector"), _SPEC.child("selector"))
    yield from _validate_affinity(spec)
    yield from validate_cluster_addresses(spec, (old or {}).get("spec", {}))
    yield from _validate_external_addresses(spec, (old or {}).get("spec", {}))
    kind = spec.get("type", "")
    if not kind:
        yield Fault.required(_SPEC.child("type"))
    elif kind not in _TYPES:
        yield Fault.not_supported(_SPEC.child("type"), kind, _TYPES)
    yield from validate_unique_ports(
        spec.get("ports") or (), _SPEC.child("ports"), inside=kind == "ClusterIP"
    )
    yield from validate_balancer(obj, old)
    yield from _validate_traffic(spec)


def validate_status(obj: Object, old: Object) -> Iterator[Fault]:
    """Where a balancer is reached; a service of another type has none."""
    yield from validate_object_meta(obj, old, dns_label)
    yield from validate_balancer_status(obj, old)


def _validate_annotations(annotations: Mapping[str, str]) -> Iterator[Fault]:
    if _MODE in annotations and annotations.get(_HINTS, annotations[_MODE]) != annotations[_MODE]:
        detail = f"must match annotations[{_HINTS}] when both are specified"
        yield Fault.invalid(METADATA.child("annotations").key(_MODE), annotations[_MODE], detail)


def _validate_type_needs(spec: Object) -> Iterator[Fault]:
    kind = spec.get("type", "")
    if kind in ("LoadBalancer", "NodePort") and is_headless(spec):
        detail = f"may not be set to 'None' for {kind} services"
        yield Fault.invalid(_SPEC.child("clusterIPs").index(0), "None", detail)
    if kind != "ExternalName":
        return
    for name in ("clusterIPs", "ipFamilies", "ipFamilyPolicy"):
        if spec.get(name):
            yield Fault.forbidden(_SPEC.child(name), "may not be set for ExternalName services")
    target = spec.get("externalName", "").removesuffix(".")
    if not target:
        yield Fault.required(_SPEC.child("externalName"))
    for problem in dns_subdomain(target) if target else ():
        yield Fault.invalid(_SPEC.child("externalName"), target, problem)


def _validate_affinity(spec: Object) -> Iterator[Fault]:
    affinity, config = spec.get("sessionAffinity", ""), spec.get("sessionAffinityConfig")
    path = _SPEC.child("sessionAffinityConfig")
    if not affinity:
        yield Fault.required(_SPEC.child("sessionAffinity"))
    elif affinity not in _AFFINITIES:
        yield Fault.not_supported(_SPEC.child("sessionAffinity"), affinity, _AFFINITIES)
    if affinity == "None" and config is not None:
        yield Fault.forbidden(path, "must not be set when session affinity is None")
    if affinity != "ClientIP":
        return
    for name in ("clientIP", "timeoutSeconds"):
        if config is None:
            break
        path, config = path.child(name), config.get(name)
    if config is None:
        yield Fault.required(path, "when session affinity type is ClientIP")
    elif not 0 < config <= _LONGEST_AFFINITY:
        detail = f"must be greater than 0 and less than {_LONGEST_AFFINITY}"
        yield Fault.invalid(path, config, detail)


def _validate_external_addresses(spec: Object, old: Object) -> Iterator[Fault]:
    kept = old.get("externalIPs") or ()
    for index, text in enumerate(spec.get("externalIPs") or ()):
        path = _SPEC.child("externalIPs").index(index)
        faults = list(validate_address(text, path, kept))
        yield from faults or validate_destination(text, path)


def _validate_same_balancer(spec: Object, old: Object) -> Iterator[Fault]:
    balancers = spec.get("type") == old.get("type") == "LoadBalancer"
    if balancers and spec.get("loadBalancerClass") != old.get("loadBalancerClass"):
        detail = "may not change once set"
        yield Fault.invalid(_SPEC.child("loadBalancerClass"), spec.get("loadBalancerClass"), detail)
    ports = spec.get("healthCheckNodePort", 0), old.get("healthCheckNodePort", 0)
    if _is_checked(spec) and _is_checked(old) and ports[0] != ports[1]:
        yield Fault.forbidden(_SPEC.child("healthCheckNodePort"), "field is immutable")


def _validate_traffic(spec: Object) -> Iterator[Fault]:
    yield from _validate_external_policy(spec)
    policy = spec.get("internalTrafficPolicy")
    if policy is None:
        if spec.get("type") in ("NodePort", "LoadBalancer", "ClusterIP"):
            yield Fault.required(_SPEC.child("internalTrafficPolicy"))
    elif policy not in _POLICIES:
        yield Fault.not_supported(_SPEC.child("internalTrafficPolicy"), policy, _POLICIES)
    distribution = spec.get("trafficDistribution")
    if distribution is not None and distribution not in _DISTRIBUTIONS:
        yield Fault.not_supported(_SPEC.child("trafficDistribution"), distribution, _DISTRIBUTIONS)


def _validate_external_policy(spec: Object) -> Iterator[Fault]:
    policy, port = spec.get("externalTrafficPolicy", ""), spec.get("healthCheckNodePort", 0)
    path = _SPEC.child("externalTrafficPolicy")
    if not _is_external(spec):
        if policy:
            yield Fault.invalid(path, policy, "may only be set for externally-accessible services")
    elif not policy:
        yield Fault.required(path)
    elif policy not in _POLICIES:
        yield Fault.not_supported(path, policy, _POLICIES)
    path = _SPEC.child("healthCheckNodePort")
    if port and not _is_checked(spec):
        detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
        yield Fault.invalid(path, port, detail)
    elif _is_checked(spec):
        yield from _validate_health_port(port, path)


def _validate_health_port(port: int, path: Path) -> Iterator[Fault]:
    if not port:
        yield Fault.required(path)
    for problem in port_number(port) if port else ():
        yield Fault.invalid(path, port, problem)


def _is_external(spec: Object) -> bool:
    kind = spec.get("type")
    return kind in ("LoadBalancer", "NodePort") or (kind == "ClusterIP" and bool(spec.get("externalIPs")))


def _is_checked(spec: Object) -> bool:
    return spec.get("type") == "LoadBalancer" and spec.get("externalTrafficPolicy") == "Local"
