"""What the machine gives is taken away from a pod, and what was taken can be put back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.kinds.core.v1 import ResourceRequirements
from windlass.operators.peerpod.webhook.effective import raise_to
from windlass.operators.peerpod.webhook.record import Taken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.kinds.core.v1 import Container, PodSpec
    from windlass.operators.peerpod.webhook.settings import SizingSettings


def take(spec: PodSpec, before: Taken, settings: SizingSettings) -> Taken:
    """Take away what the machine gives; returns that, with what was taken earlier."""
    taken = Taken()
    for each in all_containers(spec):
        each.resources, found = _parted(each.resources, settings)
        found = _larger(before.containers.get(each.name), found)
        if found is not None:
            taken.containers[each.name] = found
    spec.resources, found = _parted(spec.resources, settings)
    taken.whole = _larger(before.whole, found)
    return taken


def _parted(
    asked: ResourceRequirements | None, settings: SizingSettings
) -> tuple[ResourceRequirements | None, ResourceRequirements | None]:
    """What stays with the node, and what the machine gives."""
    if asked is None:
        return None, None
    left, taken = asked.to_wire(), {}
    for field in ("limits", "requests"):
        amounts = left.pop(field, {})
        if gives := {name: amount for name, amount in amounts.items() if settings.takes(name)}:
            taken[field] = gives
        if stay := {name: amount for name, amount in amounts.items() if name not in gives}:
            left[field] = stay
    if not taken:
        return asked, None
    return ResourceRequirements.from_wire(left) if left else None, ResourceRequirements.from_wire(taken)


def asked_of(spec: PodSpec, taken: Taken) -> PodSpec:
    """The pod as it was before anything was taken away."""
    spec = spec.model_copy(deep=True)
    for each in all_containers(spec):
        each.resources = _larger(each.resources, taken.containers.get(each.name))
    spec.resources = _larger(spec.resources, taken.whole)
    return spec


def _larger(
    one: ResourceRequirements | None, other: ResourceRequirements | None
) -> ResourceRequirements | None:
    """The greater of each amount: a default that came back does not lessen what was asked for first."""
    if one is None or other is None:
        return one or other
    larger = one.model_copy(deep=True)
    raise_to(larger.limits, other.limits)
    raise_to(larger.requests, other.requests)
    return larger


def all_containers(spec: PodSpec) -> Iterator[Container]:
    """Those that stay, and those that run before them."""
    yield from spec.containers
    yield from spec.init_containers


def names_of(asked: ResourceRequirements | None) -> set[str]:
    """Which resources somebody asks for."""
    return {*asked.limits, *asked.requests} if asked else set()
