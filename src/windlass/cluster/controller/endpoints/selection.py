"""Which pods a service selects, and what of their changes it has to hear."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.api import LabelSelector
from windlass.cluster.controller.label import BY_LABEL, places
from windlass.kinds.core.v1 import Pod

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Change, Json, Snapshot
    from windlass.kinds.core.v1 import Service
    from windlass.reconcile import Context


def selector_of(service: Service) -> LabelSelector | None:
    """What a service selects pods by; None for one whose endpoints are somebody else's business."""
    if service.spec.type == "ExternalName" or not service.spec.selector:
        return None
    return LabelSelector(match_labels=service.spec.selector)


async def pods_of(service: Service, ctx: Context) -> Sequence[Pod]:
    """The pods that a service selects, by name."""
    where = places(service.metadata.namespace, service.spec.selector)
    found = await ctx.list(Pod, index=BY_LABEL, value=where)
    return sorted(found, key=lambda pod: pod.metadata.name)


def matters(change: Change[Any]) -> bool:
    """Whether a pod has changed in what endpoints tell of it."""
    if change.old is None or change.new is None:
        return True
    return _told(change.old) != _told(change.new)


def _told(state: Snapshot[Any]) -> tuple[Any, ...]:
    metadata, status = state.metadata, state.data.get("status") or {}
    conditions: list[Json] = status.get("conditions") or []
    ready = next((each.get("status") for each in conditions if each.get("type") == "Ready"), None)
    ended = status.get("phase") in ("Succeeded", "Failed")
    node = state.data.get("spec", {}).get("nodeName")
    return metadata.get("labels"), metadata.get("deletionTimestamp"), ready, ended, status.get("podIPs"), node
