"""What a pod is to its Job."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from windlass.cluster.controller.pod_state import is_ready, is_terminating, ready_since

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.kinds.batch.v1 import Job
    from windlass.kinds.core.v1 import Pod
    from windlass.kinds.core.v1.pod import ContainerStatus

TRACKING: Final = "batch.kubernetes.io/job-tracking"
INDEX: Final = "batch.kubernetes.io/job-completion-index"
FAILURES: Final = "batch.kubernetes.io/job-index-failure-count"
IGNORED_FAILURES: Final = "batch.kubernetes.io/job-index-ignored-failure-count"
_PHASES: Final = {"Pending": 0, "Unknown": 1, "Running": 2}
_LONG_AGO: Final = datetime.min.replace(tzinfo=UTC)


def is_tracked(pod: Pod) -> bool:
    """Whether it still has to be counted."""
    return TRACKING in pod.metadata.finalizers


def is_failed(job: Job, pod: Pod) -> bool:
    """Whether it counts as failed; one that is deleted does at once, unless its end is to be waited for."""
    if pod.status.phase == "Failed":
        return True
    return not replaces_only_failed(job) and is_terminating(pod)


def replaces_only_failed(job: Job) -> bool:
    """Whether a pod is replaced when it has ended, and not already when it is told to."""
    return job.spec.pod_replacement_policy == "Failed" or job.spec.pod_failure_policy is not None


def index_of(pod: Pod) -> int | None:
    """Its completion index."""
    text = pod.metadata.annotations.get(INDEX, "")
    return int(text) if text.isascii() and text.isdigit() else None


def indexes_of(pods: Iterable[Pod]) -> Iterable[int]:
    """The completion indexes of pods."""
    return (index for pod in pods if (index := index_of(pod)) is not None)


def failures_of(pod: Pod) -> int:
    """How often its index had failed, for the limit, before it was created."""
    return _number(pod, FAILURES)


def all_failures_of(pod: Pod) -> int:
    """How often its index had failed before it was created, also where that was ignored."""
    return _number(pod, FAILURES) + _number(pod, IGNORED_FAILURES)


def finished_at(pod: Pod) -> datetime:
    """When its last container ended, as well as can be told."""
    sidecars = {each.name for each in pod.spec.init_containers if each.restart_policy == "Always"}
    statuses = [each for each in pod.status.init_container_statuses if each.name in sidecars]
    ends = [_end_of(each) for each in (*pod.status.container_statuses, *statuses)]
    known = [each for each in ends if each is not None]
    if known and len(known) == len(ends):
        return max(known)
    unready = (each for each in pod.status.conditions if each.type == "Ready" and each.status == "False")
    since = next((each.last_transition_time for each in unready), None)
    if since is not None:
        return since
    if pod.metadata.deletion_timestamp is not None:
        grace = timedelta(seconds=pod.metadata.deletion_grace_period_seconds or 0)
        return pod.metadata.deletion_timestamp - grace
    return pod.metadata.creation_timestamp or _LONG_AGO


def cost_of_removal(pod: Pod) -> tuple[bool, int, bool, float, int, float]:
    """By which of several pods are removed first: the one that has got least far."""
    since = ready_since(pod)
    restarts = max((each.restart_count for each in pod.status.container_statuses), default=0)
    created = pod.metadata.creation_timestamp
    return (
        bool(pod.spec.node_name),
        _PHASES.get(pod.status.phase, 0),
        is_ready(pod),
        -since.timestamp() if since else float("-inf"),
        -restarts,
        -created.timestamp() if created else float("-inf"),
    )


def _end_of(status: ContainerStatus) -> datetime | None:
    terminated = status.state.terminated if status.state else None
    return terminated.finished_at if terminated else None


def _number(pod: Pod, annotation: str) -> int:
    text = pod.metadata.annotations.get(annotation, "")
    return int(text) if text.isascii() and text.isdigit() else 0
