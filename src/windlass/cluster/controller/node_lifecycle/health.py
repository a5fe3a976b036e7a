"""What a node's conditions say, and what follows: other conditions, taints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.api import format_time

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from windlass.api import Json
    from windlass.kinds.core.v1 import Node, Taint

READY: Final = "Ready"
_NOT_READY: Final = "node.kubernetes.io/not-ready"
_UNREACHABLE: Final = "node.kubernetes.io/unreachable"
_UNSCHEDULABLE: Final = "node.kubernetes.io/unschedulable"
_TAINTS: Final = {
    (READY, "False"): _NOT_READY,
    (READY, "Unknown"): _UNREACHABLE,
    ("MemoryPressure", "True"): "node.kubernetes.io/memory-pressure",
    ("DiskPressure", "True"): "node.kubernetes.io/disk-pressure",
    ("NetworkUnavailable", "True"): "node.kubernetes.io/network-unavailable",
    ("PIDPressure", "True"): "node.kubernetes.io/pid-pressure",
}
_OURS: Final = {
    *((key, "NoSchedule") for key in (*_TAINTS.values(), _UNSCHEDULABLE)),
    (_NOT_READY, "NoExecute"),
    (_UNREACHABLE, "NoExecute"),
}
_REPORTED: Final = (READY, "MemoryPressure", "DiskPressure", "PIDPressure")
"""The conditions that a kubelet keeps up to date, so that nothing is known of them when it is silent."""


def readiness(node: Node) -> str:
    """`True`, `False` or `Unknown`; empty where the node has never said."""
    return next((each.status for each in node.status.conditions if each.type == READY), "")


def lost_conditions(node: Node, now: datetime) -> list[Json]:
    """What the conditions of a node become that nothing is heard of; empty where they are so already."""
    known = {each.type: each for each in node.status.conditions}
    changed: list[Json] = []
    for kind in _REPORTED:
        found = known.get(kind)
        if found is not None and found.status == "Unknown":
            continue
        reason, message = ("NodeStatusUnknown", "Kubelet stopped posting node status.")
        beat = found.last_heartbeat_time if found else node.metadata.creation_timestamp
        if found is None:
            reason, message = ("NodeStatusNeverUpdated", "Kubelet never posted node status.")
        changed.append(
            {
                "type": kind,
                "status": "Unknown",
                "reason": reason,
                "message": message,
                "lastHeartbeatTime": format_time(beat) if beat else None,
                "lastTransitionTime": format_time(now),
            }
        )
    return changed


def next_taints(node: Node, now: datetime, *, evicts: bool) -> list[Json] | None:
    """The taints that a node is to have; None where it has them.

    Those of others stay as they are, and those of ours keep the time when they came. `evicts` says whether
    pods are to be driven off a node that is not ready.
    """
    wanted = dict.fromkeys(_wanted(node, evicts=evicts))
    kept = [each for each in node.spec.taints if _identity(each) not in _OURS or _identity(each) in wanted]
    have = {_identity(each) for each in kept}
    missing = [each for each in wanted if each not in have]
    if len(kept) == len(node.spec.taints) and not missing:
        return None
    added = [{"key": key, "effect": effect, "timeAdded": format_time(now)} for key, effect in missing]
    return [*(each.to_wire() for each in kept), *added]


def _wanted(node: Node, *, evicts: bool) -> Iterator[tuple[str, str]]:
    for each in node.status.conditions:
        key = _TAINTS.get((each.type, each.status))
        if key is None:
            continue
        yield key, "NoSchedule"
        if each.type == READY and evicts:
            yield key, "NoExecute"
    if node.spec.unschedulable:
        yield _UNSCHEDULABLE, "NoSchedule"


def _identity(taint: Taint) -> tuple[str, Any]:
    return taint.key, taint.effect
