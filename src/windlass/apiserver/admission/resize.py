"""Pods that are to be larger than their node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.admission.refuse import forbidden
from windlass.apiserver.admission.total import add_amounts, pod_total
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.validation.resource import quantity

if TYPE_CHECKING:
    from windlass.apiserver.world import World

Object = dict[str, Any]

_SYSTEM: Final = "kubernetes.io/os"


def check_resize(pod: Object, old: Object, world: World) -> None:
    """A pod is resized only where its node can be found, runs Linux and is large enough.

    Raises:
        Refusal: 403.
    """
    name = pod["spec"].get("nodeName")
    if not name or pod["metadata"].get("generation") == old["metadata"].get("generation"):
        return
    record = world.store.collection("/nodes").get(name)
    if record is None:
        raise forbidden("pods", pod, f'node "{name}" not found')
    node = record.object()
    system = (node["metadata"].get("labels") or {}).get(_SYSTEM, "linux")
    if system != "linux":
        why = f'pod resize is only supported on linux nodes, node "{name}" is "{system}"'
        raise _because(pod, why, "UnsupportedPlatform")
    lacking = _lacking(pod, node)
    if lacking:
        why = f"node didn't have enough allocatable resources: {'; '.join(lacking)}"
        raise _because(pod, why, "NodeCapacity")


def _lacking(pod: Object, node: Object) -> list[str]:
    """What a node has too little of, in thousandths of a processor and in bytes."""
    wanted = pod_total(pod["spec"], "requests")
    overhead = pod["spec"].get("overhead") or {}
    add_amounts(wanted, {name: quantity(value) for name, value in overhead.items()})
    allocatable = node.get("status", {}).get("allocatable") or {}
    found = []
    for name, factor in (("cpu", 1000), ("memory", 1)):
        asked, there = wanted.get(name, quantity(0)), quantity(allocatable.get(name, 0))
        if asked > there:
            found.append(f"{name}, requested: {int(asked * factor)}, allocatable: {int(there * factor)}")
    return found


def _because(pod: Object, why: str, reason: str) -> Refusal:
    refusal = forbidden("pods", pod, why)
    return Refusal(403, refusal.message, details={**(refusal.details or {}), "causes": [{"reason": reason}]})
