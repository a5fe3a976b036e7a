"""Node."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.declared import as_declared
from windlass.apiserver.validation.meta import METADATA, validate_object_meta
from windlass.apiserver.validation.names import SUBDOMAIN_LENGTH, dns_subdomain
from windlass.apiserver.validation.network import is_dual_stack, read_range, validate_range
from windlass.apiserver.validation.node_config import validate_config_source, validate_config_status
from windlass.apiserver.validation.number import NOT_POSITIVE
from windlass.apiserver.validation.resource import validate_amount
from windlass.apiserver.validation.taint import validate_noted_taints, validate_taints
from windlass.schema import Fault, Path, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Object = Mapping[str, Any]

_SPEC: Final = Path("spec")
_STATUS: Final = Path("status")
_RANGES: Final = _SPEC.child("podCIDRs")
_MOST_RANGES: Final = 2
_FEATURE: Final = r"[A-Z][a-zA-Z0-9]*(/[a-zA-Z][a-zA-Z0-9]*)*"
_SET_ONCE: Final = 'node updates may not change {} except from "" to valid'


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A Node; what it was once given by others, ranges and provider, it keeps."""
    yield from validate_object_meta(obj, old, dns_subdomain, namespaced=False)
    spec, status = obj.get("spec", {}), obj.get("status", {})
    yield from validate_noted_taints(obj["metadata"].get("annotations") or {}, METADATA.child("annotations"))
    yield from validate_taints(spec.get("taints") or (), METADATA.child("taints"))
    yield from _validate_amounts(status)
    swap = (status.get("nodeInfo", {}).get("swap") or {}).get("capacity")
    if swap is not None and swap <= 0:
        yield Fault.invalid(METADATA.child("nodeSwapStatus", "capacity"), swap, NOT_POSITIVE)
    yield from _validate_features(status.get("declaredFeatures") or ())
    yield from _validate_ranges(spec.get("podCIDRs") or ())
    if old is not None:
        yield from _validate_update(obj, old)


def validate_status(obj: Object, old: Object) -> Iterator[Fault]:
    """What a kubelet reports."""
    yield from validate_object_meta(obj, old, dns_subdomain, namespaced=False)
    status = obj.get("status", {})
    yield from validate_noted_taints(obj["metadata"].get("annotations") or {}, METADATA.child("annotations"))
    yield from _validate_amounts(status)
    yield from _validate_features(status.get("declaredFeatures") or ())
    yield from _validate_update(obj, old)


def _validate_update(obj: Object, old: Object) -> Iterator[Fault]:
    spec, before = obj.get("spec", {}), old.get("spec", {})
    seen: list[Object] = []
    for index, address in enumerate(obj.get("status", {}).get("addresses") or ()):
        if address in seen:
            shown = as_declared(address, {"type": "", "address": ""})
            yield Fault.duplicate(_STATUS.child("addresses").index(index), shown)
        seen.append(address)
    ranges = before.get("podCIDRs")
    if ranges and ranges != spec.get("podCIDRs"):
        yield Fault.forbidden(_RANGES, _SET_ONCE.format("podCIDR"))
    provider = before.get("providerID")
    if provider and provider != spec.get("providerID"):
        yield Fault.forbidden(_SPEC.child("providerID"), _SET_ONCE.format("providerID"))
    if spec.get("configSource") is not None:
        yield from validate_config_source(spec["configSource"], _SPEC.child("configSource"))
    config = obj.get("status", {}).get("config")
    if config is not None:
        yield from validate_config_status(config, _STATUS.child("config"))
    if spec.get("externalID", "") != before.get("externalID", ""):
        yield Fault.forbidden(_SPEC.child("externalID"), "may not be updated")


def _validate_amounts(status: Object) -> Iterator[Fault]:
    for name in ("capacity", "allocatable"):
        for resource, amount in (status.get(name) or {}).items():
            yield from validate_amount(resource, amount, _STATUS.child(name, resource))


def _validate_features(features: Sequence[str]) -> Iterator[Fault]:
    path = _STATUS.child("declaredFeatures")
    for index, feature in enumerate(features):
        problem = _feature(feature)
        if problem:
            detail = f"invalid feature name {quoted(feature)}: {problem}"
            yield Fault.invalid(path.index(index), feature, detail)
        following = features[index + 1] if index + 1 < len(features) else None
        if feature == following:
            yield Fault.duplicate(path.index(index + 1), following)
        elif following is not None and feature > following:
            detail = "list must be sorted alphabetically"
            yield Fault.invalid(path.index(index + 1), following, detail)


def _feature(name: str) -> str:
    if len(name.encode()) > SUBDOMAIN_LENGTH:
        return f"must be no more than {SUBDOMAIN_LENGTH} characters"
    if re.fullmatch(_FEATURE, name):
        return ""
    return (
        "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., "
        "MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes"
    )


def _validate_ranges(ranges: Sequence[str]) -> Iterator[Fault]:
    for index, text in enumerate(ranges):
        yield from validate_range(text, _RANGES.index(index))
    if len(ranges) < _MOST_RANGES:
        return
    found = [each for each in map(read_range, ranges) if each is not None]
    if not is_dual_stack(found) or len(ranges) > _MOST_RANGES:
        yield Fault.invalid(_RANGES, ranges, "may specify no more than one CIDR for each IP family")
