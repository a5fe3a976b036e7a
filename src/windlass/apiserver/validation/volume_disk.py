"""Volumes that are disks of a cloud or of a storage product."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.names import dns_label, dns_subdomain
from windlass.apiserver.validation.volume_file import required
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]

_LARGEST_PARTITION: Final = 255
_DRIVER_LENGTH: Final = 63
_CACHING: Final = ("None", "ReadOnly", "ReadWrite")
_DISKS: Final = ("Dedicated", "Managed", "Shared")
_MANAGED: Final = (
    "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"
)
_BLOB: Final = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"


def validate_gce_disk(source: Fields, path: Path) -> Iterator[Fault]:
    """A disk of Google's cloud."""
    yield from required(source, ("pdName",), path)
    yield from _validate_partition(source, path)


def validate_aws_disk(source: Fields, path: Path) -> Iterator[Fault]:
    """A disk of Amazon's cloud."""
    yield from required(source, ("volumeID",), path)
    yield from _validate_partition(source, path)


def validate_azure_file(source: Fields, path: Path) -> Iterator[Fault]:
    """A share of Microsoft's cloud."""
    return required(source, ("secretName", "shareName"), path)


def validate_azure_disk(source: Fields, path: Path) -> Iterator[Fault]:
    """A disk of Microsoft's cloud."""
    yield from required(source, ("diskName", "diskURI"), path)
    caching, kind, uri = source.get("cachingMode"), source.get("kind"), source.get("diskURI", "")
    if caching is not None and caching not in _CACHING:
        yield Fault.not_supported(path.child("cachingMode"), caching, _CACHING)
    if kind is not None and kind not in _DISKS:
        yield Fault.not_supported(path.child("kind"), kind, _DISKS)
    if kind == "Managed" and not uri.startswith("/subscriptions/"):
        yield Fault.not_supported(path.child("diskURI"), uri, [_MANAGED])
    if kind not in (None, "Managed") and not uri.startswith("https://"):
        yield Fault.not_supported(path.child("diskURI"), uri, [_BLOB])


def validate_cinder(source: Fields, path: Path) -> Iterator[Fault]:
    """A disk of OpenStack."""
    yield from required(source, ("volumeID",), path)
    yield from _validate_secret(source, path)


def validate_vsphere(source: Fields, path: Path) -> Iterator[Fault]:
    """A disk of vSphere."""
    return required(source, ("volumePath",), path)


def validate_photon(source: Fields, path: Path) -> Iterator[Fault]:
    """A disk of Photon."""
    return required(source, ("pdID",), path)


def validate_portworx(source: Fields, path: Path) -> Iterator[Fault]:
    """A Portworx volume."""
    return required(source, ("volumeID",), path)


def validate_scale_io(source: Fields, path: Path) -> Iterator[Fault]:
    """A ScaleIO volume."""
    return required(source, ("gateway", "system", "volumeName"), path)


def validate_storage_os(source: Fields, path: Path) -> Iterator[Fault]:
    """A StorageOS volume."""
    yield from required(source, ("volumeName",), path)
    for name in ("volumeName", "volumeNamespace"):
        value = source.get(name, "")
        for problem in dns_label(value) if value else ():
            yield Fault.invalid(path.child(name), value, problem)
    yield from _validate_secret(source, path)


def validate_flex_volume(source: Fields, path: Path) -> Iterator[Fault]:
    """A volume of a program on the node."""
    yield from required(source, ("driver",), path)
    for key in source.get("options", {}):
        domain = f".{key.partition('/')[0].lower()}"
        if domain.endswith((".kubernetes.io", ".k8s.io")):
            detail = "kubernetes.io and k8s.io namespaces are reserved"
            yield Fault.invalid(path.child("options").key(key), key, detail)


def validate_csi(source: Fields, path: Path) -> Iterator[Fault]:
    """A volume of a storage driver."""
    yield from validate_csi_driver(source.get("driver", ""), path.child("driver"))
    if "nodePublishSecretRef" in source:
        name = source["nodePublishSecretRef"].get("name", "")
        if not name:
            yield Fault.required(path.child("nodePublishSecretRef", "name"))
        for problem in dns_subdomain(name) if name else ():
            yield Fault.invalid(path.child("name"), name, problem)


def validate_csi_driver(name: str, path: Path) -> Iterator[Fault]:
    """The name of a storage driver: a subdomain, in letters of any case."""
    if not name:
        yield Fault.required(path)
        return
    if len(name.encode()) > _DRIVER_LENGTH:
        yield Fault.too_long(path, _DRIVER_LENGTH)
    for problem in dns_subdomain(name.lower()):
        yield Fault.invalid(path, name, problem)


def _validate_partition(source: Fields, path: Path) -> Iterator[Fault]:
    number = source.get("partition", 0)
    if not 0 <= number <= _LARGEST_PARTITION:
        yield Fault.invalid(path.child("partition"), number, "must be between 1 and 255, inclusive")


def _validate_secret(source: Fields, path: Path) -> Iterator[Fault]:
    if "secretRef" in source:
        yield from required(source["secretRef"], ("name",), path.child("secretRef"))
