"""The volumes of a pod: sorts that are no more, and files that hide each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.warning.storage import GONE, claim_spec
from windlass.schema import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Object = dict[str, Any]

_GONE: Final = {
    "photonPersistentDisk": GONE["photonPersistentDisk"],
    "gitRepo": "deprecated in v1.11, and disabled by default in v1.33+",
    "scaleIO": GONE["scaleIO"],
    "flocker": "deprecated in v1.22, non-functional in v1.25+",
    "storageOS": GONE["storageOS"],
    "quobyte": "deprecated in v1.22, non-functional in v1.25+",
    "glusterfs": GONE["glusterfs"],
    "ephemeral": "",
    "cephfs": GONE["cephfs"],
    "rbd": GONE["rbd"],
}


def volume_warnings(volumes: Sequence[Object], path: str) -> Iterator[str]:
    """Warn of what is doubtful in the volumes of the spec at a path."""
    for index, volume in enumerate(volumes):
        for sort, why in _GONE.items():
            source = volume.get(sort)
            if source is None:
                continue
            where = f"{path}.volumes[{index}].{sort}"
            if why:
                yield f"{where}: {why}"
            else:
                claim = (source.get("volumeClaimTemplate") or {}).get("spec") or {}
                yield from claim_spec(claim, f"{where}.volumeClaimTemplate.spec")
    for volume in volumes:
        yield from _overlaps(volume)


def _overlaps(volume: Object) -> Iterator[str]:
    name = volume.get("name", "")
    for sort, shown, field in (
        ("configMap", "ConfigMap", "name"),
        ("secret", "Secret", "secretName"),
        ("downwardAPI", "DownwardAPI", ""),
    ):
        source = volume.get(sort) or {}
        what = f"{shown} {quoted(source.get(field, ''))}" if field else shown
        paths = [(item.get("path", ""), "") for item in source.get("items") or ()]
        for overlap in _found(paths):
            yield f"volume {quoted(name)} ({what}): overlapping paths: {overlap}"
    if volume.get("projected") is None:
        return
    paths = []
    for source in volume["projected"].get("sources") or ():
        if not source:
            yield f"volume {quoted(name)} (Projected) has no sources provided"
        paths += _projected(source)
    for overlap in _found(paths):
        yield f"volume {quoted(name)} (Projected): overlapping paths: {overlap}"


def _projected(source: Object) -> Iterator[tuple[str, str]]:
    """The paths of one source, each with what it comes from."""
    for sort, shown in (("configMap", "ConfigMap"), ("secret", "Secret"), ("downwardAPI", "DownwardAPI")):
        given = source.get(sort) or {}
        what = shown if sort == "downwardAPI" else f"{shown} {quoted(given.get('name', ''))}"
        for item in given.get("items") or ():
            yield item.get("path", ""), what
    if source.get("serviceAccountToken") is not None:
        yield source["serviceAccountToken"].get("path", ""), "ServiceAccountToken"


def _found(paths: Sequence[tuple[str, str]]) -> Iterator[str]:
    seen: list[tuple[str, str]] = []
    for given, source in paths:
        path = given.rstrip("/")
        for other, theirs in seen:
            if path and other and (f"{other}/".startswith(f"{path}/") or f"{path}/".startswith(f"{other}/")):
                yield f"{_named(path, source)} with {_named(other, theirs)}"
        seen.append((path, source))


def _named(path: str, source: str) -> str:
    return f"{quoted(path)} ({source})" if source else quoted(path)
