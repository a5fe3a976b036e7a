"""What a Deployment reports: counts, conditions, and how long it may yet take."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from windlass.cluster.controller.deployment.condition import (
    AVAILABLE,
    PROGRESSING,
    REPLICA_FAILURE,
    Conditions,
)
from windlass.cluster.controller.deployment.rollout import REVISION, age, number, size
from windlass.kinds.apps.v1 import DeploymentCondition, DeploymentStatus

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from windlass.cluster.controller.deployment.rollout import Rollout
    from windlass.kinds.apps.v1 import Deployment, ReplicaSet

_FOREVER: Final = 2**31 - 1
_TIMED_OUT: Final = "ProgressDeadlineExceeded"
_COMPLETE: Final = "NewReplicaSetAvailable"
_PAUSED: Final = "DeploymentPaused"


def status_of(rollout: Rollout, now: datetime, *, created: bool) -> DeploymentStatus:
    """The status of a Deployment; `created` tells that its new set has only just been made."""
    counts = _counts(rollout)
    conditions = Conditions(rollout.deployment.status.conditions, now)
    _tell_pause(rollout, conditions)
    _tell_new_set(rollout, conditions, created=created)
    if counts["available_replicas"] >= rollout.replicas - rollout.max_unavailable:
        said = ("MinimumReplicasAvailable", "Deployment has minimum availability.")
        conditions.set(AVAILABLE, "True", *said)
    else:
        said = ("MinimumReplicasUnavailable", "Deployment does not have minimum availability.")
        conditions.set(AVAILABLE, "False", *said)
    if not (rollout.is_paused or rollout.is_scaling):
        _tell_progress(rollout, counts, conditions)
        _tell_failures(rollout, conditions)
    return DeploymentStatus(
        observed_generation=rollout.deployment.metadata.generation,
        terminating_replicas=sum(each.status.terminating_replicas for each in rollout.sets),
        conditions=conditions.all,
        **{name: count for name, count in counts.items() if count},  # the server keeps no zeros of these
    )


def failed_creation(deployment: Deployment, message: str, now: datetime) -> DeploymentStatus:
    """The status of a Deployment whose new set was refused."""
    conditions = Conditions(deployment.status.conditions, now)
    if deadline_of(deployment):
        conditions.set(PROGRESSING, "False", "ReplicaSetCreateError", message)
    return deployment.status.model_copy(update={"conditions": conditions.all})


def is_complete(deployment: Deployment, status: DeploymentStatus) -> bool:
    """Whether all wanted pods are new ones, and serve, and there are no others."""
    wanted = deployment.spec.replicas or 0
    return status.updated_replicas == status.replicas == status.available_replicas == wanted


def next_look(rollout: Rollout, status: DeploymentStatus, now: datetime) -> timedelta | None:
    """When it will have to be said that a rollout takes too long; None where that cannot be."""
    deadline = deadline_of(rollout.deployment)
    progress = Conditions(status.conditions, now).find(PROGRESSING)
    if rollout.is_paused or not deadline or progress is None or progress.last_update_time is None:
        return None
    if progress.reason == _TIMED_OUT or is_complete(rollout.deployment, status):
        return None
    second = timedelta(seconds=1)  # times on the wire are whole seconds
    return max(progress.last_update_time + deadline - now, timedelta()) + second


def deadline_of(deployment: Deployment) -> timedelta | None:
    """How long a rollout may be without progress; None where nobody asks."""
    seconds = deployment.spec.progress_deadline_seconds
    return None if seconds in (None, _FOREVER) else timedelta(seconds=seconds or 0)


def expendable(rollout: Rollout) -> Sequence[ReplicaSet]:
    """The old sets beyond the history that is wanted, and that have no pods any more."""
    limit = rollout.deployment.spec.revision_history_limit
    if limit in (None, _FOREVER):
        return ()
    staying = [each for each in rollout.old if each.metadata.deletion_timestamp is None]
    staying.sort(key=lambda each: (number(each, REVISION) or 0, age(each)))
    surplus = staying[: max(len(staying) - (limit or 0), 0)]
    return [
        each
        for each in surplus
        if not (size(each) or each.status.replicas)
        and each.status.observed_generation >= each.metadata.generation
    ]


def _counts(rollout: Rollout) -> dict[str, Any]:
    sets = [each.status for each in rollout.sets]
    available = sum(each.available_replicas for each in sets)
    return {
        "replicas": sum(each.replicas for each in sets),
        "updated_replicas": rollout.new.status.replicas if rollout.new else 0,
        "ready_replicas": sum(each.ready_replicas for each in sets),
        "available_replicas": available,
        "unavailable_replicas": max(sum(map(size, rollout.sets)) - available, 0),
        "collision_count": rollout.deployment.status.collision_count,
    }


def _tell_pause(rollout: Rollout, conditions: Conditions) -> None:
    """Time does not run while a Deployment is paused, and begins anew when it is resumed."""
    progress = conditions.find(PROGRESSING)
    reason = progress.reason if progress else ""
    if not deadline_of(rollout.deployment) or reason == _TIMED_OUT:
        return
    if rollout.is_paused and reason != _PAUSED:
        conditions.set(PROGRESSING, "Unknown", _PAUSED, "Deployment is paused")
    elif not rollout.is_paused and reason == _PAUSED:
        conditions.set(PROGRESSING, "Unknown", "DeploymentResumed", "Deployment is resumed")


def _tell_new_set(rollout: Rollout, conditions: Conditions, *, created: bool) -> None:
    if rollout.new is None or not deadline_of(rollout.deployment):
        return
    name = rollout.new.metadata.name
    if created:
        conditions.set(PROGRESSING, "True", "NewReplicaSetCreated", f'Created new replica set "{name}"')
    elif conditions.find(PROGRESSING) is None:
        conditions.set(PROGRESSING, "True", "FoundNewReplicaSet", f'Found new replica set "{name}"')


def _tell_progress(rollout: Rollout, counts: dict[str, Any], conditions: Conditions) -> None:
    deployment = rollout.deployment
    deadline = deadline_of(deployment)
    progress = conditions.find(PROGRESSING)
    if not deadline:
        conditions.remove(PROGRESSING)
        return
    reason = progress.reason if progress else ""
    if reason == _COMPLETE and counts["replicas"] == counts["updated_replicas"]:
        return  # what is done stays done: pods come and go
    new = rollout.new
    what = f'ReplicaSet "{new.metadata.name}"' if new else f'Deployment "{deployment.metadata.name}"'
    if is_complete(deployment, DeploymentStatus(**counts)):
        conditions.set(PROGRESSING, "True", _COMPLETE, f"{what} has successfully progressed.")
    elif _has_progressed(deployment.status, counts):
        conditions.renew(PROGRESSING, "True", "ReplicaSetUpdated", f"{what} is progressing.")
    elif progress and reason != _COMPLETE:
        since = progress.last_update_time
        if reason == _TIMED_OUT or (since is not None and since + deadline < conditions.now):
            conditions.set(PROGRESSING, "False", _TIMED_OUT, f"{what} has timed out progressing.")


def _has_progressed(before: DeploymentStatus, after: dict[str, Any]) -> bool:
    """Whether there are more new pods, more that serve, or fewer old ones."""
    return bool(
        after["updated_replicas"] > before.updated_replicas
        or after["ready_replicas"] > before.ready_replicas
        or after["available_replicas"] > before.available_replicas
        or after["replicas"] - after["updated_replicas"] < before.replicas - before.updated_replicas
    )


def _tell_failures(rollout: Rollout, conditions: Conditions) -> None:
    """Tell what keeps a set from having its pods: first of all the new one."""
    ordered = (*((rollout.new,) if rollout.new else ()), *rollout.old)
    failures = [each for one in ordered for each in one.status.conditions if each.type == REPLICA_FAILURE]
    if not failures:
        conditions.remove(REPLICA_FAILURE)
        return
    said = failures[0]
    moment = said.last_transition_time
    conditions.put(
        DeploymentCondition(
            type=said.type,
            status=said.status,
            reason=said.reason,
            message=said.message,
            last_transition_time=moment,
            last_update_time=moment,
        )
    )
