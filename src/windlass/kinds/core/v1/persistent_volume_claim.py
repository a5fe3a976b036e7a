# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Field, Model, Quantity, Resource, Time

if TYPE_CHECKING:
    from windlass.kinds.core.v1.persistent_volume_claim_spec import PersistentVolumeClaimSpec

__lazy__ = {
    "PersistentVolumeClaimSpec": "windlass.kinds.core.v1.persistent_volume_claim_spec",
}


class ModifyVolumeStatus(Model):
    status: str = ""
    target_volume_attributes_class_name: str = ""


class PersistentVolumeClaimCondition(Model):
    last_probe_time: Time | None = None
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str
    type: str


class PersistentVolumeClaimStatus(Model):
    access_modes: list[str] = []
    allocated_resource_statuses: dict[str, str] = {}
    allocated_resources: dict[str, Quantity] = {}
    capacity: dict[str, Quantity] = {}
    conditions: list[PersistentVolumeClaimCondition] = []
    current_volume_attributes_class_name: str = ""
    modify_volume_status: ModifyVolumeStatus | None = None
    phase: str = ""


class PersistentVolumeClaim(Resource, group="", version="v1", plural="persistentvolumeclaims", subresources=('status',)):
    spec: "PersistentVolumeClaimSpec" = Field(default_factory=lambda: PersistentVolumeClaimSpec())
    status: PersistentVolumeClaimStatus = Field(default_factory=PersistentVolumeClaimStatus)
