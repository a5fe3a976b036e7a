"""What a CronJob makes of its Jobs: the next one, those that are too old, what its status says of them."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from windlass.kinds.batch.v1 import Job
from windlass.kinds.batch.v1.cron_job import CronJobStatus
from windlass.kinds.core.v1.object_reference import ObjectReference

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime, tzinfo

    from windlass.kinds.batch.v1 import CronJob

_TIMESTAMP: Final = "batch.kubernetes.io/cronjob-scheduled-timestamp"
Outcome = Literal["Complete", "Failed"]


class Review(NamedTuple):
    """What the Jobs of a CronJob say of it: its status, what has happened, and which active ones are gone."""

    status: CronJobStatus
    completed: Sequence[tuple[str, Outcome]]
    unexpected: Sequence[str]
    missing: Sequence[ObjectReference]


def job_of(cron_job: CronJob, moment: datetime, zone: tzinfo) -> Job:
    """The Job of a moment, by whose minute it is called."""
    template = cron_job.spec.job_template.to_wire()
    given = template.get("metadata", {})
    metadata = {
        "name": name_of(cron_job, moment),
        "labels": given.get("labels", {}),
        "annotations": {**given.get("annotations", {}), _TIMESTAMP: _written(moment, zone)},
    }
    return Job.from_wire({"metadata": metadata, "spec": template.get("spec", {})})


def name_of(cron_job: CronJob, moment: datetime) -> str:
    """The name of the Job of a moment: no moment has two."""
    return f"{cron_job.metadata.name}-{int(moment.timestamp()) // 60}"


def too_old(cron_job: CronJob, jobs: Iterable[Job]) -> Sequence[Job]:
    """The finished Jobs beyond those that are to be kept, oldest first."""
    kept: dict[Outcome, int | None] = {
        "Complete": cron_job.spec.successful_jobs_history_limit,
        "Failed": cron_job.spec.failed_jobs_history_limit,
    }
    found: list[Job] = []
    for outcome, limit in kept.items():
        those = sorted((each for each in jobs if outcome_of(each) == outcome), key=_age)
        found += those[: max(len(those) - limit, 0)] if limit is not None else []
    return found


def review(cron_job: CronJob, jobs: Sequence[Job]) -> Review:
    """What the status is by what its Jobs say."""
    by_uid = {each.metadata.uid: each for each in jobs}
    listed = {each.uid for each in cron_job.status.active}
    active = [each for each in cron_job.status.active if not _has_ended(by_uid.get(each.uid or ""))]
    completed = [
        (each.metadata.name, outcome)
        for each in jobs
        if (outcome := outcome_of(each)) and each.metadata.uid in listed
    ]
    unexpected = [
        each.metadata.name for each in jobs if not _has_ended(each) and each.metadata.uid not in listed
    ]
    missing = [each for each in active if each.uid not in by_uid]
    ends = [each.status.completion_time for each in jobs if outcome_of(each) == "Complete"]
    last = max((each for each in (*ends, cron_job.status.last_successful_time) if each), default=None)
    status = status_of(active, cron_job.status.last_schedule_time, last)
    return Review(status, completed, unexpected, missing)


def status_of(
    active: Sequence[ObjectReference], scheduled: datetime | None, successful: datetime | None
) -> CronJobStatus:
    """A status that has only what there is."""
    fields = {
        "active": list(active),
        "last_schedule_time": scheduled,
        "last_successful_time": successful,
    }
    return CronJobStatus.model_validate({name: value for name, value in fields.items() if value})


def reference_to(job: Job) -> ObjectReference:
    """How a status names a Job."""
    return ObjectReference(
        api_version="batch/v1",
        kind="Job",
        name=job.metadata.name,
        namespace=job.metadata.namespace,
        resource_version=job.metadata.resource_version,
        uid=job.metadata.uid,
    )


def outcome_of(job: Job) -> Outcome | None:
    """How a Job has ended, if it has."""
    for each in job.status.conditions:
        if each.status == "True" and each.type == "Complete":
            return "Complete"
        if each.status == "True" and each.type == "Failed":
            return "Failed"
    return None


def _has_ended(job: Job | None) -> bool:
    return job is not None and outcome_of(job) is not None


def _age(job: Job) -> tuple[bool, float, str]:
    start = job.status.start_time
    return start is None, start.timestamp() if start else 0, job.metadata.name


def _written(moment: datetime, zone: tzinfo) -> str:
    """As RFC 3339 has it, with the offset of the zone."""
    local = moment.astimezone(zone)
    text = local.isoformat(timespec="seconds")
    return text.replace("+00:00", "Z") if zone is UTC or not local.utcoffset() else text
