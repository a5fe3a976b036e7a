"""The volumes of a pod: their names, and that each has exactly one source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation import volume_disk, volume_file, volume_network, volume_projected
from windlass.apiserver.validation.names import dns_label, dns_subdomain
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping, Sequence

    Fields = Mapping[str, Any]
    Check = Callable[[Fields, Path], Iterator[Fault]]

_TWO_TYPES: Final = "may not specify more than 1 volume type"

_SOURCES: Final[dict[str, Check]] = {
    "emptyDir": volume_file.validate_empty_dir,
    "hostPath": volume_file.validate_host_path,
    "gitRepo": volume_file.validate_git_repo,
    "gcePersistentDisk": volume_disk.validate_gce_disk,
    "awsElasticBlockStore": volume_disk.validate_aws_disk,
    "secret": volume_file.validate_secret,
    "nfs": volume_network.validate_nfs,
    "iscsi": volume_network.validate_iscsi,
    "glusterfs": volume_network.validate_glusterfs,
    "flocker": volume_network.validate_flocker,
    "persistentVolumeClaim": volume_file.validate_claim,
    "rbd": volume_network.validate_rbd,
    "cinder": volume_disk.validate_cinder,
    "cephfs": volume_network.validate_cephfs,
    "quobyte": volume_network.validate_quobyte,
    "downwardAPI": volume_projected.validate_downward_files,
    "fc": volume_network.validate_fibre_channel,
    "flexVolume": volume_disk.validate_flex_volume,
    "configMap": volume_file.validate_config_map,
    "azureFile": volume_disk.validate_azure_file,
    "vsphereVolume": volume_disk.validate_vsphere,
    "photonPersistentDisk": volume_disk.validate_photon,
    "portworxVolume": volume_disk.validate_portworx,
    "azureDisk": volume_disk.validate_azure_disk,
    "storageos": volume_disk.validate_storage_os,
    "projected": volume_projected.validate_projected,
    "scaleIO": volume_disk.validate_scale_io,
    "csi": volume_disk.validate_csi,
    "ephemeral": volume_file.validate_ephemeral,
    "image": volume_file.validate_image,
}
"""In the server's order: of two sources the second is at fault."""

_CALLED_OTHERWISE: Final = {"cephfs": "cephFS", "downwardAPI": "downwarAPI"}
"""How the server names these when they come second."""


def check_volumes(
    volumes: Sequence[Fields], path: Path, pod_name: str = ""
) -> tuple[dict[str, Fields], list[Fault]]:
    """The volumes without a fault by their names, which containers can mount, and the faults of the others.

    `pod_name` is empty in a template, whose pods have no names yet.
    """
    usable: dict[str, Fields] = {}
    faults: list[Fault] = []
    created = {f"{pod_name}-{each.get('name', '')}" for each in volumes if pod_name and "ephemeral" in each}
    for index, volume in enumerate(volumes):
        where = path.index(index)
        found = [*_validate_source(volume, where, pod_name), *_validate_name(volume, where, usable)]
        if not found:
            usable[volume["name"]] = volume
        faults += found
        claim = volume.get("persistentVolumeClaim", {}).get("claimName", "")
        if claim in created:
            detail = "must not reference a PVC that gets created for an ephemeral volume"
            faults.append(Fault.invalid(where.child("persistentVolumeClaim", "claimName"), claim, detail))
    return usable, faults


def _validate_name(volume: Fields, path: Path, names: Container[str]) -> Iterator[Fault]:
    name = volume.get("name", "")
    if not name:
        yield Fault.required(path.child("name"))
    for problem in dns_label(name) if name else ():
        yield Fault.invalid(path.child("name"), name, problem)
    if name in names:
        yield Fault.duplicate(path.child("name"), name)


def _validate_source(volume: Fields, path: Path, pod_name: str) -> Iterator[Fault]:
    found = ""
    for source in volume if len(volume) <= 2 else _SOURCES:  # noqa: PLR2004 - a name and a source: no order
        if source not in volume or source not in _SOURCES:
            continue
        if found:
            yield Fault.forbidden(path.child(_CALLED_OTHERWISE.get(source, source)), _TWO_TYPES)
            continue
        found = source
        if source == "image" and pod_name and not volume[source].get("reference"):
            yield Fault.required(path.child("image", "reference"))
        at = "persistentDisk" if source == "gcePersistentDisk" else source
        yield from _SOURCES[source](volume[source], path.child(at))
        if source == "ephemeral":
            yield from _validate_created_claim(volume.get("name", ""), pod_name, path)
    if "iscsi" in volume:
        yield from _validate_initiator(volume, path)
    if not found:
        yield Fault.required(path, "must specify a volume type")


def _validate_created_claim(name: str, pod_name: str, path: Path) -> Iterator[Fault]:
    if name and pod_name:
        claim = f"{pod_name}-{name}"
        for problem in dns_subdomain(claim):
            yield Fault.invalid(path.child("name"), name, f'PVC name "{claim}": {problem}')


def _validate_initiator(volume: Fields, path: Path) -> Iterator[Fault]:
    name, portal = volume.get("name", ""), volume["iscsi"].get("targetPortal", "")
    if "initiatorName" in volume["iscsi"] and len(f"{name}:{portal}") > volume_network.PORTAL_LENGTH:
        yield Fault.invalid(path.child("name"), name, volume_network.PORTAL_TOO_LONG)
