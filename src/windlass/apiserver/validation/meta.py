"""The metadata that every object has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.label import validate_labels
from windlass.apiserver.validation.names import dns_label, label_key, path_segment, path_segment_prefix
from windlass.apiserver.validation.number import NEGATIVE
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    Meta = Mapping[str, Any]
    NameRule = Callable[[str], Sequence[str]]

METADATA: Final = Path("metadata")
IMMUTABLE: Final = "field is immutable"

_ANNOTATIONS_SIZE: Final = 256 * 1024
_MANAGER_LENGTH: Final = 128
_SUBRESOURCE_LENGTH: Final = 256
_STANDARD_FINALIZERS: Final = ("kubernetes", "orphan", "foregroundDeletion")
_NEVER_CHANGED: Final = (
    "name",
    "namespace",
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
)


def validate_object_meta(
    obj: Meta, old: Meta | None, name_rule: NameRule, *, namespaced: bool = True
) -> Iterator[Fault]:
    """The metadata of a built-in object: of a new one with its kind's rule for names, else beside the old."""
    yield from validate_plain_meta(obj, old, name_rule, namespaced=namespaced)
    yield from validate_standard_finalizers(obj.get("metadata", {}), METADATA)


def validate_plain_meta(
    obj: Meta, old: Meta | None, name_rule: NameRule, *, namespaced: bool = True
) -> Iterator[Fault]:
    """The same for kinds whose finalizers may have any name.

    The order is the server's. An update looks at names only as parts of a path, because the kind's rule may
    have become stricter since the object was created.
    """
    meta = obj.get("metadata", {})
    if old is None:
        yield from validate_meta(meta, METADATA, namespaced=namespaced, name_rule=name_rule)
    else:
        yield from validate_meta(meta, METADATA, namespaced=namespaced, name_rule=path_segment)
        yield from validate_meta_update(meta, old.get("metadata", {}), METADATA)


def validate_meta(meta: Meta, path: Path, *, namespaced: bool, name_rule: NameRule) -> Iterator[Fault]:
    """Metadata on its own; a name has been generated where one was asked for."""
    yield from _validate_name(meta, path, name_rule)
    namespace = meta.get("namespace", "")
    if namespaced and not namespace:
        yield Fault.required(path.child("namespace"))
    elif namespaced:
        for problem in dns_label(namespace):
            yield Fault.invalid(path.child("namespace"), namespace, problem)
    elif namespace:
        yield Fault.forbidden(path.child("namespace"), "not allowed on this type")
    if meta.get("generation", 0) < 0:
        yield Fault.invalid(path.child("generation"), meta["generation"], NEGATIVE)
    for name, validate_part in _PARTS:
        part = meta.get(name)
        if part:
            yield from validate_part(part, path.child(name))


def validate_meta_update(new: Meta, old: Meta, path: Path) -> Iterator[Fault]:
    """What may not change, and what a change may not bring; comes on top of `validate_meta`."""
    if old.get("deletionTimestamp"):
        extra = sorted(set(new.get("finalizers", ())) - set(old.get("finalizers", ())))
        if extra:
            listed = ", ".join(f'"{name}"' for name in extra)
            yield Fault.forbidden(
                path.child("finalizers"),
                "no new finalizers can be added if the object is being deleted, "
                f"found new finalizers []string{{{listed}}}",
            )
    if not new.get("resourceVersion"):
        yield Fault.invalid(path.child("resourceVersion"), "", "must be specified for an update")
    if new.get("generation", 0) < old.get("generation", 0):
        yield Fault.invalid(path.child("generation"), new.get("generation", 0), "must not be decremented")
    for name in _NEVER_CHANGED:
        if new.get(name) != old.get(name):
            absent = None if name.startswith(("deletion", "creation")) else ""
            yield Fault.invalid(path.child(name), new.get(name, absent), IMMUTABLE)


def validate_standard_finalizers(meta: Meta, path: Path) -> Iterator[Fault]:
    """Finalizers of built-in kinds: those without a domain are the few that Kubernetes itself uses."""
    for index, name in enumerate(meta.get("finalizers", ())):
        if "/" not in name and name not in _STANDARD_FINALIZERS:
            yield Fault.invalid(
                path.child("finalizers").index(index),
                name,
                "name is neither a standard finalizer name nor is it fully qualified",
            )


def validate_annotations(annotations: Mapping[str, str] | None, path: Path) -> Iterator[Fault]:
    """Keys like those of labels but for the case of their letters, and a limit for all of them together."""
    size = 0
    for key, value in (annotations or {}).items():
        size += len(key.encode()) + len(value.encode())
        for problem in label_key(key.lower()):
            yield Fault.invalid(path, key, problem)
    if size > _ANNOTATIONS_SIZE:
        yield Fault.too_long(path, _ANNOTATIONS_SIZE)


def validate_manager(manager: str, path: Path) -> Iterator[Fault]:
    """The name of a field manager: short and printable."""
    if len(manager.encode()) > _MANAGER_LENGTH:
        yield Fault.too_long(path, _MANAGER_LENGTH)
    if manager.isprintable():
        return
    position = 0
    for character in manager:
        if not character.isprintable():
            code = f"U+{ord(character):04X}"
            yield Fault.invalid(path, manager, f"invalid character {code} (at position {position})")
        position += len(character.encode())


def validate_prefix(meta: Meta, path: Path, rule: NameRule) -> Iterator[Fault]:
    """What names are to begin with, by the rule for names."""
    prefix = meta.get("generateName", "")
    if prefix:
        prefix_rule = path_segment_prefix if rule is path_segment else rule
        for problem in prefix_rule(_masked(prefix)):
            yield Fault.invalid(path.child("generateName"), prefix, problem)


def _validate_name(meta: Meta, path: Path, rule: NameRule) -> Iterator[Fault]:
    if "generateName" in meta:
        yield from validate_prefix(meta, path, rule)
    name = meta.get("name", "")
    if not name:
        yield Fault.required(path.child("name"), "name or generateName is required")
        return
    for problem in rule(name):
        yield Fault.invalid(path.child("name"), name, problem)


def _masked(prefix: str) -> str:
    """A name's beginning may end in a dash; the server cuts one character more than it puts back."""
    return f"{prefix[:-2]}a" if len(prefix) > 1 and prefix.endswith("-") else prefix


def _validate_owners(owners: Sequence[Meta], path: Path) -> Iterator[Fault]:
    controller = ""
    for owner in owners:
        yield from _validate_owner(owner, path)
        if owner.get("controller"):
            named = f"{owner.get('kind', '')}/{owner.get('name', '')}"
            if controller:
                yield Fault.invalid(
                    path,
                    [_as_declared(each) for each in owners],
                    "Only one reference can have Controller set to true. "
                    f'Found "true" in references for {controller} and {named}',
                )
            controller = controller or named


def _validate_owner(owner: Meta, path: Path) -> Iterator[Fault]:
    version = owner.get("apiVersion", "")
    if not version or version.endswith("/") or version.count("/") > 1:
        yield Fault.invalid(path.child("apiVersion"), version, "version must not be empty")
    for name in ("kind", "name", "uid"):
        if not owner.get(name):
            yield Fault.invalid(path.child(name), "", "must not be empty")
    if version in ("v1", "/v1") and owner.get("kind") == "Event":
        yield Fault.invalid(path, _as_declared(owner), "/v1, Kind=Event is disallowed from being an owner")


def _as_declared(owner: Meta) -> dict[str, Any]:
    """An owner as the server shows it: its fields in the order of their declaration."""
    shown = {name: owner.get(name, "") for name in ("apiVersion", "kind", "name", "uid")}
    return shown | {name: owner[name] for name in ("controller", "blockOwnerDeletion") if name in owner}


def _validate_finalizers(finalizers: Sequence[str], path: Path) -> Iterator[Fault]:
    for name in finalizers:
        for problem in label_key(name):
            yield Fault.invalid(path, name, problem)
    if "orphan" in finalizers and "foregroundDeletion" in finalizers:
        yield Fault.invalid(path, finalizers, "finalizer orphan and foregroundDeletion cannot be both set")


def _validate_managed_fields(entries: Sequence[Meta], path: Path) -> Iterator[Fault]:
    for index, entry in enumerate(entries):
        operation = entry.get("operation", "")
        if operation not in ("Apply", "Update"):
            yield Fault.invalid(
                path.index(index).child("operation"), operation, "must be `Apply` or `Update`"
            )
        fields_type = entry.get("fieldsType", "FieldsV1")
        if fields_type != "FieldsV1":
            yield Fault.invalid(path.index(index).child("fieldsType"), fields_type, "must be `FieldsV1`")
        manager = entry.get("manager", "")
        if len(manager) > _MANAGER_LENGTH // 4 or not manager.isprintable():
            yield from validate_manager(manager, path.index(index).child("manager"))
        if len(entry.get("subresource", "").encode()) > _SUBRESOURCE_LENGTH:
            yield Fault.too_long(path.index(index).child("subresource"), _SUBRESOURCE_LENGTH)


_PARTS: Final[tuple[tuple[str, Callable[[Any, Path], Iterator[Fault]]], ...]] = (
    ("labels", validate_labels),
    ("annotations", validate_annotations),
    ("ownerReferences", _validate_owners),
    ("finalizers", _validate_finalizers),
    ("managedFields", _validate_managed_fields),
)
"""What checks the larger parts of metadata, in the order of the server."""
