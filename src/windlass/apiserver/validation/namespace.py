"""Namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.meta import validate_object_meta
from windlass.apiserver.validation.names import dns_label, label_key
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]

_FINALIZERS: Final = Path("spec").child("finalizers")
_STANDARD: Final = ("kubernetes", "orphan", "foregroundDeletion")


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A Namespace: its metadata and its own finalizers."""
    yield from validate_object_meta(obj, old, dns_label, namespaced=False)
    for name in obj.get("spec", {}).get("finalizers", ()):
        yield from _validate_finalizer(name, _FINALIZERS)


def validate_status(obj: Object, old: Object) -> Iterator[Fault]:
    """The phase, which says whether the namespace is being deleted and nothing else."""
    yield from validate_object_meta(obj, old, dns_label, namespaced=False)
    deleted = bool(obj["metadata"].get("deletionTimestamp"))
    wanted = "Terminating" if deleted else "Active"
    phase = obj.get("status", {}).get("phase", "")
    if phase != wanted:
        detail = f"may only be '{wanted}' if `deletionTimestamp` is {'not ' if deleted else ''}empty"
        yield Fault.invalid(Path("status").child("Phase"), phase, detail)


def validate_finalize(obj: Object, old: Object) -> Iterator[Fault]:
    """The finalizers that are left."""
    yield from validate_object_meta(obj, old, dns_label, namespaced=False)
    for index, name in enumerate(obj.get("spec", {}).get("finalizers", ())):
        yield from _validate_finalizer(name, _FINALIZERS.index(index))


def _validate_finalizer(name: str, path: Path) -> Iterator[Fault]:
    for problem in label_key(name):
        yield Fault.invalid(path, name, problem)
    if "/" not in name and name not in _STANDARD:
        detail = "name is neither a standard finalizer name nor is it fully qualified"
        yield Fault.invalid(path, name, detail)
