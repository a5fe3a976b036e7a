"""The kinds of storage/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.storage.v1.csi_driver import CSIDriver as CSIDriver
    from windlass.kinds.storage.v1.csi_driver import CSIDriverSpec as CSIDriverSpec
    from windlass.kinds.storage.v1.csi_node import CSINode as CSINode
    from windlass.kinds.storage.v1.csi_node import CSINodeDriver as CSINodeDriver
    from windlass.kinds.storage.v1.csi_node import CSINodeSpec as CSINodeSpec
    from windlass.kinds.storage.v1.csi_storage_capacity import CSIStorageCapacity as CSIStorageCapacity
    from windlass.kinds.storage.v1.storage_class import StorageClass as StorageClass
    from windlass.kinds.storage.v1.csi_driver import TokenRequest as TokenRequest
    from windlass.kinds.storage.v1.volume_attachment import VolumeAttachment as VolumeAttachment
    from windlass.kinds.storage.v1.volume_attachment import VolumeAttachmentSource as VolumeAttachmentSource
    from windlass.kinds.storage.v1.volume_attachment import VolumeAttachmentSpec as VolumeAttachmentSpec
    from windlass.kinds.storage.v1.volume_attachment import VolumeAttachmentStatus as VolumeAttachmentStatus
    from windlass.kinds.storage.v1.volume_attributes_class import VolumeAttributesClass as VolumeAttributesClass
    from windlass.kinds.storage.v1.volume_attachment import VolumeError as VolumeError
    from windlass.kinds.storage.v1.csi_node import VolumeNodeResources as VolumeNodeResources

__lazy__ = {
    "CSIDriver": "windlass.kinds.storage.v1.csi_driver",
    "CSIDriverSpec": "windlass.kinds.storage.v1.csi_driver",
    "CSINode": "windlass.kinds.storage.v1.csi_node",
    "CSINodeDriver": "windlass.kinds.storage.v1.csi_node",
    "CSINodeSpec": "windlass.kinds.storage.v1.csi_node",
    "CSIStorageCapacity": "windlass.kinds.storage.v1.csi_storage_capacity",
    "StorageClass": "windlass.kinds.storage.v1.storage_class",
    "TokenRequest": "windlass.kinds.storage.v1.csi_driver",
    "VolumeAttachment": "windlass.kinds.storage.v1.volume_attachment",
    "VolumeAttachmentSource": "windlass.kinds.storage.v1.volume_attachment",
    "VolumeAttachmentSpec": "windlass.kinds.storage.v1.volume_attachment",
    "VolumeAttachmentStatus": "windlass.kinds.storage.v1.volume_attachment",
    "VolumeAttributesClass": "windlass.kinds.storage.v1.volume_attributes_class",
    "VolumeError": "windlass.kinds.storage.v1.volume_attachment",
    "VolumeNodeResources": "windlass.kinds.storage.v1.csi_node",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
