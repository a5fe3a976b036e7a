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

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from pydantic import Field as Field

    from windlass.api.authorship import Written as Written
    from windlass.api.authorship import last_written as last_written
    from windlass.api.change import Change as Change
    from windlass.api.change import Snapshot as Snapshot
    from windlass.api.change import changed_paths as changed_paths
    from windlass.api.condition import UNOBSERVED as UNOBSERVED
    from windlass.api.condition import Condition as Condition
    from windlass.api.condition import find_condition as find_condition
    from windlass.api.condition import is_reason as is_reason
    from windlass.api.condition import set_condition as set_condition
    from windlass.api.definition import Column as Column
    from windlass.api.definition import Definition as Definition
    from windlass.api.definition import Scale as Scale
    from windlass.api.key import Key as Key
    from windlass.api.kind import Kind as Kind
    from windlass.api.kind import plural as plural
    from windlass.api.label_selector import LabelSelector as LabelSelector
    from windlass.api.label_selector import LabelSelectorRequirement as LabelSelectorRequirement
    from windlass.api.manifest import read_yaml as read_yaml
    from windlass.api.manifest import write_yaml as write_yaml
    from windlass.api.marker import AllowFloat as AllowFloat
    from windlass.api.marker import AtLeastOneOf as AtLeastOneOf
    from windlass.api.marker import AtMostOneOf as AtMostOneOf
    from windlass.api.marker import Atomic as Atomic
    from windlass.api.marker import Cel as Cel
    from windlass.api.marker import Default as Default
    from windlass.api.marker import Embedded as Embedded
    from windlass.api.marker import ExactlyOneOf as ExactlyOneOf
    from windlass.api.marker import ExternalDocs as ExternalDocs
    from windlass.api.marker import Format as Format
    from windlass.api.marker import Granular as Granular
    from windlass.api.marker import Immutable as Immutable
    from windlass.api.marker import ListMap as ListMap
    from windlass.api.marker import ListSet as ListSet
    from windlass.api.marker import Marker as Marker
    from windlass.api.marker import Nullable as Nullable
    from windlass.api.marker import OneOf as OneOf
    from windlass.api.marker import PreserveUnknown as PreserveUnknown
    from windlass.api.marker import Required as Required
    from windlass.api.marker import Schemaless as Schemaless
    from windlass.api.marker import SchemaType as SchemaType
    from windlass.api.marker import TypeMarker as TypeMarker
    from windlass.api.marker import Wire as Wire
    from windlass.api.masking import SecretValues as SecretValues
    from windlass.api.masking import mask as mask
    from windlass.api.masking import mask_all as mask_all
    from windlass.api.masking import masking_secrets as masking_secrets
    from windlass.api.masking import note_secret as note_secret
    from windlass.api.masking import notes_secrets as notes_secrets
    from windlass.api.metadata import ObjectMeta as ObjectMeta
    from windlass.api.metadata import OwnerReference as OwnerReference
    from windlass.api.model import Model as Model
    from windlass.api.model import Spec as Spec
    from windlass.api.model import Status as Status
    from windlass.api.nesting import read_json as read_json
    from windlass.api.nesting import write_json as write_json
    from windlass.api.quantity import Quantity as Quantity
    from windlass.api.resource import Resource as Resource
    from windlass.api.scalar import Base64 as Base64
    from windlass.api.scalar import IntOrString as IntOrString
    from windlass.api.scalar import IntOrStringMarker as IntOrStringMarker
    from windlass.api.scalar import scaled as scaled
    from windlass.api.secret_filter import SecretFilter as SecretFilter
    from windlass.api.secret_filter import masked_error as masked_error
    from windlass.api.secret_filter import masked_logger as masked_logger
    from windlass.api.selection import EVERYTHING as EVERYTHING
    from windlass.api.selection import Selection as Selection
    from windlass.api.selector import Requirement as Requirement
    from windlass.api.selector import Selector as Selector
    from windlass.api.time import Duration as Duration
    from windlass.api.time import MicroTime as MicroTime
    from windlass.api.time import Time as Time
    from windlass.api.time import format_duration as format_duration
    from windlass.api.time import format_micro_time as format_micro_time
    from windlass.api.time import format_time as format_time
    from windlass.api.time import parse_duration as parse_duration
    from windlass.api.uncached import UncachedValues as UncachedValues
    from windlass.api.uncached import is_secret as is_secret
    from windlass.api.uncached import is_uncached as is_uncached
    from windlass.api.uncached import mark as mark
    from windlass.api.unconverted import UNCONVERTED as UNCONVERTED
    from windlass.api.unconverted import Unconverted as Unconverted
    from windlass.api.untyped import Untyped as Untyped
    from windlass.api.wire import Encoded as Encoded
    from windlass.api.wire import Json as Json
    from windlass.api.wire import encode as encode
    from windlass.api.wire import writer as writer

__lazy__ = {
    "AllowFloat": "windlass.api.marker",
    "AtLeastOneOf": "windlass.api.marker",
    "AtMostOneOf": "windlass.api.marker",
    "Atomic": "windlass.api.marker",
    "Base64": "windlass.api.scalar",
    "Cel": "windlass.api.marker",
    "Change": "windlass.api.change",
    "Column": "windlass.api.definition",
    "Condition": "windlass.api.condition",
    "Default": "windlass.api.marker",
    "Definition": "windlass.api.definition",
    "Duration": "windlass.api.time",
    "EVERYTHING": "windlass.api.selection",
    "Embedded": "windlass.api.marker",
    "Encoded": "windlass.api.wire",
    "ExactlyOneOf": "windlass.api.marker",
    "ExternalDocs": "windlass.api.marker",
    "Field": "pydantic",
    "Format": "windlass.api.marker",
    "Granular": "windlass.api.marker",
    "Immutable": "windlass.api.marker",
    "IntOrString": "windlass.api.scalar",
    "IntOrStringMarker": "windlass.api.scalar",
    "Json": "windlass.api.wire",
    "Key": "windlass.api.key",
    "Kind": "windlass.api.kind",
    "LabelSelector": "windlass.api.label_selector",
    "LabelSelectorRequirement": "windlass.api.label_selector",
    "ListMap": "windlass.api.marker",
    "ListSet": "windlass.api.marker",
    "Marker": "windlass.api.marker",
    "MicroTime": "windlass.api.time",
    "Model": "windlass.api.model",
    "Nullable": "windlass.api.marker",
    "ObjectMeta": "windlass.api.metadata",
    "OneOf": "windlass.api.marker",
    "OwnerReference": "windlass.api.metadata",
    "PreserveUnknown": "windlass.api.marker",
    "Quantity": "windlass.api.quantity",
    "Required": "windlass.api.marker",
    "Requirement": "windlass.api.selector",
    "Resource": "windlass.api.resource",
    "Scale": "windlass.api.definition",
    "SchemaType": "windlass.api.marker",
    "Schemaless": "windlass.api.marker",
    "SecretFilter": "windlass.api.secret_filter",
    "SecretValues": "windlass.api.masking",
    "Selection": "windlass.api.selection",
    "Selector": "windlass.api.selector",
    "Snapshot": "windlass.api.change",
    "Spec": "windlass.api.model",
    "Status": "windlass.api.model",
    "Time": "windlass.api.time",
    "TypeMarker": "windlass.api.marker",
    "UNCONVERTED": "windlass.api.unconverted",
    "Unconverted": "windlass.api.unconverted",
    "Untyped": "windlass.api.untyped",
    "Wire": "windlass.api.marker",
    "Written": "windlass.api.authorship",
    "last_written": "windlass.api.authorship",
    "changed_paths": "windlass.api.change",
    "UNOBSERVED": "windlass.api.condition",
    "UncachedValues": "windlass.api.uncached",
    "is_secret": "windlass.api.uncached",
    "is_uncached": "windlass.api.uncached",
    "mark": "windlass.api.uncached",
    "mask": "windlass.api.masking",
    "mask_all": "windlass.api.masking",
    "masked_error": "windlass.api.secret_filter",
    "masked_logger": "windlass.api.secret_filter",
    "masking_secrets": "windlass.api.masking",
    "note_secret": "windlass.api.masking",
    "notes_secrets": "windlass.api.masking",
    "encode": "windlass.api.wire",
    "find_condition": "windlass.api.condition",
    "format_duration": "windlass.api.time",
    "format_micro_time": "windlass.api.time",
    "format_time": "windlass.api.time",
    "is_reason": "windlass.api.condition",
    "parse_duration": "windlass.api.time",
    "plural": "windlass.api.kind",
    "read_json": "windlass.api.nesting",
    "read_yaml": "windlass.api.manifest",
    "scaled": "windlass.api.scalar",
    "set_condition": "windlass.api.condition",
    "write_json": "windlass.api.nesting",
    "write_yaml": "windlass.api.manifest",
    "writer": "windlass.api.wire",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
