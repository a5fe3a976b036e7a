"""Rows of what keeps data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.table.layout import NONE, UNSET, Column, KindLayout, columns
from windlass.apiserver.table.text import age, name, part

if TYPE_CHECKING:
    from datetime import datetime

    Object = dict[str, Any]

_MODES: Final = {
    "ReadWriteOnce": "RWO",
    "ReadOnlyMany": "ROX",
    "ReadWriteMany": "RWX",
    "ReadWriteOncePod": "RWOP",
}
_CLASS: Final = "volume.beta.kubernetes.io/storage-class"
_DEFAULT_CLASS: Final = (
    "storageclass.kubernetes.io/is-default-class",
    "storageclass.beta.kubernetes.io/is-default-class",
)


def _volume(obj: Object, now: datetime) -> list[Any]:
    spec, status = part(obj, "spec"), part(obj, "status")
    claim = spec.get("claimRef")
    return [
        name(obj),
        part(spec, "capacity").get("storage", "0"),
        _modes(spec),
        spec.get("persistentVolumeReclaimPolicy", ""),
        _phase(obj),
        f"{claim.get('namespace', '')}/{claim.get('name', '')}" if claim is not None else "",
        _class_name(obj),
        _or_unset(spec, "volumeAttributesClassName"),
        status.get("reason", ""),
        age(obj, now),
        _or_unset(spec, "volumeMode"),
    ]


def _claim(obj: Object, now: datetime) -> list[Any]:
    spec, status = part(obj, "spec"), part(obj, "status")
    bound = bool(spec.get("volumeName"))
    return [
        name(obj),
        _phase(obj),
        spec.get("volumeName", ""),
        part(status, "capacity").get("storage", "0") if bound else "",
        _modes(status) if bound else "",
        _class_name(obj),
        _or_unset(spec, "volumeAttributesClassName"),
        age(obj, now),
        _or_unset(spec, "volumeMode"),
    ]


def _storage_class(obj: Object, now: datetime) -> list[Any]:
    annotations = part(obj, "metadata", "annotations")
    default = any(annotations.get(each) == "true" for each in _DEFAULT_CLASS)
    return [
        f"{name(obj)} (default)" if default else name(obj),
        obj.get("provisioner", ""),
        obj.get("reclaimPolicy", "Delete"),
        obj.get("volumeBindingMode", "Immediate"),
        obj.get("allowVolumeExpansion", False),
        age(obj, now),
    ]


def _attributes_class(obj: Object, now: datetime) -> list[Any]:
    return [name(obj), obj.get("driverName", ""), age(obj, now)]


def _attachment(obj: Object, now: datetime) -> list[Any]:
    spec = part(obj, "spec")
    return [
        name(obj),
        spec.get("attacher", ""),
        part(spec, "source").get("persistentVolumeName") or "",
        spec.get("nodeName", ""),
        part(obj, "status").get("attached", False),
        age(obj, now),
    ]


def _driver(obj: Object, now: datetime) -> list[Any]:
    spec = part(obj, "spec")
    tokens = spec.get("tokenRequests")
    return [
        name(obj),
        spec.get("attachRequired", True),
        spec.get("podInfoOnMount", False),
        spec.get("storageCapacity", False),
        UNSET if tokens is None else ",".join(each.get("audience", "") for each in tokens),
        spec.get("requiresRepublish", False),
        ",".join(spec.get("volumeLifecycleModes") or ()) or NONE,
        age(obj, now),
    ]


def _node(obj: Object, now: datetime) -> list[Any]:
    return [name(obj), len(part(obj, "spec").get("drivers") or ()), age(obj, now)]


def _modes(found: Object) -> str:
    given = found.get("accessModes") or ()
    return ",".join(short for mode, short in _MODES.items() if mode in given)


def _phase(obj: Object) -> str:
    if obj["metadata"].get("deletionTimestamp") is not None:
        return "Terminating"
    return str(part(obj, "status").get("phase", ""))


def _class_name(obj: Object) -> str:
    annotated = part(obj, "metadata", "annotations").get(_CLASS)
    return str(annotated if annotated is not None else part(obj, "spec").get("storageClassName", ""))


def _or_unset(spec: Object, key: str) -> str:
    return UNSET if spec.get(key) is None else str(spec[key])


PERSISTENT_VOLUME: Final = KindLayout(
    columns(
        "Name",
        "Capacity",
        "Access Modes",
        "Reclaim Policy",
        "Status",
        "Claim",
        "StorageClass",
        "VolumeAttributesClass",
        "Reason",
        "Age",
        "+VolumeMode",
    ),
    _volume,
)
PERSISTENT_VOLUME_CLAIM: Final = KindLayout(
    columns(
        "Name",
        "Status",
        "Volume",
        "Capacity",
        "Access Modes",
        "StorageClass",
        "VolumeAttributesClass",
        "Age",
        "+VolumeMode",
    ),
    _claim,
)
STORAGE_CLASS: Final = KindLayout(
    columns("Name", "Provisioner", "ReclaimPolicy", "VolumeBindingMode", "AllowVolumeExpansion", "Age"),
    _storage_class,
)
VOLUME_ATTRIBUTES_CLASS: Final = KindLayout(columns("Name", "DriverName", "Age"), _attributes_class)
VOLUME_ATTACHMENT: Final = KindLayout(
    (
        *columns("Name"),
        Column("Attacher", format="name"),
        *columns("PV", "Node", "Attached:boolean", "Age"),
    ),
    _attachment,
)
CSI_DRIVER: Final = KindLayout(
    columns(
        "Name",
        "AttachRequired:boolean",
        "PodInfoOnMount:boolean",
        "StorageCapacity:boolean",
        "TokenRequests",
        "RequiresRepublish:boolean",
        "Modes",
        "Age",
    ),
    _driver,
)
CSI_NODE: Final = KindLayout(columns("Name", "Drivers:integer", "Age"), _node)
