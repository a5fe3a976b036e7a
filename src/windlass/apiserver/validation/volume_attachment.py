"""VolumeAttachment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.declared import as_declared
from windlass.apiserver.validation.meta import IMMUTABLE, validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain
from windlass.apiserver.validation.number import LARGEST_INT32
from windlass.apiserver.validation.persistent_volume import validate_inline
from windlass.apiserver.validation.volume_disk import validate_csi_driver
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]

_SPEC: Final = Path("spec")
_STATUS: Final = Path("status")
_LARGEST_METADATA: Final = 256 * 1024
_LONGEST_MESSAGE: Final = 1024
_ATTACHMENT: Final = {
    "attacher": "",
    "source": {"persistentVolumeName": None, "inlineVolumeSpec": None},
    "nodeName": "",
}


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A VolumeAttachment, whose spec stays."""
    yield from validate_object_meta(obj, old, dns_subdomain, namespaced=False)
    spec, status = obj.get("spec", {}), obj.get("status", {})
    source, node = spec.get("source", {}), spec.get("nodeName", "")
    yield from validate_csi_driver(spec.get("attacher", ""), _SPEC.child("attacher"))
    yield from _validate_source(source, _SPEC.child("source"))
    for problem in dns_subdomain(node):
        yield Fault.invalid(_SPEC.child("nodeName"), node, problem)
    yield from _validate_status(status)
    name = source.get("persistentVolumeName")
    for problem in dns_subdomain(name) if name is not None else ():
        yield Fault.invalid("spec.source.persistentVolumeName", name, problem)
    if old is not None and spec != old.get("spec", {}):
        yield Fault.invalid(_SPEC, as_declared(spec, _ATTACHMENT), IMMUTABLE)


validate_status = validate
"""A write of the status is checked as a whole."""


def _validate_source(source: Object, path: Path) -> Iterator[Fault]:
    inline, name = source.get("inlineVolumeSpec"), source.get("persistentVolumeName")
    detail = "must specify exactly one of inlineVolumeSpec and persistentVolumeName"
    if inline is None and name is None:
        yield Fault.required(path, detail)
    elif inline is not None and name is not None:
        yield Fault.forbidden(path, detail)
    elif inline is not None:
        yield from validate_inline(inline, path.child("inlineVolumeSpec"))
    elif not name:
        where = path.child("persistentVolumeName")
        yield Fault.required(where, "must specify non empty persistentVolumeName")


def _validate_status(status: Object) -> Iterator[Fault]:
    metadata = status.get("attachmentMetadata") or {}
    if sum(len(key.encode()) + len(value.encode()) for key, value in metadata.items()) > _LARGEST_METADATA:
        yield Fault.too_long(_STATUS.child("attachmentMetadata"), _LARGEST_METADATA)
    for name in ("attachError", "detachError"):
        error, path = status.get(name) or {}, _STATUS.child(name)
        if len(error.get("message", "").encode()) > _LONGEST_MESSAGE:
            yield Fault.too_long(path.child("message"), _LARGEST_METADATA)  # the server names the wrong limit
        code = error.get("errorCode", 0)
        if code < 0:
            detail = f"must be between 0 and {LARGEST_INT32}, inclusive"
            yield Fault.invalid(path.child("errorCode"), code, detail)
