"""Where a container finds its volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.volume_path import validate_descending
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]

_PROPAGATIONS: Final = ("Bidirectional", "HostToContainer", "None")
_PLAIN: Final = frozenset({"name", "mountPath", "readOnly"})
_RECURSIVE: Final = ("Disabled", "Enabled", "IfPossible")


def validate_mounts(container: Fields, volumes: Mapping[str, Fields], path: Path) -> Iterator[Fault]:
    """The volumes that a container mounts as folders; some faults stand at the list, not at its item."""
    devices = {
        device.get("name", ""): device.get("devicePath", "") for device in container.get("volumeDevices", ())
    }
    taken: set[str] = set()
    for index, mount in enumerate(container["volumeMounts"]):
        name, target = mount.get("name", ""), mount.get("mountPath", "")
        if not name or not target or name not in volumes or target in taken or devices:
            yield from _validate_place(mount, volumes, taken, devices, path.index(index))
        taken.add(target)
        if not mount.keys() <= _PLAIN:
            yield from _validate_options(mount, container, path, index)


def validate_devices(container: Fields, volumes: Mapping[str, Fields], path: Path) -> Iterator[Fault]:
    """The volumes that a container uses as block devices."""
    mounts = {
        mount.get("name", ""): mount.get("mountPath", "") for mount in container.get("volumeMounts", ())
    }
    names: set[str] = set()
    places: set[str] = set()
    for index, device in enumerate(container["volumeDevices"]):
        where, name, place = path.index(index), device.get("name", ""), device.get("devicePath", "")
        yield from _validate_device_name(name, volumes, names, where.child("name"))
        if not place:
            yield Fault.required(where.child("devicePath"))
        if place in places:
            yield Fault.invalid(where.child("devicePath"), place, "must be unique")
        if ".." in place.split("/"):
            yield Fault.invalid(where.child("devicePath"), place, "can not contain backsteps ('..')")
        else:
            places.add(place)
        yield from _validate_overlap((name, place), mounts, where, ("devicePath", "volumeMounts"))
        if name:
            names.add(name)


def _validate_place(
    mount: Fields, volumes: Mapping[str, Fields], taken: set[str], devices: Mapping[str, str], path: Path
) -> Iterator[Fault]:
    name, target = mount.get("name", ""), mount.get("mountPath", "")
    if not name:
        yield Fault.required(path.child("name"))
    if name not in volumes:
        yield Fault.not_found(path.child("name"), name)
    if not target:
        yield Fault.required(path.child("mountPath"))
    if target in taken:
        yield Fault.invalid(path.child("mountPath"), target, "must be unique")
    yield from _validate_overlap((name, target), devices, path, ("mountPath", "volumeDevices"))


def _validate_overlap(
    entry: tuple[str, str], others: Mapping[str, str], path: Path, named: tuple[str, str]
) -> Iterator[Fault]:
    """A name or place that the other list, devices for mounts, has already."""
    (name, place), (field, other) = entry, named
    if name in others:
        yield Fault.invalid(path.child("name"), name, f"must not already exist in {other}")
    if place in others.values():
        yield Fault.invalid(path.child(field), place, f"must not already exist as a path in {other}")


def _validate_options(mount: Fields, container: Fields, path: Path, index: int) -> Iterator[Fault]:
    below, expression = mount.get("subPath", ""), mount.get("subPathExpr", "")
    if below:
        yield from validate_descending(below, path.child("subPath"))
    if expression:
        if below:
            detail = "subPathExpr and subPath are mutually exclusive"
            yield Fault.invalid(path.index(index).child("subPathExpr"), expression, detail)
        yield from validate_descending(expression, path.child("subPathExpr"))
    if "mountPropagation" in mount:
        yield from _validate_propagation(mount["mountPropagation"], container, path.child("mountPropagation"))
    if "recursiveReadOnly" in mount:
        yield from _validate_recursion(mount, path.child("recursiveReadOnly"))


def _validate_propagation(mode: str, container: Fields, path: Path) -> Iterator[Fault]:
    if mode not in _PROPAGATIONS:
        yield Fault.not_supported(path, mode, _PROPAGATIONS)
    if mode == "Bidirectional" and not container.get("securityContext", {}).get("privileged"):
        detail = "Bidirectional mount propagation is available only to privileged containers"
        yield Fault.forbidden(path, detail)


def _validate_recursion(mount: Fields, path: Path) -> Iterator[Fault]:
    mode = mount["recursiveReadOnly"]
    if mode not in _RECURSIVE:
        yield Fault.not_supported(path, mode, _RECURSIVE)
    elif mode != "Disabled":
        if not mount.get("readOnly"):
            yield Fault.forbidden(path, "may only be specified when readOnly is true")
        if mount.get("mountPropagation", "None") != "None":
            detail = "may only be specified when mountPropagation is None or not specified"
            yield Fault.forbidden(path, detail)


def _validate_device_name(
    name: str, volumes: Mapping[str, Fields], names: set[str], path: Path
) -> Iterator[Fault]:
    if not name:
        yield Fault.required(path)
    if name in names:
        yield Fault.invalid(path, name, "must be unique")
    volume = volumes.get(name)
    if volume is None:
        yield Fault.not_found(path, name)
    elif volume.keys().isdisjoint({"persistentVolumeClaim", "ephemeral"}):
        detail = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"
        yield Fault.invalid(path, name, detail)
