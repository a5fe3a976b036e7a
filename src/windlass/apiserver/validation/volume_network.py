"""Volumes on file servers and networks of disks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.number import between
from windlass.apiserver.validation.volume_file import required
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]

PORTAL_LENGTH: Final = 64
PORTAL_TOO_LONG: Final = (
    "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if "
    "iscsi.initiatorName is specified."
)

_LARGEST_LUN: Final = 255
_TENANT_LENGTH: Final = 64
_PAIRS: Final = "must be a host:port pair or multiple pairs separated by commas"
_INITIATORS: Final = {
    "iqn": r"iqn\.[0-9]{4}-[0-9]{2}\.([A-Za-z0-9.-]+)(:[^,;*&$|\s]+)\Z",
    "eui": r"^eui.[A-Za-z0-9]{16}\Z",
    "naa": r"^naa.[A-Za-z0-9]{32}\Z",
}


def validate_nfs(source: Fields, path: Path) -> Iterator[Fault]:
    """A folder of a file server."""
    yield from required(source, ("server", "path"), path)
    if not source.get("path", "").startswith("/"):
        yield Fault.invalid(path.child("path"), source.get("path", ""), "must be an absolute path")


def validate_iscsi(source: Fields, path: Path) -> Iterator[Fault]:
    """A disk behind an iSCSI portal."""
    yield from required(source, ("targetPortal", "iqn"), path)
    if source.get("iqn"):
        yield from _validate_initiator(source["iqn"], path.child("iqn"))
    yield from _validate_lun(source, path)
    if (source.get("chapAuthDiscovery") or source.get("chapAuthSession")) and "secretRef" not in source:
        yield Fault.required(path.child("secretRef"))
    if "initiatorName" in source:
        yield from _validate_initiator(source["initiatorName"], path.child("initiatorname"))


def validate_fibre_channel(source: Fields, path: Path) -> Iterator[Fault]:
    """A disk on a Fibre Channel network."""
    names, ids = source.get("targetWWNs", ()), source.get("wwids", ())
    if not names and not ids:
        detail = "must specify either targetWWNs or wwids, but not both"
        yield Fault.required(path.child("targetWWNs"), detail)
    if names and ids:
        detail = "targetWWNs and wwids can not be specified simultaneously"
        yield Fault.invalid(path.child("targetWWNs"), names, detail)
    if names and "lun" not in source:
        yield Fault.required(path.child("lun"), "lun is required if targetWWNs is specified")
    elif names:
        yield from _validate_lun(source, path)


def validate_glusterfs(source: Fields, path: Path) -> Iterator[Fault]:
    """A Gluster volume."""
    return required(source, ("endpoints", "path"), path)


def validate_flocker(source: Fields, path: Path) -> Iterator[Fault]:
    """A Flocker data set."""
    name, uuid = source.get("datasetName", ""), source.get("datasetUUID", "")
    if not name and not uuid:
        yield Fault.required(path, "one of datasetName and datasetUUID is required")
    if name and uuid:
        detail = "datasetName and datasetUUID can not be specified simultaneously"
        yield Fault.invalid(path, "resource", detail)
    if "/" in name:
        yield Fault.invalid(path.child("datasetName"), name, "must not contain '/'")


def validate_rbd(source: Fields, path: Path) -> Iterator[Fault]:
    """A Ceph block device."""
    return required(source, ("monitors", "image"), path)


def validate_cephfs(source: Fields, path: Path) -> Iterator[Fault]:
    """A Ceph file system."""
    return required(source, ("monitors",), path)


def validate_quobyte(source: Fields, path: Path) -> Iterator[Fault]:
    """A Quobyte volume."""
    registry = source.get("registry", "")
    if not registry:
        yield Fault.required(path.child("registry"), _PAIRS)
    elif len(source.get("tenant", "").encode()) > _TENANT_LENGTH:
        detail = "must be a UUID and may not exceed a length of 64 characters"
        yield Fault.required(path.child("tenant"), detail)
    else:
        for pair in registry.split(","):
            if not _is_host_and_port(pair):
                yield Fault.invalid(path.child("registry"), registry, _PAIRS)
    yield from required(source, ("volume",), path)


def _validate_initiator(name: str, path: Path) -> Iterator[Fault]:
    pattern = _INITIATORS.get(name[:3])
    if pattern is None:
        yield Fault.invalid(path, name, "must be valid format starting with iqn, eui, or naa")
    elif not re.search(pattern, name):
        yield Fault.invalid(path, name, "must be valid format")


def _validate_lun(source: Fields, path: Path) -> Iterator[Fault]:
    number = source.get("lun", 0)
    for problem in between(number, 0, _LARGEST_LUN):
        yield Fault.invalid(path.child("lun"), number, problem)


def _is_host_and_port(pair: str) -> bool:
    if pair.startswith("["):
        host, bracket, rest = pair[1:].partition("]")
        return bool(bracket) and rest.startswith(":") and ":" not in rest[1:] and "[" not in host + rest
    return pair.count(":") == 1 and "[" not in pair and "]" not in pair
