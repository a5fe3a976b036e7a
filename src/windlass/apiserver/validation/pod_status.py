"""The status of a pod: what the kubelet may report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.address import parsed_leniently, validate_address
from windlass.apiserver.validation.meta import IMMUTABLE
from windlass.apiserver.validation.names import dns_label, dns_subdomain, label_key
from windlass.apiserver.validation.number import identity
from windlass.apiserver.validation.pod_status_container import (
    validate_allocated_resources,
    validate_transitions,
)
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Fields = Mapping[str, Any]

_SYSTEM_CONDITIONS: Final = ("PodScheduled", "Ready", "Initialized")
_NOT_NEGATIVE: Final = "must be a non-negative integer"
_MAPPED: Final = ("containerName", "resourceName", "requestName")
_NOBODYS: Final = "must match the name of an entry in spec.initContainers.name or spec.containers.name"
_UNREQUESTED: Final = (
    "must match the extended resource name of an entry in spec.initContainers.resources.requests or "
    "spec.containers.resources.requests"
)
_STATUSES: Final = ("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses")


def validate_pod_status(obj: Fields, old: Fields, path: Path) -> Iterator[Fault]:
    """A reported status beside the one before."""
    status, before, spec = obj.get("status", {}), old.get("status", {}), old.get("spec", {})
    yield from _validate_conditions(status.get("conditions", ()), path.child("conditions"))
    yield from _validate_nomination(status, before, spec, path.child("nominatedNodeName"))
    if status.get("observedGeneration", 0) < 0:
        yield Fault.invalid(path.child("observedGeneration"), status["observedGeneration"], _NOT_NEGATIVE)
    if status.get("qosClass") != before.get("qosClass"):
        yield Fault.invalid(path.child("qosClass"), status.get("qosClass", ""), IMMUTABLE)
    yield from validate_transitions(status, before, spec, path)
    yield from _validate_claims(status.get("resourceClaimStatuses", ()), spec, path)
    if "extendedResourceClaimStatus" in status:
        where = path.child("extendedResourceClaimStatus")
        yield from _validate_extended_claim(status["extendedResourceClaimStatus"], spec, where)
    yield from _validate_addresses(status, before, "podIPs", path)
    yield from _validate_host_addresses(status, before, path)
    for kind in _STATUSES:
        yield from _validate_users(status.get(kind, ()), spec, path.child(kind))
    yield from validate_allocated_resources(status, spec, path)


def _validate_conditions(conditions: Sequence[Fields], path: Path) -> Iterator[Fault]:
    for index, condition in enumerate(conditions):
        where = path.index(index)
        generation = condition.get("observedGeneration", 0)
        if generation < 0:
            yield Fault.invalid(where.child("observedGeneration"), generation, _NOT_NEGATIVE)
        kind = condition.get("type", "")
        for problem in label_key(kind) if kind not in _SYSTEM_CONDITIONS else ():
            yield Fault.invalid(where.child("Type"), kind, problem)


def _validate_nomination(status: Fields, before: Fields, spec: Fields, path: Path) -> Iterator[Fault]:
    node = status.get("nominatedNodeName", "")
    if not node or node == before.get("nominatedNodeName", ""):
        return
    for problem in dns_subdomain(node):
        yield Fault.invalid(path, node, problem)
    if spec.get("nodeName"):
        yield Fault.forbidden(path, "may not be set on pods that are already bound to a node")


def _validate_claims(statuses: Sequence[Fields], spec: Fields, path: Path) -> Iterator[Fault]:
    declared = {claim.get("name", "") for claim in spec.get("resourceClaims", ())}
    seen: set[str] = set()
    for index, status in enumerate(statuses):
        where, name = path.child("resourceClaimStatuses").index(index), status.get("name", "")
        if name not in declared:
            detail = "must match the name of an entry in `spec.resourceClaims`"
            yield Fault.invalid(where.child("name"), name, detail)
        if name in seen:
            yield Fault.duplicate(where.child("name"), name)
        seen.add(name)
        claim = status.get("resourceClaimName")
        for problem in dns_subdomain(claim) if claim is not None else ():
            yield Fault.invalid(where.child("resourceClaimName"), claim, problem)


def _validate_extended_claim(status: Fields, spec: Fields, path: Path) -> Iterator[Fault]:
    mappings = status.get("requestMappings") or ()
    if not mappings:
        yield Fault.required(path.child("requestMappings"), "at least one request mapping is required")
    containers = {
        each.get("name", ""): (each.get("resources") or {}).get("requests") or {}
        for kind in ("initContainers", "containers")
        for each in spec.get(kind) or ()
    }
    seen: set[tuple[str, ...]] = set()
    for index, mapping in enumerate(mappings):
        where, names = path.child("requestMappings").index(index), [mapping.get(name, "") for name in _MAPPED]
        container, resource, request = names
        if container not in containers:
            yield Fault.invalid(where.child("containerName"), container, _NOBODYS)
        elif resource not in containers[container]:
            yield Fault.invalid(where.child("resourceName"), resource, _UNREQUESTED)
        for problem in dns_label(request):
            yield Fault.invalid(path.child("requestName"), request, problem)
        if tuple(names) in seen:
            yield from (Fault.duplicate(where.child(name), mapping.get(name, "")) for name in _MAPPED)
        seen.add(tuple(names))
    claim = status.get("resourceClaimName", "")
    if not claim:
        yield Fault.required(path.child("resourceClaimName"))
    for problem in dns_subdomain(claim) if claim else ():
        yield Fault.invalid(path.child("resourceClaimName"), claim, problem)


def _validate_addresses(status: Fields, before: Fields, name: str, path: Path) -> Iterator[Fault]:
    kept = [each.get("ip", "") for each in before.get(name, ())]
    found = [each.get("ip", "") for each in status.get(name, ())]
    for index, text in enumerate(found):
        yield from validate_address(text, path.child(name).index(index), kept)
    if len(found) > 1:
        yield from _validate_families(found, path.child(name))


def _validate_families(found: Sequence[str], path: Path) -> Iterator[Fault]:
    addresses = [parsed_leniently(text) for text in found]
    if None in addresses:
        index = addresses.index(None)
        detail = f"failed to check for dual stack with error:invalid IP[{index}]: {found[index]}"
        yield Fault("InternalError", str(path), f"Internal error: {detail}")
    if None in addresses or len(found) > len({address.version for address in addresses if address}):
        listed = [{"IP": text} for text in found]
        yield Fault.invalid(path, listed, "may specify no more than one IP for each IP family")


def _validate_host_addresses(status: Fields, before: Fields, path: Path) -> Iterator[Fault]:
    addresses = status.get("hostIPs", ())
    if not addresses:
        return
    first = addresses[0].get("ip", "")
    if status.get("hostIP", "") != first:
        yield Fault.invalid(path.child("hostIPs").index(0).child("ip"), first, "must be equal to `hostIP`")
    yield from _validate_addresses(status, before, "hostIPs", path)


def _validate_users(statuses: Sequence[Fields], spec: Fields, path: Path) -> Iterator[Fault]:
    windows = spec.get("os", {}).get("name") == "windows"
    for index, status in enumerate(statuses):
        user = status.get("user", {}).get("linux")
        if user is None:
            continue
        where = path.index(index).child("user", "linux")
        if windows:
            yield Fault.forbidden(where, "cannot be set for a windows pod")
            continue
        for name in ("uid", "gid"):
            for problem in identity(user.get(name, 0)):
                yield Fault.invalid(where.child(name), user[name], problem)
        for position, group in enumerate(user.get("supplementalGroups", ())):
            for problem in identity(group):
                yield Fault.invalid(where.child("supplementalGroups").index(position), group, problem)
