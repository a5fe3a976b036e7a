"""The resources of a pod as a whole, beside those of its containers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.resource import quantity, standard_resource, validate_requirements
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.api import Quantity

    Fields = Mapping[str, Any]
    Amounts = dict[str, Quantity]

_SUPPORTED: Final = ("cpu", "hugepages-", "memory")


def validate_pod_resources(spec: Fields, path: Path, claims: frozenset[str]) -> Iterator[Fault]:
    """Limits and requests of a pod: names and amounts, and that its containers fit in."""
    resources = spec["resources"]
    if spec.get("os", {}).get("name") == "windows":
        yield Fault.forbidden(path, "may not be set for a windows pod")
        return
    if "claims" in resources:
        yield Fault.forbidden(path.child("claims"), "claims may not be set for Resources at pod-level")
    yield from validate_requirements(resources, path, claims, _validate_name)
    yield from _validate_requests(spec, resources.get("requests", {}), path.child("requests"))
    limits = resources.get("limits", {})
    yield from _validate_huge_pages(spec, limits, path.child("limits"))
    yield from _validate_limits(spec, limits, path)


def _validate_name(name: str, path: Path) -> Iterator[Fault]:
    if name in ("cpu", "memory"):
        return
    problems = standard_resource(name)
    for problem in problems:
        yield Fault.invalid(path.key(name), name, problem)
    if not problems and not name.startswith("hugepages-"):
        yield Fault.not_supported(path.key(name), name, _SUPPORTED)


def _validate_requests(spec: Fields, requests: Fields, path: Path) -> Iterator[Fault]:
    for name, amount in _aggregate(spec, "requests").items():
        if name in requests and amount > quantity(requests[name]):
            detail = f"must be greater than or equal to aggregate container requests of {amount}"
            yield Fault.invalid(path.key(name), str(quantity(requests[name])), detail)


def _validate_huge_pages(spec: Fields, limits: Fields, path: Path) -> Iterator[Fault]:
    if not any(name.startswith("hugepages-") for name in limits):
        return
    for name, amount in _aggregate(spec, "limits").items():
        if name.startswith("hugepages-") and name in limits and amount > quantity(limits[name]):
            detail = f"must be greater than or equal to aggregate container limits of {amount}"
            yield Fault.invalid(path.key(name), str(quantity(limits[name])), detail)


def _validate_limits(spec: Fields, limits: Fields, path: Path) -> Iterator[Fault]:
    for index, container in enumerate(spec.get("containers") or ()):
        for name, value in container.get("resources", {}).get("limits", {}).items():
            if name in limits and quantity(value) > quantity(limits[name]):
                where = path.child("containers").index(index).key(name).child("limits")
                detail = f"must be less than or equal to pod limits of {quantity(limits[name])}"
                yield Fault.invalid(where, str(quantity(value)), detail)


def _aggregate(spec: Fields, side: str) -> Amounts:
    """What all containers together take: init containers one by one, on top of those that stay."""
    total: Amounts = {}
    for container in spec.get("containers") or ():
        _add(total, container, side)
    staying: Amounts = {}
    largest: Amounts = {}
    for container in spec.get("initContainers", ()):
        if container.get("restartPolicy") == "Always":
            _add(total, container, side)
            _add(staying, container, side)
            current = staying
        else:
            current = dict(staying)
            _add(current, container, side)
        _raise(largest, current)
    _raise(total, largest)
    return total


def _add(total: Amounts, container: Fields, side: str) -> None:
    for name, value in container.get("resources", {}).get(side, {}).items():
        total[name] = total[name] + quantity(value) if name in total else quantity(value)


def _raise(total: Amounts, other: Amounts) -> None:
    for name, amount in other.items():
        if name not in total or amount > total[name]:
            total[name] = amount
