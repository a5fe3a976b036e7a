"""Whether a Job has come to its end, and why."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from windlass.cluster.controller.job.pod import is_failed
from windlass.cluster.controller.job.policy import judge_failure, met_success_rule
from windlass.cluster.controller.job.spec import completions, is_indexed, is_limited_per_index

if TYPE_CHECKING:
    from datetime import datetime

    from windlass.cluster.controller.job.survey import Survey
    from windlass.kinds.batch.v1.job import JobCondition


class Ending(NamedTuple):
    """How a Job ends: it is announced first, and stated when the last pod has ended and is counted."""

    succeeds: bool
    reason: str
    message: str

    @property
    def announcement(self) -> str:
        """The type of the condition that says so while pods are left."""
        return "SuccessCriteriaMet" if self.succeeds else "FailureTarget"

    @property
    def statement(self) -> str:
        """The type of the condition that says so at the end."""
        return "Complete" if self.succeeds else "Failed"


def early_ending(survey: Survey, now: datetime) -> Ending | None:
    """How a Job ends while pods may still be at work; what was announced before stays so."""
    return (
        _announced(survey)
        or _end_by_failure_policy(survey)
        or _end_by_limit(survey)
        or _end_by_deadline(survey, now)
        or _end_by_failed_indexes(survey)
        or _end_by_success_policy(survey)
    )


def completion(survey: Survey) -> Ending | None:
    """The end of a Job whose pods have all done their work."""
    wanted = 1 if survey.job.spec.completions is None else survey.job.spec.completions
    if survey.active or survey.succeeded < wanted:
        return None
    return Ending(True, "CompletionsReached", "Reached expected number of succeeded pods")  # noqa: FBT003


def time_to_deadline(survey: Survey, now: datetime) -> timedelta | None:
    """How long a Job may still be active."""
    job = survey.job
    if job.spec.active_deadline_seconds is None or job.status.start_time is None or job.spec.suspend:
        return None
    return job.status.start_time + timedelta(seconds=job.spec.active_deadline_seconds) - now


def find(conditions: list[JobCondition], type_: str) -> JobCondition | None:
    """The condition of a type, if it is there and true."""
    return next((each for each in conditions if each.type == type_ and each.status == "True"), None)


def _fails(reason: str, message: str) -> Ending:
    return Ending(False, reason, message)  # noqa: FBT003


def _announced(survey: Survey) -> Ending | None:
    for succeeds, type_ in ((True, "SuccessCriteriaMet"), (False, "FailureTarget")):
        found = find(survey.job.status.conditions, type_)
        if found:
            return Ending(succeeds, found.reason or "", found.message or "")
    return None


def _end_by_failure_policy(survey: Survey) -> Ending | None:
    for pod in survey.pods if survey.job.spec.pod_failure_policy else ():
        if is_failed(survey.job, pod):
            failure = judge_failure(survey.job, pod)
            if failure.action == "FailJob":
                return _fails("PodFailurePolicy", failure.message)
    return None


def _end_by_limit(survey: Survey) -> Ending | None:
    limit = survey.job.spec.backoff_limit
    if limit is None or not (survey.failed > limit or _restarts(survey) >= max(limit, 1)):
        return None
    return _fails("BackoffLimitExceeded", "Job has reached the specified backoff limit")


def _restarts(survey: Survey) -> int:
    """How often containers were started again, where that is how a Job tries again."""
    spec = survey.job.spec.template.spec
    if spec is None or spec.restart_policy != "OnFailure":
        return 0
    return sum(
        each.restart_count
        for pod in survey.pods
        if pod.status.phase in ("Running", "Pending")
        for each in (*pod.status.init_container_statuses, *pod.status.container_statuses)
    )


def _end_by_deadline(survey: Survey, now: datetime) -> Ending | None:
    left = time_to_deadline(survey, now)
    if left is None or left > timedelta():
        return None
    return _fails("DeadlineExceeded", "Job was active longer than specified deadline")


def _end_by_failed_indexes(survey: Survey) -> Ending | None:
    if not is_limited_per_index(survey.job):
        return None
    failed, most = len(survey.failed_indexes), survey.job.spec.max_failed_indexes
    if most is not None and failed > most:
        return _fails(
            "MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes"
        )
    if failed and failed + survey.succeeded >= completions(survey.job):
        return _fails("FailedIndexes", "Job has failed indexes")
    return None


def _end_by_success_policy(survey: Survey) -> Ending | None:
    rule = met_success_rule(survey.job, survey.completed) if is_indexed(survey.job) else None
    if rule is None:
        return None
    return Ending(True, "SuccessPolicy", f"Matched rules at index {rule}")  # noqa: FBT003
