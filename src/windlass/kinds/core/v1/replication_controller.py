# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Field, Model, Resource, Time

if TYPE_CHECKING:
    from windlass.kinds.core.v1.pod_template_spec import PodTemplateSpec

__lazy__ = {
    "PodTemplateSpec": "windlass.kinds.core.v1.pod_template_spec",
}


class ReplicationControllerSpec(Model):
    min_ready_seconds: int | None = None
    replicas: int | None = None
    selector: dict[str, str] = {}
    template: "PodTemplateSpec | None" = None


class ReplicationControllerCondition(Model):
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str
    type: str


class ReplicationControllerStatus(Model):
    available_replicas: int = 0
    conditions: list[ReplicationControllerCondition] = []
    fully_labeled_replicas: int = 0
    observed_generation: int = 0
    ready_replicas: int = 0
    replicas: int = 0


class ReplicationController(Resource, group="", version="v1", plural="replicationcontrollers", subresources=('scale', 'status')):
    spec: ReplicationControllerSpec = Field(default_factory=ReplicationControllerSpec)
    status: ReplicationControllerStatus = Field(default_factory=ReplicationControllerStatus)
