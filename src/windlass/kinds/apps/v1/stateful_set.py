# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Field, IntOrString, LabelSelector, Model, Resource, Time

if TYPE_CHECKING:
    from windlass.kinds.core.v1.persistent_volume_claim import PersistentVolumeClaim
    from windlass.kinds.core.v1.pod_template_spec import PodTemplateSpec

__lazy__ = {
    "PersistentVolumeClaim": "windlass.kinds.core.v1.persistent_volume_claim",
    "PodTemplateSpec": "windlass.kinds.core.v1.pod_template_spec",
}


class RollingUpdateStatefulSetStrategy(Model):
    max_unavailable: IntOrString | None = None
    partition: int | None = None


class StatefulSetOrdinals(Model):
    start: int | None = None


class StatefulSetPersistentVolumeClaimRetentionPolicy(Model):
    when_deleted: str | None = None
    when_scaled: str | None = None


class StatefulSetUpdateStrategy(Model):
    rolling_update: RollingUpdateStatefulSetStrategy | None = None
    type: str | None = None


class StatefulSetSpec(Model):
    min_ready_seconds: int | None = None
    ordinals: StatefulSetOrdinals | None = None
    persistent_volume_claim_retention_policy: StatefulSetPersistentVolumeClaimRetentionPolicy | None = None
    pod_management_policy: str | None = None
    replicas: int | None = None
    revision_history_limit: int | None = None
    selector: LabelSelector
    service_name: str | None = None
    template: "PodTemplateSpec"
    update_strategy: StatefulSetUpdateStrategy | None = None
    volume_claim_templates: "list[PersistentVolumeClaim]" = []


class StatefulSetCondition(Model):
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str
    type: str


class StatefulSetStatus(Model):
    available_replicas: int = 0
    collision_count: int = 0
    conditions: list[StatefulSetCondition] = []
    current_replicas: int = 0
    current_revision: str = ""
    observed_generation: int = 0
    ready_replicas: int = 0
    replicas: int = 0
    update_revision: str = ""
    updated_replicas: int = 0


class StatefulSet(Resource, group="apps", version="v1", plural="statefulsets", subresources=('scale', 'status')):
    spec: StatefulSetSpec
    status: StatefulSetStatus = Field(default_factory=StatefulSetStatus)
