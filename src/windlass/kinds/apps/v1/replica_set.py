# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Field, LabelSelector, Model, Resource, Time

if TYPE_CHECKING:
    from windlass.kinds.core.v1.pod_template_spec import PodTemplateSpec

__lazy__ = {
    "PodTemplateSpec": "windlass.kinds.core.v1.pod_template_spec",
}


class ReplicaSetSpec(Model):
    min_ready_seconds: int | None = None
    replicas: int | None = None
    selector: LabelSelector
    template: "PodTemplateSpec | None" = None


class ReplicaSetCondition(Model):
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str
    type: str


class ReplicaSetStatus(Model):
    available_replicas: int = 0
    conditions: list[ReplicaSetCondition] = []
    fully_labeled_replicas: int = 0
    observed_generation: int = 0
    ready_replicas: int = 0
    replicas: int = 0
    terminating_replicas: int = 0


class ReplicaSet(Resource, group="apps", version="v1", plural="replicasets", subresources=('scale', 'status')):
    spec: ReplicaSetSpec
    status: ReplicaSetStatus = Field(default_factory=ReplicaSetStatus)
