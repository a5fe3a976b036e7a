"""Volumes that gather Secrets, ConfigMaps, tokens, certificates and the pod's own fields into files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.pod_reference import (
    FILE_FIELDS,
    validate_field_reference,
    validate_resource_reference,
)
from windlass.apiserver.validation.volume_file import required, validate_items, validate_mode
from windlass.apiserver.validation.volume_path import validate_not_reserved
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Fields = Mapping[str, Any]

_SHORTEST_TOKEN: Final = 10 * 60
_LONGEST_TOKEN: Final = 1 << 32
_CONFLICT: Final = "conflicting duplicate paths"


def validate_downward_files(source: Fields, path: Path) -> Iterator[Fault]:
    """The pod's own fields as files; the faults of a file stand at the volume."""
    yield from validate_mode(source, "defaultMode", path)
    for file in source.get("items", ()):
        yield from _validate_downward_file(file, path)


def validate_projected(source: Fields, path: Path) -> Iterator[Fault]:
    """Several sources in one folder, in which no two files may have one path."""
    yield from validate_mode(source, "defaultMode", path)
    paths: set[str] = set()
    for index, projection in enumerate(source.get("sources") or ()):
        where = path.child("sources").index(index)
        count = 0
        for name, check in _PROJECTIONS.items():
            if name in projection:
                count += 1
                yield from check(projection[name], where.child(name), path)
                yield from _validate_conflicts(projection[name], name, paths, path)
        if count > 1:
            yield Fault.forbidden(where, "may not specify more than 1 volume type per source")


def _validate_downward_file(file: Fields, path: Path) -> Iterator[Fault]:
    yield from required(file, ("path",), path)
    yield from validate_not_reserved(file.get("path", ""), path.child("path"))
    if "fieldRef" in file:
        yield from validate_field_reference(file["fieldRef"], path.child("fieldRef"), FILE_FIELDS)
        if "resourceFieldRef" in file:
            detail = "fieldRef and resourceFieldRef can not be specified simultaneously"
            yield Fault.invalid(path, "resource", detail)
    elif "resourceFieldRef" in file:
        where = path.child("resourceFieldRef")
        yield from validate_resource_reference(file["resourceFieldRef"], where, needs_container=True)
    else:
        yield Fault.required(path, "one of fieldRef and resourceFieldRef is required")
    yield from validate_mode(file, "mode", path)


def _validate_keys(projection: Fields, path: Path, _volume: Path) -> Iterator[Fault]:
    yield from required(projection, ("name",), path)
    yield from validate_items(projection.get("items", ()), path.child("items"))


def _validate_downward(projection: Fields, path: Path, _volume: Path) -> Iterator[Fault]:
    for file in projection.get("items", ()):
        yield from _validate_downward_file(file, path)


def _validate_token(projection: Fields, path: Path, volume: Path) -> Iterator[Fault]:
    seconds = projection.get("expirationSeconds", 0)
    if seconds < _SHORTEST_TOKEN:
        detail = "may not specify a duration less than 10 minutes"
        yield Fault.invalid(path.child("expirationSeconds"), seconds, detail)
    if seconds > _LONGEST_TOKEN:
        detail = "may not specify a duration larger than 2^32 seconds"
        yield Fault.invalid(path.child("expirationSeconds"), seconds, detail)
    if not projection.get("path"):
        yield Fault.required(volume.child("path"))
    else:
        yield from validate_not_reserved(projection["path"], volume.child("path"))


def _validate_conflicts(projection: Fields, kind: str, paths: set[str], path: Path) -> Iterator[Fault]:
    if kind == "serviceAccountToken":
        return  # the server does not look at its path
    for item in projection.get("items", ()):
        target = item.get("path")
        if target in paths:
            blamed = target if kind == "downwardAPI" else projection.get("name", "")
            yield Fault.invalid(path, blamed, _CONFLICT)
        elif target:
            paths.add(target)


_PROJECTIONS: Final[dict[str, Callable[[Fields, Path, Path], Iterator[Fault]]]] = {
    "secret": _validate_keys,
    "configMap": _validate_keys,
    "downwardAPI": _validate_downward,
    "serviceAccountToken": _validate_token,
}
"""In the server's order. Trust bundles and pod certificates are off by default, and dropped."""
