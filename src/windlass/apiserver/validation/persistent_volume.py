"""PersistentVolume."""

from __future__ import annotations

from posixpath import normpath
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.affinity import validate_node_selector
from windlass.apiserver.validation.declared import as_declared, difference
from windlass.apiserver.validation.immutable import validate_unchanged
from windlass.apiserver.validation.meta import IMMUTABLE, METADATA, validate_object_meta
from windlass.apiserver.validation.names import dns_subdomain, label_value
from windlass.apiserver.validation.number import NOT_POSITIVE
from windlass.apiserver.validation.persistent_source import (
    MOUNT_OPTIONS,
    SOURCE,
    SOURCES,
    validate_source,
)
from windlass.apiserver.validation.persistent_volume_claim import (
    VOLUME_MODES,
    validate_access_modes,
    validate_class,
    validate_not_negative,
)
from windlass.apiserver.validation.resource import quantity
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]

_SPEC: Final = Path("spec")
_RECLAIM: Final = ("Delete", "Recycle", "Retain")
_OPTIONS: Final = "volume.beta.kubernetes.io/mount-options"
_TO_GA: Final = {
    "beta.kubernetes.io/arch": "kubernetes.io/arch",
    "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
    "beta.kubernetes.io/os": "kubernetes.io/os",
    "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
}


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """A PersistentVolume, whose source stays."""
    yield from validate_object_meta(obj, old, dns_subdomain, namespaced=False)
    spec = obj.get("spec", {})
    any_values = _has_odd_values((old or {}).get("spec", {}).get("nodeAffinity"))
    yield from _validate_spec(spec, obj["metadata"].get("name", ""), any_values=any_values)
    noted = _OPTIONS in (obj["metadata"].get("annotations") or {})
    if noted and not any(spec.get(name) is not None for name in MOUNT_OPTIONS):
        path = METADATA.child("annotations", _OPTIONS)
        yield Fault.forbidden(path, "may not specify mount options for this volume type")
    if old is not None:
        yield from _validate_update(spec, old.get("spec", {}))


def validate_status(obj: Object, old: Object) -> Iterator[Fault]:
    """The phase of a volume, of which anything may be said."""
    return validate_object_meta(obj, old, dns_subdomain, namespaced=False)


def validate_inline(spec: Object, path: Path) -> Iterator[Fault]:
    """A volume within a VolumeAttachment: a driver's, and without what only stored volumes have."""
    words = "may not be specified in the context of inline volumes"
    for name in ("claimRef", "capacity"):
        if spec.get(name):
            yield Fault.forbidden(path.child(name), words)
    if spec.get("csi") is None:
        detail = "has to be specified in the context of inline volumes"
        yield Fault.required(path.child("csi"), detail)
    yield from _validate_modes(spec, path)
    policy = spec.get("persistentVolumeReclaimPolicy", "")
    if policy not in ("", "Retain"):
        where = path.child("persistentVolumeReclaimPolicy")
        yield Fault.forbidden(where, "may only be Retain in the context of inline volumes")
    if spec.get("nodeAffinity") is not None:
        yield Fault.forbidden(path.child("nodeAffinity"), words)
    yield from validate_source(spec, path, "")
    yield from _validate_root(spec, path)
    if spec.get("storageClassName"):
        yield Fault.forbidden(path.child("storageClassName"), words)
    if spec.get("volumeMode", "Filesystem") != "Filesystem":
        detail = "may not specify volumeMode other than Filesystem in the context of inline volumes"
        yield Fault.forbidden(path.child("volumeMode"), detail)


def _validate_spec(spec: Object, name: str, *, any_values: bool) -> Iterator[Fault]:
    yield from _validate_modes(spec, _SPEC)
    yield from _validate_capacity(spec)
    policy = spec.get("persistentVolumeReclaimPolicy", "")
    if policy and policy not in _RECLAIM:
        yield Fault.not_supported(_SPEC.child("persistentVolumeReclaimPolicy"), policy, _RECLAIM)
    affinity = spec.get("nodeAffinity")
    if affinity is not None:
        path = _SPEC.child("nodeAffinity", "required")
        if affinity.get("required") is None:
            yield Fault.required(path, "must specify required node constraints")
        else:
            yield from validate_node_selector(affinity["required"], path, any_values=any_values)
    yield from validate_source(spec, _SPEC, name)
    yield from _validate_root(spec, _SPEC)
    yield from validate_class(spec.get("storageClassName"), _SPEC.child("storageClassName"))
    mode = spec.get("volumeMode")
    if mode is not None and mode not in VOLUME_MODES:
        yield Fault.not_supported(_SPEC.child("volumeMode"), mode, VOLUME_MODES)
    yield from _validate_attributes(spec)


def _validate_modes(spec: Object, path: Path) -> Iterator[Fault]:
    if not spec.get("accessModes"):
        yield Fault.required(path.child("accessModes"))
    yield from validate_access_modes(spec.get("accessModes") or (), path.child("accessModes"))


def _validate_capacity(spec: Object) -> Iterator[Fault]:
    capacity, path = spec.get("capacity") or {}, _SPEC.child("capacity")
    if not capacity:
        yield Fault.required(path)
    if capacity.keys() != {"storage"}:
        yield Fault.not_supported(path, capacity or None, ["storage"])
    for name, amount in capacity.items():
        yield from validate_not_negative(amount, path.key(name))
        if quantity(amount) <= 0:
            yield Fault.invalid(path.key(name), str(quantity(amount)), NOT_POSITIVE)


def _validate_root(spec: Object, path: Path) -> Iterator[Fault]:
    host = (spec.get("hostPath") or {}).get("path", "")
    if host and normpath(host) in ("/", "//") and spec.get("persistentVolumeReclaimPolicy") == "Recycle":
        where = path.child("persistentVolumeReclaimPolicy")
        yield Fault.forbidden(where, "may not be 'recycle' for a hostPath mount of '/'")


def _validate_attributes(spec: Object) -> Iterator[Fault]:
    name, path = spec.get("volumeAttributesClassName"), _SPEC.child("volumeAttributesClassName")
    if name is None:
        return
    if not name:
        yield Fault.required(path, "an empty string is disallowed")
    yield from validate_class(name, path)
    if spec.get("csi") is None:
        detail = "has to be specified when using volumeAttributesClassName"
        yield Fault.required(_SPEC.child("csi"), detail)


def _validate_update(spec: Object, old: Object) -> Iterator[Fault]:
    before, after = (
        {name: each[name] for name in SOURCES if each.get(name) is not None} for each in (old, spec)
    )
    driver = after.get("csi")
    if driver and "csi" in before and "controllerExpandSecretRef" not in before["csi"]:
        after["csi"] = {key: value for key, value in driver.items() if key != "controllerExpandSecretRef"}
    if before != after:
        told = difference(as_declared(before, SOURCE), as_declared(after, SOURCE))
        detail = f"spec.persistentvolumesource is immutable after creation\n{told}"
        yield Fault.forbidden(_SPEC.child("persistentvolumesource"), detail)
    yield from validate_unchanged(spec.get("volumeMode"), old.get("volumeMode"), "volumeMode")
    affinity, was = spec.get("nodeAffinity"), old.get("nodeAffinity")
    if was is not None and affinity != was and _with_new_labels(was, affinity) != affinity:
        yield Fault.invalid(
            "nodeAffinity", affinity, f"{IMMUTABLE}, except for updating from beta label to GA"
        )
    if old.get("volumeAttributesClassName") is not None and spec.get("volumeAttributesClassName") is None:
        path = _SPEC.child("volumeAttributesClassName")
        yield Fault.forbidden(path, "update from non-nil value to nil is forbidden")


def _has_odd_values(affinity: Object | None) -> bool:
    terms = ((affinity or {}).get("required") or {}).get("nodeSelectorTerms") or ()
    expressions = (each for term in terms for each in term.get("matchExpressions") or ())
    return any(label_value(value) for each in expressions for value in each.get("values") or ())


def _with_new_labels(old: Any, new: Any) -> Any:
    """An affinity with those labels under their final names that the new one names so."""
    if isinstance(old, dict) and isinstance(new, dict):
        moved = "key" in old and _TO_GA.get(old["key"]) == new.get("key")
        changed = {name: _with_new_labels(value, new.get(name)) for name, value in old.items()}
        return {**changed, "key": new["key"]} if moved else changed
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [_with_new_labels(was, becomes) for was, becomes in zip(old, new, strict=True)]
    return old
