# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Field, Model, Resource, Time

if TYPE_CHECKING:
    from windlass.kinds.core.v1.persistent_volume_spec import PersistentVolumeSpec

__lazy__ = {
    "PersistentVolumeSpec": "windlass.kinds.core.v1.persistent_volume_spec",
}


class PersistentVolumeStatus(Model):
    last_phase_transition_time: Time | None = None
    message: str = ""
    phase: str = ""
    reason: str = ""


class PersistentVolume(Resource, group="", version="v1", plural="persistentvolumes", namespaced=False, subresources=('status',)):
    spec: "PersistentVolumeSpec" = Field(default_factory=lambda: PersistentVolumeSpec())
    status: PersistentVolumeStatus = Field(default_factory=PersistentVolumeStatus)
