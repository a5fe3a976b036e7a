# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Field, IntOrString, LabelSelector, Model, Resource, Time

if TYPE_CHECKING:
    from windlass.kinds.core.v1.pod_template_spec import PodTemplateSpec

__lazy__ = {
    "PodTemplateSpec": "windlass.kinds.core.v1.pod_template_spec",
}


class RollingUpdateDaemonSet(Model):
    max_surge: IntOrString | None = None
    max_unavailable: IntOrString | None = None


class DaemonSetUpdateStrategy(Model):
    rolling_update: RollingUpdateDaemonSet | None = None
    type: str | None = None


class DaemonSetSpec(Model):
    min_ready_seconds: int | None = None
    revision_history_limit: int | None = None
    selector: LabelSelector
    template: "PodTemplateSpec"
    update_strategy: DaemonSetUpdateStrategy | None = None


class DaemonSetCondition(Model):
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str
    type: str


class DaemonSetStatus(Model):
    collision_count: int = 0
    conditions: list[DaemonSetCondition] = []
    current_number_scheduled: int = 0
    desired_number_scheduled: int = 0
    number_available: int = 0
    number_misscheduled: int = 0
    number_ready: int = 0
    number_unavailable: int = 0
    observed_generation: int = 0
    updated_number_scheduled: int = 0


class DaemonSet(Resource, group="apps", version="v1", plural="daemonsets", subresources=('status',)):
    spec: DaemonSetSpec
    status: DaemonSetStatus = Field(default_factory=DaemonSetStatus)
