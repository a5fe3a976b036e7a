# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Field, Model, Resource, Time

if TYPE_CHECKING:
    from windlass.kinds.core.v1.persistent_volume_spec import PersistentVolumeSpec

__lazy__ = {
    "PersistentVolumeSpec": "windlass.kinds.core.v1.persistent_volume_spec",
}


class VolumeAttachmentSource(Model):
    inline_volume_spec: "PersistentVolumeSpec | None" = None
    persistent_volume_name: str | None = None


class VolumeAttachmentSpec(Model):
    attacher: str
    node_name: str
    source: VolumeAttachmentSource


class VolumeError(Model):
    error_code: int | None = None
    message: str | None = None
    time: Time | None = None


class VolumeAttachmentStatus(Model):
    attach_error: VolumeError | None = None
    attached: bool = False
    attachment_metadata: dict[str, str] = {}
    detach_error: VolumeError | None = None


class VolumeAttachment(Resource, group="storage.k8s.io", version="v1", plural="volumeattachments", namespaced=False, subresources=('status',)):
    spec: VolumeAttachmentSpec
    status: VolumeAttachmentStatus = Field(default_factory=VolumeAttachmentStatus)
