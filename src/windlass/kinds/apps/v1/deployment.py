# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Field, IntOrString, LabelSelector, Model, Resource, Time

if TYPE_CHECKING:
    from windlass.kinds.core.v1.pod_template_spec import PodTemplateSpec

__lazy__ = {
    "PodTemplateSpec": "windlass.kinds.core.v1.pod_template_spec",
}


class RollingUpdateDeployment(Model):
    max_surge: IntOrString | None = None
    max_unavailable: IntOrString | None = None


class DeploymentStrategy(Model):
    rolling_update: RollingUpdateDeployment | None = None
    type: str | None = None


class DeploymentSpec(Model):
    min_ready_seconds: int | None = None
    paused: bool | None = None
    progress_deadline_seconds: int | None = None
    replicas: int | None = None
    revision_history_limit: int | None = None
    selector: LabelSelector
    strategy: DeploymentStrategy | None = None
    template: "PodTemplateSpec"


class DeploymentCondition(Model):
    last_transition_time: Time | None = None
    last_update_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str
    type: str


class DeploymentStatus(Model):
    available_replicas: int = 0
    collision_count: int = 0
    conditions: list[DeploymentCondition] = []
    observed_generation: int = 0
    ready_replicas: int = 0
    replicas: int = 0
    terminating_replicas: int = 0
    unavailable_replicas: int = 0
    updated_replicas: int = 0


class Deployment(Resource, group="apps", version="v1", plural="deployments", subresources=('scale', 'status')):
    spec: DeploymentSpec
    status: DeploymentStatus = Field(default_factory=DeploymentStatus)
