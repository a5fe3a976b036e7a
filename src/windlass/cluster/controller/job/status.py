"""The status of a Job: which pods are written down, which are numbers, and what its conditions say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from windlass.cluster.controller.job.indexes import Indexes
from windlass.cluster.controller.job.pod import index_of, is_failed, is_tracked
from windlass.cluster.controller.job.policy import judge_failure
from windlass.cluster.controller.job.spec import index_within, is_indexed, is_limited_per_index
from windlass.cluster.controller.pod_state import is_ready
from windlass.kinds.batch.v1.job import JobCondition, JobStatus, UncountedTerminatedPods

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from windlass.cluster.controller.job.ending import Ending
    from windlass.cluster.controller.job.survey import Survey
    from windlass.kinds.core.v1 import Pod

_MOST: Final = 500
_TERMINAL: Final = ("Complete", "Failed")


@dataclass(frozen=True)
class Count:
    """Which pods are to be released, the uids to write down before that, and whether that was all.

    `left` are the uids of pods that are still to be counted after that.
    """

    release: Sequence[Pod]
    left: Collection[str]
    succeeded: Sequence[str]
    failed: Sequence[str]
    completed: Indexes
    is_whole: bool


def count(survey: Survey, ending: Ending | None) -> Count:
    """Which pods have come to their end; at the end of the Job all have, and so many at a time.

    A number of uids is written down at most, so that the status stays small.
    """
    known_succeeded, known_failed = survey.written_down
    uncounted = survey.job.status.uncounted_terminated_pods or UncountedTerminatedPods()
    succeeded, failed = list(uncounted.succeeded), list(uncounted.failed)
    indexes: list[int] = []
    release: list[Pod] = []
    for pod in sorted(survey.pods, key=_order):
        if len(succeeded) + len(failed) + len(indexes) >= _MOST:
            break
        if not is_tracked(pod) or not _may_go(survey, pod, ending):
            continue
        release.append(pod)
        uid = pod.metadata.uid
        if pod.status.phase == "Succeeded" and uid not in known_failed:
            index = index_within(survey.job, pod)
            if index is not None and index not in survey.completed_before:
                indexes.append(index)
            elif not is_indexed(survey.job) and uid not in known_succeeded:
                succeeded.append(uid)
        elif uid not in known_failed and _counts_as_failure(survey, pod, ending):
            failed.append(uid)
    is_whole = len(succeeded) + len(failed) + len(indexes) < _MOST
    left = {pod.metadata.uid for pod in survey.pods if is_tracked(pod)}
    left.difference_update(pod.metadata.uid for pod in release)
    completed = survey.completed_before | Indexes.of(indexes)
    return Count(release, left, succeeded, failed, completed, is_whole)


def written(survey: Survey, seen: Survey, counted: Count, conditions: Sequence[JobCondition]) -> JobStatus:
    """The status with the pods written down that are about to be released.

    `seen` is how the pods are after everything that was done to them.
    """
    before = survey.job.status
    completed = str(counted.completed) if is_indexed(survey.job) else ""
    numbers: dict[str, Any] = {
        "active": len(seen.active),
        "succeeded": len(counted.completed) if is_indexed(survey.job) else before.succeeded,
        "failed": before.failed,
        "completed_indexes": completed,
        "start_time": before.start_time,
        "completion_time": before.completion_time,
        "conditions": list(conditions),
    }
    status = JobStatus(
        ready=sum(map(is_ready, seen.active)),
        terminating=len(seen.terminating),
        uncounted_terminated_pods=_uncounted(counted.succeeded, counted.failed),
        **{name: value for name, value in numbers.items() if value},
    )
    if is_limited_per_index(survey.job):
        status.failed_indexes = str(survey.failed_indexes)
    return status


def settled(status: JobStatus, tracked: Collection[str]) -> JobStatus:
    """The status in which each pod that was written down and is no longer tracked has become a number."""
    uncounted = status.uncounted_terminated_pods or UncountedTerminatedPods()
    left_succeeded = [uid for uid in uncounted.succeeded if uid in tracked]
    left_failed = [uid for uid in uncounted.failed if uid in tracked]
    result = status.model_copy(deep=True)
    result.uncounted_terminated_pods = _uncounted(left_succeeded, left_failed)
    if len(uncounted.succeeded) > len(left_succeeded):
        result.succeeded += len(uncounted.succeeded) - len(left_succeeded)
    if len(uncounted.failed) > len(left_failed):
        result.failed += len(uncounted.failed) - len(left_failed)
    return result


def stated(status: JobStatus, ending: Ending, now: datetime) -> JobStatus:
    """The status with the condition that a Job has ended, once no pod is left to end or to count."""
    uncounted = status.uncounted_terminated_pods or UncountedTerminatedPods()
    if status.terminating or uncounted.succeeded or uncounted.failed:
        return status
    result = status.model_copy(deep=True)
    result.conditions = [*status.conditions, condition(ending.statement, ending, now)]
    if ending.succeeds:
        result.completion_time = now
    return result


def announced(conditions: Sequence[JobCondition], ending: Ending, now: datetime) -> Sequence[JobCondition]:
    """The conditions with the announcement of the end, if it is not there yet."""
    if any(each.type == ending.announcement and each.status == "True" for each in conditions):
        return conditions
    return [*conditions, condition(ending.announcement, ending, now)]


def condition(type_: str, ending: Ending, now: datetime) -> JobCondition:
    """A condition that says how a Job ends."""
    return _condition(type_, "True", (ending.reason, ending.message), now)


def suspension(conditions: Sequence[JobCondition], now: datetime, *, suspended: bool) -> list[JobCondition]:
    """The conditions, one of which says whether a Job is suspended, if it ever was."""
    said = ("JobSuspended", "Job suspended") if suspended else ("JobResumed", "Job resumed")
    wanted = _condition("Suspended", "True" if suspended else "False", said, now)
    result = list(conditions)
    for place, each in enumerate(result):
        if each.type == "Suspended":
            result[place] = each if each.status == wanted.status else wanted
            return result
    return [*result, wanted] if suspended else result


def begun(status: JobStatus, now: datetime, *, suspended: bool) -> JobStatus:
    """The status with the time since which a Job is active: a suspended one is not."""
    was_suspended = any(each.type == "Suspended" and each.status == "True" for each in status.conditions)
    if suspended:
        start = status.start_time if was_suspended else None
    else:
        start = now if was_suspended else status.start_time or now
    return status.model_copy(update={"start_time": start})


def is_finished(status: JobStatus) -> bool:
    """Whether a Job has ended, for good."""
    return any(each.type in _TERMINAL and each.status == "True" for each in status.conditions)


def _order(pod: Pod) -> tuple[int, str]:
    index = index_of(pod)
    return -1 if index is None else index, pod.metadata.name


def _may_go(survey: Survey, pod: Pod, ending: Ending | None) -> bool:
    if ending is not None or pod.status.phase == "Succeeded":
        return True
    if not is_failed(survey.job, pod):
        return False
    index = index_within(survey.job, pod)
    held = survey.predecessors.get(index) if index is not None else None
    return held is None or held.metadata.uid != pod.metadata.uid


def _counts_as_failure(survey: Survey, pod: Pod, ending: Ending | None) -> bool:
    """Whether a pod is a failure.

    At the end of a Job that fails, each one is that has not succeeded; when it succeeds, those that it stops
    itself are none.
    """
    if is_indexed(survey.job) and index_within(survey.job, pod) is None:
        return False
    ended = not ending.succeeds or pod.status.phase == "Failed" if ending else is_failed(survey.job, pod)
    return ended and judge_failure(survey.job, pod).counts


def _uncounted(succeeded: Sequence[str], failed: Sequence[str]) -> UncountedTerminatedPods:
    lists = {"succeeded": list(succeeded), "failed": list(failed)}
    return UncountedTerminatedPods(**{name: uids for name, uids in lists.items() if uids})


def _condition(type_: str, status: str, said: tuple[str, str], now: datetime) -> JobCondition:
    reason, message = said
    return JobCondition(
        type=type_,
        status=status,
        reason=reason,
        message=message,
        last_probe_time=now,
        last_transition_time=now,
    )
