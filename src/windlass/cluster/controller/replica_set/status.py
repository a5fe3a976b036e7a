"""What a set reports of its pods."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from windlass.api import Selector
from windlass.kinds.apps.v1 import ReplicaSetCondition, ReplicaSetStatus

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from windlass.cluster.controller.pod_state import PodState
    from windlass.kinds.apps.v1 import ReplicaSet

REPLICA_FAILURE = "ReplicaFailure"


def status_of(
    replica_set: ReplicaSet, pods: Sequence[PodState], now: datetime, failure: tuple[str, str] | None = None
) -> ReplicaSetStatus:
    """The status of a set that has these pods; `failure` is why it has not those that it wants."""
    active = [pod for pod in pods if pod.is_active]
    template = replica_set.spec.template
    wanted = Selector.of(template.metadata.labels if template else {})
    waits = [pod.until_available(replica_set.spec.min_ready_seconds or 0, now) for pod in active]
    said: dict[str, Any] = {
        "fully_labeled_replicas": sum(wanted.matches(pod.labels) for pod in active),
        "ready_replicas": sum(pod.is_ready for pod in active),
        "available_replicas": sum(wait == timedelta() for wait in waits),
        "conditions": _conditions(replica_set, now, failure),
    }
    return ReplicaSetStatus(
        replicas=len(active),
        terminating_replicas=sum(pod.is_terminating for pod in pods),
        observed_generation=replica_set.metadata.generation,
        **{name: value for name, value in said.items() if value},  # the server keeps no zeros of these
    )


def next_look(replica_set: ReplicaSet, pods: Sequence[PodState], now: datetime) -> timedelta | None:
    """When the next pod becomes available by staying ready; None where none will."""
    seconds = replica_set.spec.min_ready_seconds or 0
    waits = [pod.until_available(seconds, now) for pod in pods if pod.is_active]
    return min((wait for wait in waits if wait), default=None)


def _conditions(
    replica_set: ReplicaSet, now: datetime, failure: tuple[str, str] | None
) -> list[ReplicaSetCondition]:
    """The conditions: a failure keeps its first words for as long as it lasts."""
    others = [each for each in replica_set.status.conditions if each.type != REPLICA_FAILURE]
    if failure is None:
        return others
    if len(others) < len(replica_set.status.conditions):
        return replica_set.status.conditions
    reason, message = failure
    said = ReplicaSetCondition(
        type=REPLICA_FAILURE, status="True", reason=reason, message=message, last_transition_time=now
    )
    return [*others, said]
