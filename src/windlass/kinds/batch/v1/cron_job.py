# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Field, Model, ObjectMeta, Resource, Time

if TYPE_CHECKING:
    from windlass.kinds.batch.v1.job_spec import JobSpec
    from windlass.kinds.core.v1.object_reference import ObjectReference

__lazy__ = {
    "JobSpec": "windlass.kinds.batch.v1.job_spec",
    "ObjectReference": "windlass.kinds.core.v1.object_reference",
}


class JobTemplateSpec(Model):
    metadata: ObjectMeta = Field(default_factory=ObjectMeta)
    spec: "JobSpec | None" = None


class CronJobSpec(Model):
    concurrency_policy: str | None = None
    failed_jobs_history_limit: int | None = None
    job_template: JobTemplateSpec
    schedule: str
    starting_deadline_seconds: int | None = None
    successful_jobs_history_limit: int | None = None
    suspend: bool | None = None
    time_zone: str | None = None


class CronJobStatus(Model):
    active: "list[ObjectReference]" = []
    last_schedule_time: Time | None = None
    last_successful_time: Time | None = None


class CronJob(Resource, group="batch", version="v1", plural="cronjobs", subresources=('status',)):
    spec: CronJobSpec
    status: CronJobStatus = Field(default_factory=CronJobStatus)
