"""What an update may change of a PersistentVolumeClaim: little, most of it only once the claim is bound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.declared import Pointer, as_declared, difference
from windlass.apiserver.validation.immutable import validate_unchanged
from windlass.apiserver.validation.meta import IMMUTABLE, METADATA
from windlass.apiserver.validation.resource import quantity
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.api import Quantity

    Object = Mapping[str, Any]

_SPEC: Final = Path("spec")
_CLASS: Final = "volume.beta.kubernetes.io/storage-class"
_SOURCE: Final = {"apiGroup": None, "kind": "", "name": ""}
_CLAIM: Final = {
    "accessModes": None,
    "selector": None,
    "resources": {"limits": None, "requests": None},
    "volumeName": "",
    "storageClassName": None,
    "volumeMode": None,
    "dataSource": Pointer(_SOURCE),
    "dataSourceRef": Pointer({**_SOURCE, "namespace": None}),
    "volumeAttributesClassName": None,
}


def validate_claim_update(obj: Object, old: Object) -> Iterator[Fault]:
    """A claim beside what it was."""
    new_class, old_class = _noted_class(obj), _noted_class(old)
    if (new_class or "") != (old_class or "") and not _is_moved_class(obj, old):
        yield Fault.invalid(METADATA.child("annotations", _CLASS), new_class or "", IMMUTABLE)
    before, after = _comparable(obj, old)
    if _meaning(before) != _meaning(after):
        told = difference(as_declared(before, _CLAIM), as_declared(after, _CLAIM))
        rule = "except resources.requests and volumeAttributesClassName for bound claims"
        yield Fault.forbidden(_SPEC, f"spec is immutable after creation {rule}\n{told}")
    capacity = (old.get("status", {}).get("capacity") or {}).get("storage", "0")
    if _size(obj) < _size(old) and _size(obj) <= quantity(capacity):
        path = _SPEC.child("resources", "requests", "storage")
        yield Fault.forbidden(path, "field can not be less than status.capacity")
    mode, was = (each.get("spec", {}).get("volumeMode") for each in (obj, old))
    yield from validate_unchanged(mode, was, "volumeMode")
    yield from _validate_attributes(obj, old)


def _comparable(obj: Object, old: Object) -> tuple[dict[str, Any], dict[str, Any]]:
    """The old and the new spec without the differences that are fine."""
    before, after = dict(old.get("spec", {})), dict(obj.get("spec", {}))
    if not before.get("volumeName"):
        before["volumeName"] = after.get("volumeName", "")
    unnamed = before.get("storageClassName") is None
    if unnamed and _noted_class(old) in (None, after.get("storageClassName")):
        after.pop("storageClassName", None)  # a class may be given later
    requests = after.get("resources", {}).get("requests")
    if obj.get("status", {}).get("phase") == "Bound":
        if requests:
            kept = {**requests, "storage": _requested(old)}
            after["resources"] = {**after["resources"], "requests": kept}
        after["volumeAttributesClassName"] = before.get("volumeAttributesClassName")
    return before, after


def _is_moved_class(obj: Object, old: Object) -> bool:
    """Whether the class moves from the annotation, where it once stood, to its field."""
    noted, named = _noted_class(old), obj.get("spec", {}).get("storageClassName")
    return (
        noted is not None
        and old.get("spec", {}).get("storageClassName") is None
        and named == noted
        and _noted_class(obj) in (None, noted)
    )


def _validate_attributes(obj: Object, old: Object) -> Iterator[Fault]:
    name = obj.get("spec", {}).get("volumeAttributesClassName")
    if name == old.get("spec", {}).get("volumeAttributesClassName") or name:
        return
    if old.get("status", {}).get("currentVolumeAttributesClassName") is not None:
        becomes = "nil" if name is None else "empty string"
        detail = f"update to {becomes} is forbidden when status.currentVolumeAttributesClassName is not nil"
        yield Fault.forbidden(_SPEC.child("volumeAttributesClassName"), detail)


def _noted_class(obj: Object) -> str | None:
    annotations: Mapping[str, str] = obj["metadata"].get("annotations") or {}
    return annotations.get(_CLASS)


def _requested(obj: Object) -> str:
    return str((obj.get("spec", {}).get("resources", {}).get("requests") or {}).get("storage", "0"))


def _size(obj: Object) -> Quantity:
    return quantity(_requested(obj))


def _meaning(spec: Mapping[str, Any]) -> dict[str, Any]:
    """A spec without what is empty, which means the same as absent."""
    return {name: value for name, value in spec.items() if value not in (None, "", [], {})}
