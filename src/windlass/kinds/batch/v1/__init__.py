"""The kinds of batch/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.batch.v1.cron_job import CronJob as CronJob
    from windlass.kinds.batch.v1.cron_job import CronJobSpec as CronJobSpec
    from windlass.kinds.batch.v1.cron_job import CronJobStatus as CronJobStatus
    from windlass.kinds.batch.v1.job import Job as Job
    from windlass.kinds.batch.v1.job import JobCondition as JobCondition
    from windlass.kinds.batch.v1.job_spec import JobSpec as JobSpec
    from windlass.kinds.batch.v1.job import JobStatus as JobStatus
    from windlass.kinds.batch.v1.cron_job import JobTemplateSpec as JobTemplateSpec
    from windlass.kinds.batch.v1.job_spec import PodFailurePolicy as PodFailurePolicy
    from windlass.kinds.batch.v1.job_spec import PodFailurePolicyOnExitCodesRequirement as PodFailurePolicyOnExitCodesRequirement
    from windlass.kinds.batch.v1.job_spec import PodFailurePolicyOnPodConditionsPattern as PodFailurePolicyOnPodConditionsPattern
    from windlass.kinds.batch.v1.job_spec import PodFailurePolicyRule as PodFailurePolicyRule
    from windlass.kinds.batch.v1.job_spec import SuccessPolicy as SuccessPolicy
    from windlass.kinds.batch.v1.job_spec import SuccessPolicyRule as SuccessPolicyRule
    from windlass.kinds.batch.v1.job import UncountedTerminatedPods as UncountedTerminatedPods

__lazy__ = {
    "CronJob": "windlass.kinds.batch.v1.cron_job",
    "CronJobSpec": "windlass.kinds.batch.v1.cron_job",
    "CronJobStatus": "windlass.kinds.batch.v1.cron_job",
    "Job": "windlass.kinds.batch.v1.job",
    "JobCondition": "windlass.kinds.batch.v1.job",
    "JobSpec": "windlass.kinds.batch.v1.job_spec",
    "JobStatus": "windlass.kinds.batch.v1.job",
    "JobTemplateSpec": "windlass.kinds.batch.v1.cron_job",
    "PodFailurePolicy": "windlass.kinds.batch.v1.job_spec",
    "PodFailurePolicyOnExitCodesRequirement": "windlass.kinds.batch.v1.job_spec",
    "PodFailurePolicyOnPodConditionsPattern": "windlass.kinds.batch.v1.job_spec",
    "PodFailurePolicyRule": "windlass.kinds.batch.v1.job_spec",
    "SuccessPolicy": "windlass.kinds.batch.v1.job_spec",
    "SuccessPolicyRule": "windlass.kinds.batch.v1.job_spec",
    "UncountedTerminatedPods": "windlass.kinds.batch.v1.job",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
