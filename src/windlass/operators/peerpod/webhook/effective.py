"""What a pod asks for as a whole, by the arithmetic of Kubernetes.

Containers and sidecars run together. An init container runs alone, beside the sidecars that were started
before it; so the pod needs the greater of both. What the pod asks for as a whole goes before what its
containers do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.api import Quantity
    from windlass.kinds.core.v1 import PodSpec, ResourceRequirements

Amounts = dict[str, "Quantity"]


def effective_requests(spec: PodSpec, *, overhead: bool = True) -> Amounts:
    """What a pod requests; a limit without a request requests as much.

    `overhead` is that of the runtime class, which comes on top.
    """
    total = _total(spec, _requests)
    if spec.resources:
        total |= spec.resources.requests
    if overhead:
        _add(total, spec.overhead)
    return total


def effective_limits(spec: PodSpec, *, overhead: bool = True) -> Amounts:
    """What a pod is limited to; a container without a limit adds nothing."""
    total = _total(spec, _limits)
    if spec.resources:
        total |= spec.resources.limits
    if overhead:
        _add(total, {name: amount for name, amount in spec.overhead.items() if total.get(name)})
    return total


def _requests(asked: ResourceRequirements) -> Amounts:
    return {**asked.limits, **asked.requests}


def _limits(asked: ResourceRequirements) -> Amounts:
    return asked.limits


def _total(spec: PodSpec, of: Callable[[ResourceRequirements], Amounts]) -> Amounts:
    together: Amounts = {}
    for each in spec.containers:
        _add(together, of(each.resources) if each.resources else {})
    sidecars: Amounts = {}
    before: Amounts = {}
    for each in spec.init_containers:
        wanted = of(each.resources) if each.resources else {}
        if each.restart_policy == "Always":
            _add(together, wanted)
            _add(sidecars, wanted)
            raise_to(before, sidecars)
        else:
            beside = dict(sidecars)
            _add(beside, wanted)
            raise_to(before, beside)
    raise_to(together, before)
    return together


def raise_to(amounts: Amounts, least: Mapping[str, Quantity]) -> None:
    """Let every amount be at least this one."""
    for name, amount in least.items():
        if name not in amounts or amount > amounts[name]:
            amounts[name] = amount


def _add(total: Amounts, more: Mapping[str, Quantity]) -> None:
    for name, amount in more.items():
        total[name] = total[name] + amount if name in total else amount
