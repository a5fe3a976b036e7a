# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import LabelSelector, Model

if TYPE_CHECKING:
    from windlass.kinds.core.v1.pod_template_spec import PodTemplateSpec

__lazy__ = {
    "PodTemplateSpec": "windlass.kinds.core.v1.pod_template_spec",
}


class PodFailurePolicyOnExitCodesRequirement(Model):
    container_name: str | None = None
    operator: str
    values: list[int]


class PodFailurePolicyOnPodConditionsPattern(Model):
    status: str | None = None
    type: str


class PodFailurePolicyRule(Model):
    action: str
    on_exit_codes: PodFailurePolicyOnExitCodesRequirement | None = None
    on_pod_conditions: list[PodFailurePolicyOnPodConditionsPattern] = []


class PodFailurePolicy(Model):
    rules: list[PodFailurePolicyRule]


class SuccessPolicyRule(Model):
    succeeded_count: int | None = None
    succeeded_indexes: str | None = None


class SuccessPolicy(Model):
    rules: list[SuccessPolicyRule]


class JobSpec(Model):
    active_deadline_seconds: int | None = None
    backoff_limit: int | None = None
    backoff_limit_per_index: int | None = None
    completion_mode: str | None = None
    completions: int | None = None
    managed_by: str | None = None
    manual_selector: bool | None = None
    max_failed_indexes: int | None = None
    parallelism: int | None = None
    pod_failure_policy: PodFailurePolicy | None = None
    pod_replacement_policy: str | None = None
    selector: LabelSelector | None = None
    success_policy: SuccessPolicy | None = None
    suspend: bool | None = None
    template: "PodTemplateSpec"
    ttl_seconds_after_finished: int | None = None
