"""The resources that containers and pods ask for: their names and their quantities."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from windlass.api import Quantity
from windlass.apiserver.validation.names import dns_label, label_key
from windlass.apiserver.validation.number import NEGATIVE
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    NameRule = Callable[[str, Path], Iterator[Fault]]

_HUGE_PAGES: Final = "hugepages-"
_REQUESTS: Final = "requests."
_CONTAINER_RESOURCES: Final = frozenset({"cpu", "memory", "ephemeral-storage"})
_OBJECT_COUNTS: Final = frozenset(
    {
        "pods",
        "resourcequotas",
        "services",
        "replicationcontrollers",
        "secrets",
        "configmaps",
        "persistentvolumeclaims",
        "services.nodeports",
        "services.loadbalancers",
    }
)
_STANDARD: Final = (
    _OBJECT_COUNTS
    | _CONTAINER_RESOURCES
    | {f"{side}{name}" for side in ("requests.", "limits.") for name in _CONTAINER_RESOURCES}
    | {"storage", "requests.storage"}
)


@lru_cache(maxsize=4096)
def quantity(value: str | float) -> Quantity:
    """The quantity that a text or number stands for; manifests repeat themselves, so it is remembered."""
    return Quantity(value)


def standard_resource(name: str) -> Sequence[str]:
    """A resource of Kubernetes' own, or one with a domain."""
    if name in _STANDARD:
        return ()
    problems = label_key(name)
    if problems or "/" in name or name.startswith((_HUGE_PAGES, _REQUESTS + _HUGE_PAGES)):
        return problems
    return ["must be a standard resource type or fully qualified"]


def container_resource(name: str) -> Sequence[str]:
    """A resource that a container may ask for."""
    if name in _CONTAINER_RESOURCES:
        return ()
    problems = list(standard_resource(name))
    if "/" not in name:
        if not name.startswith(_HUGE_PAGES):
            problems.append("must be a standard resource for containers")
    elif not is_native(name) and not is_extended(name):
        problems.append("doesn't follow extended resource name standard")
    return problems


def validate_container_resource(name: str, path: Path) -> Iterator[Fault]:
    """The same as faults; `path` is that of the map in which the resource stands."""
    for problem in container_resource(name):
        yield Fault.invalid(path.key(name), name, problem)


def is_native(name: str) -> bool:
    """Whether a resource is Kubernetes' own."""
    return "/" not in name or "kubernetes.io/" in name


def is_extended(name: str) -> bool:
    """Whether a resource is somebody else's, which is counted in whole numbers."""
    return not is_native(name) and not name.startswith(_REQUESTS) and not label_key(_REQUESTS + name)


def is_overcommitted(name: str) -> bool:
    """Whether limits may promise more of a resource than there is."""
    return is_native(name) and not name.startswith(_HUGE_PAGES)


def validate_amount(name: str, value: str | float, path: Path) -> Iterator[Fault]:
    """A quantity of a resource: not negative, and whole where the resource comes in pieces."""
    amount = quantity(value)
    if amount < 0:
        yield Fault.invalid(path, str(amount), NEGATIVE)
    if name not in _CONTAINER_RESOURCES and (name in _OBJECT_COUNTS or is_extended(name)):
        milli = int(amount * 1000)
        if milli % 1000:
            yield Fault.invalid(path, str(amount), "must be an integer")


def validate_requirements(
    resources: Mapping[str, Any],
    path: Path,
    claims: Collection[str],
    name_rule: NameRule = validate_container_resource,
) -> Iterator[Fault]:
    """The limits, requests and claims of a container; `claims` are the names that its pod declares."""
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    for name, value in limits.items():
        yield from _validate_entry(name, value, path.child("limits"), name_rule)
    for name, value in requests.items():
        yield from _validate_entry(name, value, path.child("requests"), name_rule)
        yield from _validate_request(name, value, limits, path)
    named = limits.keys() | requests.keys()
    if any(name.startswith(_HUGE_PAGES) for name in named) and named.isdisjoint({"cpu", "memory"}):
        yield Fault.forbidden(path, "HugePages require cpu or memory")
    if resources.get("claims"):
        yield from _validate_claims(resources["claims"], claims, path.child("claims"))


def _validate_entry(name: str, value: str | float, path: Path, name_rule: NameRule) -> Iterator[Fault]:
    yield from name_rule(name, path)
    if quantity(value) < 0 or name not in _CONTAINER_RESOURCES:
        yield from validate_amount(name, value, path.key(name))
    if name.startswith(_HUGE_PAGES) and not _fits_pages(name, value):
        amount = str(quantity(value))
        yield Fault.invalid(path.key(name), amount, f"{amount} is not positive integer multiple of {name}")


def _validate_request(
    name: str, value: str | float, limits: Mapping[str, Any], path: Path
) -> Iterator[Fault]:
    overcommitted = is_overcommitted(name)
    if name not in limits:
        if not overcommitted:
            yield Fault.required(path.child("limits"), "Limit must be set for non overcommitable resources")
        return
    request, limit = quantity(value), quantity(limits[name])
    if request != limit and not overcommitted:
        detail = f"must be equal to {name} limit of {limit}"
    elif request > limit:
        detail = f"must be less than or equal to {name} limit of {limit}"
    else:
        return
    yield Fault.invalid(path.child("requests"), str(request), detail)


def _fits_pages(name: str, value: str | float) -> bool:
    try:
        page = quantity(name.removeprefix(_HUGE_PAGES))
    except ValueError:
        return False
    size = page.to_decimal()
    return size > 0 and size == int(size) and int(quantity(value)) % int(size) == 0


def _validate_claims(
    claims: Sequence[Mapping[str, str]], declared: Collection[str], path: Path
) -> Iterator[Fault]:
    seen: set[str] = set()
    for index, claim in enumerate(claims):
        name, request = claim.get("name", ""), claim.get("request", "")
        where = path.index(index)
        if not name:
            yield Fault.required(where)
            continue
        if name in seen:
            yield Fault.duplicate(where, name)
        else:
            yield from _validate_claim_request(name, request, seen, where)
            seen.add(f"{name}/{request}" if request else name)
        if name not in declared:
            yield _undeclared(where, name, declared)


def _validate_claim_request(name: str, request: str, seen: set[str], path: Path) -> Iterator[Fault]:
    if not request:
        for other in seen:
            if other.partition("/")[0] == name:
                yield Fault.duplicate(path, name)
        return
    for problem in dns_label(request):
        yield Fault.invalid(path.child("request"), request, problem)
    if f"{name}/{request}" in seen:
        yield Fault.duplicate(path, f"{name}/{request}")


def _undeclared(path: Path, name: str, declared: Collection[str]) -> Fault:
    listed = f": {', '.join(sorted(declared))}" if declared else " which is empty"
    found = Fault.not_found(path, name)
    explained = f"{found.message}: must be one of the names in pod.spec.resourceClaims{listed}"
    return Fault(found.reason, found.field, explained)
