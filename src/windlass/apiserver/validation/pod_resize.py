"""What may change in a pod by `/resize`: how much processor and memory its containers ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.quality import quality_of
from windlass.apiserver.validation.same import same
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]

_SPEC: Final = Path("spec")
_COMPUTE: Final = ("cpu", "memory")
_SIDES: Final = ("requests", "limits")
_ONLY_COMPUTE: Final = "only cpu and memory resources are mutable"


def validate_resize_of(new: Fields, old: Fields) -> Iterator[Fault]:
    """A pod of which only resources have changed; that it is valid by itself has been checked."""
    spec, before = new["spec"], old["spec"]
    quality = old.get("status", {}).get("qosClass") or quality_of(before)
    if quality_of(spec) != quality:
        shown = new.get("status", {}).get("qosClass", "")
        yield Fault.invalid(_SPEC, shown, "Pod QOS Class may not change as a result of resizing")
    if not _is_supported(old):
        yield Fault.forbidden(_SPEC, "Pod running on node without support for resize")
    if _has_resources(spec) or _has_resources(before):
        yield from _validate_pod_level(spec.get("resources"), before.get("resources"))
    if old.get("status", {}).get("nodeAllocatableResourceClaimStatuses"):
        yield Fault.forbidden(_SPEC, "pods with node allocatable resource claims cannot be resized")
    misplaced = [fault for kind in ("containers", "initContainers") for fault in _ordered(spec, before, kind)]
    yield from misplaced
    if not misplaced:
        yield from _validate_containers(spec, before)


def _is_supported(pod: Fields) -> bool:
    """Whether the node of a pod can resize it, as far as its status shows."""
    for each in pod.get("status", {}).get("containerStatuses", ()):
        if "running" in each.get("state", {}):
            return "resources" in each
    return True


def _has_resources(spec: Fields) -> bool:
    return any(spec.get("resources", {}).get(side) for side in _SIDES)


def _validate_pod_level(new: Fields | None, old: Fields | None) -> Iterator[Fault]:
    path = _SPEC.child("resources")
    if old is not None and new is None:
        yield Fault.forbidden(path, "pod-level resources cannot be removed")
        return
    for side in _SIDES:
        if _lacks(new or {}, old or {}, side):
            yield Fault.forbidden(path.child(side), f"pod-level resource {side} cannot be removed")
    if not same(_without_compute(new or {}, old or {}), old or {}):
        yield Fault.forbidden(_SPEC, f"{_ONLY_COMPUTE} at pod-level")


def _ordered(new: Fields, old: Fields, kind: str) -> Iterator[Fault]:
    """That the containers are still the same, in their order."""
    now, before = new.get(kind, ()), old.get(kind, ())
    if len(now) != len(before):
        yield Fault.forbidden(_SPEC.child(kind), f"{kind} may not be added or removed on resize")
        return
    for index, (container, kept) in enumerate(zip(now, before, strict=True)):
        if container.get("name") != kept.get("name"):
            path = _SPEC.child(kind).index(index).child("name")
            yield Fault.forbidden(path, f"{kind} may not be renamed or reordered on resize")


def _validate_containers(new: Fields, old: Fields) -> Iterator[Fault]:
    for kind in ("initContainers", "containers"):
        for index, (container, kept) in enumerate(zip(new.get(kind, ()), old.get(kind, ()), strict=True)):
            path = _SPEC.child(kind).index(index).child("resources")
            for side in _SIDES:
                if _lacks(container.get("resources", {}), kept.get("resources", {}), side):
                    yield Fault.forbidden(path.child(side), f"resource {side} cannot be removed")
    for container, kept in zip(new.get("containers", ()), old.get("containers", ()), strict=True):
        if not _differs_in_compute_only(container, kept):
            yield Fault.forbidden(_SPEC, _ONLY_COMPUTE)
    pairs = zip(new.get("initContainers", ()), old.get("initContainers", ()), strict=True)
    for index, (container, kept) in enumerate(pairs):
        yield from _validate_init_container(container, kept, _SPEC.child("initContainers").index(index))


def _validate_init_container(new: Fields, old: Fields, path: Path) -> Iterator[Fault]:
    if not _differs_in_compute_only(new, old):
        detail = "only cpu and memory resources for init or sidecar containers are mutable"
        yield Fault.forbidden(path, detail)
    if new.get("restartPolicy") == "Always" or same(new, old):
        return
    for policy in new.get("resizePolicy", ()):
        if policy.get("restartPolicy") == "RestartContainer":
            detail = "non-sidecar init containers with a resize policy of RestartContainer cannot be resized"
            yield Fault.forbidden(path, detail)


def _differs_in_compute_only(new: Fields, old: Fields) -> bool:
    resources = _without_compute(new.get("resources", {}), old.get("resources", {}))
    return same({**new, "resources": resources}, {"resources": {}, **old})


def _without_compute(new: Fields, old: Fields) -> dict[str, Any]:
    """Resources with the old amounts of processor and memory."""
    out: dict[str, Any] = {}
    for side in _SIDES:
        amounts = {name: value for name, value in new.get(side, {}).items() if name not in _COMPUTE}
        kept = {name: value for name, value in old.get(side, {}).items() if name in _COMPUTE}
        if amounts or kept:
            out[side] = {**amounts, **kept}
    return out


def _lacks(new: Fields, old: Fields, side: str) -> bool:
    return not old.get(side, {}).keys() <= new.get(side, {}).keys()
