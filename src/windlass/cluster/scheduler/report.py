"""What a pod's status says about its search for a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.api import format_time

if TYPE_CHECKING:
    from datetime import datetime

    from windlass.api import Json
    from windlass.kinds.core.v1 import Pod

_SCHEDULED = "PodScheduled"


def unschedulable(pod: Pod, message: str, nominated: str, now: datetime) -> Json:
    """The patch of the status of a pod that found no node; empty where the pod says so already."""
    patch: Json = {}
    found = next((each for each in pod.status.conditions if each.type == _SCHEDULED), None)
    told = (found.status, found.reason, found.message) if found else None
    if told != ("False", "Unschedulable", message):
        moved = now if found is None or found.status != "False" else found.last_transition_time
        patch["conditions"] = [_condition(pod, ("False", "Unschedulable", message), moved or now)]
    if pod.status.nominated_node_name != nominated:
        patch["nominatedNodeName"] = nominated or None
    return patch


def victim_condition(pod: Pod, now: datetime) -> Json:
    """The condition of a pod that is sent away for a more important one."""
    return {
        "type": "DisruptionTarget",
        "status": "True",
        "reason": "PreemptionByScheduler",
        "message": "default-scheduler: preempting to accommodate a higher priority pod",
        "lastTransitionTime": format_time(now),
        **_observed(pod),
    }


def _condition(pod: Pod, said: tuple[str, str, str], moved: datetime) -> Json:
    status, reason, message = said
    return {
        "type": _SCHEDULED,
        "status": status,
        "reason": reason,
        "message": message,
        "lastTransitionTime": format_time(moved),
        **_observed(pod),
    }


def _observed(pod: Pod) -> Json:
    generation = pod.metadata.generation
    return {"observedGeneration": generation} if generation else {}
