# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Field, Model, Resource, Time

if TYPE_CHECKING:
    from windlass.kinds.batch.v1.job_spec import JobSpec

__lazy__ = {
    "JobSpec": "windlass.kinds.batch.v1.job_spec",
}


class JobCondition(Model):
    last_probe_time: Time | None = None
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str
    type: str


class UncountedTerminatedPods(Model):
    failed: list[str] = []
    succeeded: list[str] = []


class JobStatus(Model):
    active: int = 0
    completed_indexes: str = ""
    completion_time: Time | None = None
    conditions: list[JobCondition] = []
    failed: int = 0
    failed_indexes: str = ""
    ready: int = 0
    start_time: Time | None = None
    succeeded: int = 0
    terminating: int = 0
    uncounted_terminated_pods: UncountedTerminatedPods | None = None


class Job(Resource, group="batch", version="v1", plural="jobs", subresources=('status',)):
    spec: "JobSpec"
    status: JobStatus = Field(default_factory=JobStatus)
