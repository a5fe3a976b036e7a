"""The data of Kubernetes: resources, metadata, conditions, quantities, selectors, times.

You need it to declare a kind of your own, or to work with any object. It knows no network, no files and no
clock: everything here is a value.

    class WebAppSpec(Spec):
        image: str
        replicas: int = Field(default=1, ge=0)

    class WebApp(Resource, group="demo.example.com", version="v1"):
        spec: WebAppSpec

    WebApp(metadata=ObjectMeta(name="shop"), spec=WebAppSpec(image="shop:1")).to_wire()
"""

from pydantic import Field

from windlass.api.condition import Condition, find_condition, set_condition
from windlass.api.definition import Column, Definition, Scale
from windlass.api.kind import Kind, plural
from windlass.api.manifest import read_yaml, write_yaml
from windlass.api.marker import (
    AllowFloat,
    AtLeastOneOf,
    AtMostOneOf,
    Atomic,
    Cel,
    Default,
    Embedded,
    ExactlyOneOf,
    ExternalDocs,
    Format,
    Granular,
    Immutable,
    ListMap,
    ListSet,
    Marker,
    Nullable,
    PreserveUnknown,
    Required,
    Schemaless,
    SchemaType,
    TypeMarker,
    Wire,
)
from windlass.api.metadata import ManagedFieldsEntry, ObjectMeta, OwnerReference
from windlass.api.model import Model, Spec, Status
from windlass.api.quantity import Quantity
from windlass.api.resource import Resource, Untyped
from windlass.api.scalar import Base64, IntOrString, IntOrStringMarker, scaled
from windlass.api.selector import LabelSelector, LabelSelectorRequirement, Requirement, Selector
from windlass.api.time import (
    Duration,
    MicroTime,
    Time,
    format_duration,
    format_micro_time,
    format_time,
    parse_duration,
)
from windlass.api.wire import Encoded, Json, encode

__all__ = [
    "AllowFloat",
    "AtLeastOneOf",
    "AtMostOneOf",
    "Atomic",
    "Base64",
    "Cel",
    "Column",
    "Condition",
    "Default",
    "Definition",
    "Duration",
    "Embedded",
    "Encoded",
    "ExactlyOneOf",
    "ExternalDocs",
    "Field",
    "Format",
    "Granular",
    "Immutable",
    "IntOrString",
    "IntOrStringMarker",
    "Json",
    "Kind",
    "LabelSelector",
    "LabelSelectorRequirement",
    "ListMap",
    "ListSet",
    "ManagedFieldsEntry",
    "Marker",
    "MicroTime",
    "Model",
    "Nullable",
    "ObjectMeta",
    "OwnerReference",
    "PreserveUnknown",
    "Quantity",
    "Required",
    "Requirement",
    "Resource",
    "Scale",
    "SchemaType",
    "Schemaless",
    "Selector",
    "Spec",
    "Status",
    "Time",
    "TypeMarker",
    "Untyped",
    "Wire",
    "encode",
    "find_condition",
    "format_duration",
    "format_micro_time",
    "format_time",
    "parse_duration",
    "plural",
    "read_yaml",
    "scaled",
    "set_condition",
    "write_yaml",
]
