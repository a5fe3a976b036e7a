"""Where a PersistentVolume keeps its data: one of many kinds of storage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation import volume_disk as disk
from windlass.apiserver.validation import volume_file as file
from windlass.apiserver.validation import volume_network as network
from windlass.apiserver.validation.declared import Pointer
from windlass.apiserver.validation.names import dns_label, dns_subdomain
from windlass.apiserver.validation.volume_path import validate_no_backsteps
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]

MOUNT_OPTIONS: Final = (
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "glusterfs",
    "nfs",
    "rbd",
    "quobyte",
    "iscsi",
    "cinder",
    "cephfs",
    "azureFile",
    "vsphereVolume",
    "azureDisk",
    "photonPersistentDisk",
)
"""The sources that are mounted with options."""


def validate_source(spec: Fields, path: Path, name: str) -> Iterator[Fault]:
    """The one source that a volume has; `name` is the volume's."""
    found = 0
    for source, check in SOURCES.items():
        fields = spec.get(source)
        if fields is None:
            continue
        if found and source != "flexVolume":
            shown = "cephFS" if source == "cephfs" else source
            yield Fault.forbidden(path.child(shown), "may not specify more than 1 volume type")
            continue
        found += 1
        if source == "iscsi":
            yield from _validate_portal(fields, path.child(source), name)
        yield from check(fields, path.child(_BLAMED.get(source, source)))
        if source == "local" and spec.get("nodeAffinity") is None:
            yield Fault.required(path.child("nodeAffinity"), "Local volume requires node affinity")
    if not found:
        yield Fault.required(path, "must specify a volume type")


def _validate_portal(source: Fields, path: Path, name: str) -> Iterator[Fault]:
    portal = source.get("targetPortal", "")
    if "initiatorName" in source and len(f"{name}:{portal}".encode()) > network.PORTAL_LENGTH:
        yield Fault.invalid(path.child("targetportal"), portal, network.PORTAL_TOO_LONG)


def _validate_iscsi(source: Fields, path: Path) -> Iterator[Fault]:
    for fault in network.validate_iscsi(source, path):
        said = fault.message.replace(
            "must be valid format starting with iqn, eui, or naa", "must be valid format"
        )
        yield Fault(fault.reason, fault.field, said)
    if "secretRef" in source:
        yield from file.required(source["secretRef"], ("name",), path.child("secretRef"))


def _validate_local(source: Fields, path: Path) -> Iterator[Fault]:
    target = source.get("path", "")
    if not target:
        yield Fault.required(path.child("path"))
    yield from validate_no_backsteps(target, path.child("path"))


def _validate_glusterfs(source: Fields, path: Path) -> Iterator[Fault]:
    yield from network.validate_glusterfs(source, path)
    namespace = source.get("endpointsNamespace")
    where = path.child("endpointsNamespace")
    if namespace == "":
        detail = "if the endpointnamespace is set, it must be a valid namespace name"
        yield Fault.invalid(where, namespace, detail)
    for problem in dns_label(namespace) if namespace else ():
        yield Fault.invalid(where, namespace, problem)


def _validate_azure_file(source: Fields, path: Path) -> Iterator[Fault]:
    yield from disk.validate_azure_file(source, path)
    if source.get("secretNamespace") == "":
        yield Fault.required(path.child("secretNamespace"))


def _validate_cinder(source: Fields, path: Path) -> Iterator[Fault]:
    yield from disk.validate_cinder(source, path)
    yield from _validate_secret_namespace(source, path)


def _validate_storage_os(source: Fields, path: Path) -> Iterator[Fault]:
    yield from disk.validate_storage_os(source, path)
    yield from _validate_secret_namespace(source, path)


def _validate_secret_namespace(source: Fields, path: Path) -> Iterator[Fault]:
    if "secretRef" in source:
        yield from file.required(source["secretRef"], ("namespace",), path.child("secretRef"))


def _validate_csi(source: Fields, path: Path) -> Iterator[Fault]:
    yield from disk.validate_csi_driver(source.get("driver", ""), path.child("driver"))
    yield from file.required(source, ("volumeHandle",), path)
    for name in ("controllerPublish", "controllerExpand", "nodePublish", "nodeExpand"):
        reference = source.get(f"{name}SecretRef")
        if reference is not None:
            yield from _validate_secret(reference, path.child(f"{name}SecretRef"))


def _validate_secret(reference: Fields, path: Path) -> Iterator[Fault]:
    for name, rule in (("name", dns_subdomain), ("namespace", dns_label)):
        value = reference.get(name, "")
        if not value:
            yield Fault.required(path.child(name))
        for problem in rule(value) if value else ():
            yield Fault.invalid(path.child(name), value, problem)


SOURCES: Final = {
    "hostPath": file.validate_host_path,
    "gcePersistentDisk": disk.validate_gce_disk,
    "awsElasticBlockStore": disk.validate_aws_disk,
    "glusterfs": _validate_glusterfs,
    "flocker": network.validate_flocker,
    "nfs": network.validate_nfs,
    "rbd": network.validate_rbd,
    "quobyte": network.validate_quobyte,
    "cephfs": network.validate_cephfs,
    "iscsi": _validate_iscsi,
    "cinder": _validate_cinder,
    "fc": network.validate_fibre_channel,
    "flexVolume": disk.validate_flex_volume,
    "azureFile": _validate_azure_file,
    "vsphereVolume": disk.validate_vsphere,
    "photonPersistentDisk": disk.validate_photon,
    "portworxVolume": disk.validate_portworx,
    "azureDisk": disk.validate_azure_disk,
    "scaleIO": disk.validate_scale_io,
    "local": _validate_local,
    "storageos": _validate_storage_os,
    "csi": _validate_csi,
}
"""The kinds of storage, in the order in which they are looked at."""

_BLAMED: Final = {"gcePersistentDisk": "persistentDisk"}
_SECRET: Final = Pointer({"name": "", "namespace": ""})
SOURCE: Final = {
    "gcePersistentDisk=GCEPersistentDisk": None,
    "awsElasticBlockStore=AWSElasticBlockStore": None,
    "hostPath": Pointer({"path": "", "type": None}),
    "glusterfs": None,
    "nfs": Pointer({"server": "", "path": "", "readOnly": False}),
    "rbd": None,
    "quobyte": None,
    "iscsi=ISCSI": None,
    "flexVolume": None,
    "cinder": None,
    "cephfs=CephFS": None,
    "fc": None,
    "flocker": None,
    "azureFile": None,
    "vsphereVolume": None,
    "azureDisk": None,
    "photonPersistentDisk": None,
    "portworxVolume": None,
    "scaleIO": None,
    "local": Pointer({"path": "", "fsType=FSType": None}),
    "storageos=StorageOS": None,
    "csi": Pointer(
        {
            "driver": "",
            "volumeHandle": "",
            "readOnly": False,
            "fsType=FSType": "",
            "volumeAttributes": None,
            "controllerPublishSecretRef": _SECRET,
            "nodeStageSecretRef": _SECRET,
            "nodePublishSecretRef": _SECRET,
            "controllerExpandSecretRef": _SECRET,
            "nodeExpandSecretRef": _SECRET,
        }
    ),
}
"""The sources as Go declares them, the usual ones down to their fields."""
