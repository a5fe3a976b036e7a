"""What a Job wants, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.cluster.controller.job.pod import index_of

if TYPE_CHECKING:
    from windlass.kinds.batch.v1 import Job
    from windlass.kinds.core.v1 import Pod


def is_ours(job: Job) -> bool:
    """Whether nobody else says that the Job is his."""
    return job.spec.managed_by in (None, "kubernetes.io/job-controller")


def is_indexed(job: Job) -> bool:
    """Whether each completion is one of its own."""
    return job.spec.completion_mode == "Indexed"


def is_limited_per_index(job: Job) -> bool:
    """Whether each index may fail so and so often."""
    return is_indexed(job) and job.spec.backoff_limit_per_index is not None


def completions(job: Job) -> int:
    """How many completions are wanted, where that is said."""
    return job.spec.completions or 0


def index_within(job: Job, pod: Pod) -> int | None:
    """The completion index of a pod, if it is one that the Job has."""
    found = index_of(pod) if is_indexed(job) else None
    return found if found is not None and found < completions(job) else None
