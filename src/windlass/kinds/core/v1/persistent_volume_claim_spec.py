# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import LabelSelector, Model, Quantity

if TYPE_CHECKING:
    from windlass.kinds.core.v1.typed_local_object_reference import TypedLocalObjectReference

__lazy__ = {
    "TypedLocalObjectReference": "windlass.kinds.core.v1.typed_local_object_reference",
}


class TypedObjectReference(Model):
    api_group: str | None = None
    kind: str
    name: str
    namespace: str | None = None


class VolumeResourceRequirements(Model):
    limits: dict[str, Quantity] = {}
    requests: dict[str, Quantity] = {}


class PersistentVolumeClaimSpec(Model):
    access_modes: list[str] = []
    data_source: "TypedLocalObjectReference | None" = None
    data_source_ref: TypedObjectReference | None = None
    resources: VolumeResourceRequirements | None = None
    selector: LabelSelector | None = None
    storage_class_name: str | None = None
    volume_attributes_class_name: str | None = None
    volume_mode: str | None = None
    volume_name: str | None = None
