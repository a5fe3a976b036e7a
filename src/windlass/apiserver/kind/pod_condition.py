"""The conditions of a pod, as the server itself sets them."""

from __future__ import annotations

from typing import Any

Object = dict[str, Any]


def set_pod_condition(pod: Object, condition: Object, now: str) -> None:
    """Set a condition of a pod, whose time moves with its status only."""
    conditions = pod.setdefault("status", {}).setdefault("conditions", [])
    for index, each in enumerate(conditions):
        if each.get("type") == condition["type"]:
            kept = each.get("status") == condition["status"]
            moved = each.get("lastTransitionTime") if kept else now
            conditions[index] = {**condition, "lastProbeTime": None, "lastTransitionTime": moved}
            return
    conditions.append({**condition, "lastProbeTime": None, "lastTransitionTime": now})
