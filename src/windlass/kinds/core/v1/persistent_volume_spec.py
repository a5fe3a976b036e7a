# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated, TYPE_CHECKING

from windlass.api import Model, Quantity, Wire

if TYPE_CHECKING:
    from windlass.kinds.core.v1.aws_elastic_block_store_volume_source import AWSElasticBlockStoreVolumeSource
    from windlass.kinds.core.v1.azure_disk_volume_source import AzureDiskVolumeSource
    from windlass.kinds.core.v1.fc_volume_source import FCVolumeSource
    from windlass.kinds.core.v1.flocker_volume_source import FlockerVolumeSource
    from windlass.kinds.core.v1.gce_persistent_disk_volume_source import GCEPersistentDiskVolumeSource
    from windlass.kinds.core.v1.host_path_volume_source import HostPathVolumeSource
    from windlass.kinds.core.v1.nfs_volume_source import NFSVolumeSource
    from windlass.kinds.core.v1.node_selector import NodeSelector
    from windlass.kinds.core.v1.object_reference import ObjectReference
    from windlass.kinds.core.v1.photon_persistent_disk_volume_source import PhotonPersistentDiskVolumeSource
    from windlass.kinds.core.v1.portworx_volume_source import PortworxVolumeSource
    from windlass.kinds.core.v1.quobyte_volume_source import QuobyteVolumeSource
    from windlass.kinds.core.v1.vsphere_virtual_disk_volume_source import VsphereVirtualDiskVolumeSource

__lazy__ = {
    "AWSElasticBlockStoreVolumeSource": "windlass.kinds.core.v1.aws_elastic_block_store_volume_source",
    "AzureDiskVolumeSource": "windlass.kinds.core.v1.azure_disk_volume_source",
    "FCVolumeSource": "windlass.kinds.core.v1.fc_volume_source",
    "FlockerVolumeSource": "windlass.kinds.core.v1.flocker_volume_source",
    "GCEPersistentDiskVolumeSource": "windlass.kinds.core.v1.gce_persistent_disk_volume_source",
    "HostPathVolumeSource": "windlass.kinds.core.v1.host_path_volume_source",
    "NFSVolumeSource": "windlass.kinds.core.v1.nfs_volume_source",
    "NodeSelector": "windlass.kinds.core.v1.node_selector",
    "ObjectReference": "windlass.kinds.core.v1.object_reference",
    "PhotonPersistentDiskVolumeSource": "windlass.kinds.core.v1.photon_persistent_disk_volume_source",
    "PortworxVolumeSource": "windlass.kinds.core.v1.portworx_volume_source",
    "QuobyteVolumeSource": "windlass.kinds.core.v1.quobyte_volume_source",
    "VsphereVirtualDiskVolumeSource": "windlass.kinds.core.v1.vsphere_virtual_disk_volume_source",
}


class AzureFilePersistentVolumeSource(Model):
    read_only: bool | None = None
    secret_name: str
    secret_namespace: str | None = None
    share_name: str


class SecretReference(Model):
    name: str | None = None
    namespace: str | None = None


class CSIPersistentVolumeSource(Model):
    controller_expand_secret_ref: SecretReference | None = None
    controller_publish_secret_ref: SecretReference | None = None
    driver: str
    fs_type: str | None = None
    node_expand_secret_ref: SecretReference | None = None
    node_publish_secret_ref: SecretReference | None = None
    node_stage_secret_ref: SecretReference | None = None
    read_only: bool | None = None
    volume_attributes: dict[str, str] = {}
    volume_handle: str


class CephFSPersistentVolumeSource(Model):
    monitors: list[str]
    path: str | None = None
    read_only: bool | None = None
    secret_file: str | None = None
    secret_ref: SecretReference | None = None
    user: str | None = None


class CinderPersistentVolumeSource(Model):
    fs_type: str | None = None
    read_only: bool | None = None
    secret_ref: SecretReference | None = None
    volume_id: Annotated[str, Wire("volumeID")]


class FlexPersistentVolumeSource(Model):
    driver: str
    fs_type: str | None = None
    options: dict[str, str] = {}
    read_only: bool | None = None
    secret_ref: SecretReference | None = None


class GlusterfsPersistentVolumeSource(Model):
    endpoints: str
    endpoints_namespace: str | None = None
    path: str
    read_only: bool | None = None


class ISCSIPersistentVolumeSource(Model):
    chap_auth_discovery: bool | None = None
    chap_auth_session: bool | None = None
    fs_type: str | None = None
    initiator_name: str | None = None
    iqn: str
    iscsi_interface: str | None = None
    lun: int
    portals: list[str] = []
    read_only: bool | None = None
    secret_ref: SecretReference | None = None
    target_portal: str


class LocalVolumeSource(Model):
    fs_type: str | None = None
    path: str


class RBDPersistentVolumeSource(Model):
    fs_type: str | None = None
    image: str
    keyring: str | None = None
    monitors: list[str]
    pool: str | None = None
    read_only: bool | None = None
    secret_ref: SecretReference | None = None
    user: str | None = None


class ScaleIOPersistentVolumeSource(Model):
    fs_type: str | None = None
    gateway: str
    protection_domain: str | None = None
    read_only: bool | None = None
    secret_ref: SecretReference
    ssl_enabled: bool | None = None
    storage_mode: str | None = None
    storage_pool: str | None = None
    system: str
    volume_name: str | None = None


class StorageOSPersistentVolumeSource(Model):
    fs_type: str | None = None
    read_only: bool | None = None
    secret_ref: "ObjectReference | None" = None
    volume_name: str | None = None
    volume_namespace: str | None = None


class VolumeNodeAffinity(Model):
    required: "NodeSelector | None" = None


class PersistentVolumeSpec(Model):
    access_modes: list[str] = []
    aws_elastic_block_store: "AWSElasticBlockStoreVolumeSource | None" = None
    azure_disk: "AzureDiskVolumeSource | None" = None
    azure_file: AzureFilePersistentVolumeSource | None = None
    capacity: dict[str, Quantity] = {}
    cephfs: CephFSPersistentVolumeSource | None = None
    cinder: CinderPersistentVolumeSource | None = None
    claim_ref: "ObjectReference | None" = None
    csi: CSIPersistentVolumeSource | None = None
    fc: "FCVolumeSource | None" = None
    flex_volume: FlexPersistentVolumeSource | None = None
    flocker: "FlockerVolumeSource | None" = None
    gce_persistent_disk: "GCEPersistentDiskVolumeSource | None" = None
    glusterfs: GlusterfsPersistentVolumeSource | None = None
    host_path: "HostPathVolumeSource | None" = None
    iscsi: ISCSIPersistentVolumeSource | None = None
    local: LocalVolumeSource | None = None
    mount_options: list[str] = []
    nfs: "NFSVolumeSource | None" = None
    node_affinity: VolumeNodeAffinity | None = None
    persistent_volume_reclaim_policy: str | None = None
    photon_persistent_disk: "PhotonPersistentDiskVolumeSource | None" = None
    portworx_volume: "PortworxVolumeSource | None" = None
    quobyte: "QuobyteVolumeSource | None" = None
    rbd: RBDPersistentVolumeSource | None = None
    scale_io: Annotated[ScaleIOPersistentVolumeSource | None, Wire("scaleIO")] = None
    storage_class_name: str | None = None
    storageos: StorageOSPersistentVolumeSource | None = None
    volume_attributes_class_name: str | None = None
    volume_mode: str | None = None
    vsphere_volume: "VsphereVirtualDiskVolumeSource | None" = None
