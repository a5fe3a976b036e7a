"""What a StatefulSet reports of its pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from windlass.cluster.controller.pod_state import is_available, is_ready
from windlass.cluster.controller.stateful_set.desired import REVISION, ordinals
from windlass.kinds.apps.v1 import StatefulSetStatus

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from windlass.kinds.apps.v1 import StatefulSet
    from windlass.kinds.core.v1 import Pod


class Revisions(NamedTuple):
    """The names of the revision that pods had and the one that they get; how many names were taken."""

    current: str
    update: str
    collisions: int


def status_of(
    owner: StatefulSet, pods: Sequence[Pod], revisions: Revisions, now: datetime
) -> StatefulSetStatus:
    """The counts, and how far a rollout is: once all pods have the new revision, it is the current one."""
    seconds = owner.spec.min_ready_seconds
    ready = [pod for pod in pods if pod.status.phase == "Running" and is_ready(pod)]
    staying = [pod.metadata.labels.get(REVISION) for pod in pods if not pod.metadata.deletion_timestamp]
    current, updated = staying.count(revisions.current), staying.count(revisions.update)
    current_revision = revisions.current
    strategy = owner.spec.update_strategy
    rolls = not strategy or strategy.type != "OnDelete"
    if rolls and updated == len(ready) == len(pods) == len(ordinals(owner)):
        current, current_revision = updated, revisions.update
    counts: dict[str, Any] = {
        "ready_replicas": len(ready),
        "current_replicas": current,
        "updated_replicas": updated,
    }
    return StatefulSetStatus(
        observed_generation=owner.metadata.generation,
        replicas=len(pods),
        available_replicas=sum(is_available(pod, seconds, now) for pod in ready),
        current_revision=current_revision,
        update_revision=revisions.update,
        collision_count=revisions.collisions,
        **{name: count for name, count in counts.items() if count},  # as Go writes them: zeros are left out
    )
