"""LimitRange."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain, label_key
from windlass.apiserver.validation.resource import (
    container_resource,
    is_overcommitted,
    quantity,
    standard_resource,
)
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.api import Quantity

    Object = Mapping[str, Any]
    Amounts = Mapping[str, Quantity]

_LIMITS: Final = Path("spec").child("limits")
_TYPES: Final = ("Pod", "Container", "PersistentVolumeClaim")
_FIELDS: Final = ("max", "min", "default", "defaultRequest", "maxLimitRequestRatio")
_LARGEST_MILLI: Final = (2**63 - 1) // 1000
_REQUEST: Final = "defaultRequest"
_ORDERED: Final = (
    ("min", "max", "min", "min", "min value", "max value"),
    ("min", _REQUEST, _REQUEST, _REQUEST, "min value", "default request value"),
    (_REQUEST, "max", _REQUEST, _REQUEST, "default request value", "max value"),
    (_REQUEST, "default", _REQUEST, _REQUEST, "default request value", "default limit value"),
    ("min", "default", "default", "min", "min value", "default value"),
    ("default", "max", "default", "max", "default value", "max value"),
)
"""What may not be greater than what, the field that is blamed, the one that is shown, and words for both."""


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A LimitRange: for each type its resources, and bounds and defaults that fit each other."""
    yield from validate_object_meta(obj, old, dns_subdomain)
    seen: set[str] = set()
    for index, limit in enumerate(obj.get("spec", {}).get("limits") or ()):
        kind, path = limit.get("type", ""), _LIMITS.index(index)
        yield from _validate_type(kind, path.child("type"))
        if kind in seen:
            yield Fault.duplicate(path.child("type"), kind)
        seen.add(kind)
        yield from _validate_limit(limit, kind, path)


def _validate_type(kind: str, path: Path) -> Iterator[Fault]:
    problems = label_key(kind)
    for problem in problems:
        yield Fault.invalid(path, kind, problem)
    if not problems and "/" not in kind and kind not in _TYPES:
        yield Fault.invalid(path, kind, "must be a standard limit type or fully qualified")


def _validate_limit(limit: Object, kind: str, path: Path) -> Iterator[Fault]:
    rule = container_resource if kind in ("Pod", "Container") else standard_resource
    amounts: dict[str, Amounts] = {}
    for name in _FIELDS:
        given = limit.get(name) or {}
        if name == "maxLimitRequestRatio" and kind == "PersistentVolumeClaim":
            yield from _validate_claims(limit, path)
        if kind == "Pod" and name in ("default", "defaultRequest"):
            if given:
                yield Fault.forbidden(path.child(name), "may not be specified when `type` is 'Pod'")
            continue
        for resource in given:
            for problem in rule(resource):
                yield Fault.invalid(path.child(name).key(resource), resource, problem)
        amounts[name] = {resource: quantity(value) for resource, value in given.items()}
    for resource in dict.fromkeys(resource for given in amounts.values() for resource in given):
        found = {name: given[resource] for name, given in amounts.items() if resource in given}
        yield from _validate_amounts(resource, found, path)


def _validate_claims(limit: Object, path: Path) -> Iterator[Fault]:
    if "storage" not in (limit.get("min") or {}) and "storage" not in (limit.get("max") or {}):
        detail = "either minimum or maximum storage value is required, but neither was provided"
        yield Fault.required(path.child("limits"), detail)


def _validate_amounts(resource: str, amounts: Amounts, path: Path) -> Iterator[Fault]:
    for small, large, blamed, shown, first, second in _ORDERED:
        if small in amounts and large in amounts and amounts[small] > amounts[large]:
            detail = f"{first} {amounts[small]} is greater than {second} {amounts[large]}"
            yield Fault.invalid(path.child(blamed).key(resource), str(amounts[shown]), detail)
    yield from _validate_ratio(amounts, path.child("maxLimitRequestRatio").key(resource))
    usual, asked = amounts.get("default"), amounts.get("defaultRequest")
    if usual is not None and asked is not None and usual != asked and not is_overcommitted(resource):
        detail = f"default value {usual} must equal to defaultRequest value {asked} in {resource}"
        yield Fault.invalid(path.child("defaultRequest").key(resource), str(asked), detail)


def _validate_ratio(amounts: Amounts, path: Path) -> Iterator[Fault]:
    ratio, least, most = (amounts.get(name) for name in ("maxLimitRequestRatio", "min", "max"))
    if ratio is None:
        return
    if ratio < 1:
        yield Fault.invalid(path, str(ratio), f"ratio {ratio} is less than 1")
    if least is None or most is None:
        return
    fine = all(int(each) < _LARGEST_MILLI for each in (ratio, least, most))
    low, high, wanted = (int(each * 1000) if fine else int(each) for each in (least, most, ratio))
    if not low:
        return
    bound = high / low
    if (wanted / 1000 if fine else wanted) > bound:
        detail = f"ratio {ratio} is greater than max/min = {bound:f}"
        yield Fault.invalid(path, str(ratio), detail)
