"""Short ways to write schemas, and to judge by them without a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.schema.custom import CustomSchema, check_schema
from windlass.schema.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Schema = dict[str, Any]

PRESERVE: Schema = {"x-kubernetes-preserve-unknown-fields": True}
EMBEDDED: Schema = {"x-kubernetes-embedded-resource": True}
INT_OR_STRING: Schema = {"x-kubernetes-int-or-string": True}
SET: Schema = {"x-kubernetes-list-type": "set"}
ATOMIC_MAP: Schema = {"x-kubernetes-map-type": "atomic"}
STRING: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
BOOLEAN: Schema = {"type": "boolean"}


class KnownMetadata:
    """Metadata of which only a name and labels are known, and in which labels must be short."""

    def read(self, metadata: Any) -> tuple[dict[str, Any], Sequence[str]]:
        if not isinstance(metadata, dict):
            raise ValueError("json: cannot unmarshal")  # noqa: TRY004 - what the contract says
        known = {name: value for name, value in metadata.items() if name in ("name", "labels")}
        return known, [name for name in metadata if name not in known]

    def faults(self, metadata: dict[str, Any], path: str) -> Iterable[Fault]:
        if not metadata["name"]:
            yield Fault.required(f"{path}.name")
        for key in metadata.get("labels", {}):
            if len(key) > 3:
                yield Fault.invalid(f"{path}.labels", key, "too long")


METADATA = KnownMetadata()


def obj(**properties: Schema) -> Schema:
    """The schema of an object with these properties."""
    return {"type": "object", "properties": properties}


def array(items: Schema, **more: Any) -> Schema:
    """The schema of a list."""
    return {"type": "array", "items": items, **more}


def mapping(values: Schema, **more: Any) -> Schema:
    """The schema of an object with any keys."""
    return {"type": "object", "additionalProperties": values, **more}


def map_by(*keys: str) -> Schema:
    """What makes an array a map with these keys."""
    return {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": list(keys)}


def needs(*names: str) -> Schema:
    """What makes properties required."""
    return {"required": list(names)}


def with_field(schema: Schema) -> CustomSchema:
    """The schema of a kind whose `spec.f` is this."""
    return CustomSchema(obj(spec=obj(f=schema)), METADATA)


def said(faults: Iterable[Fault]) -> list[str]:
    """Each fault as `field: message`."""
    return [str(fault) for fault in faults]


def judged(schema: Schema, value: Any) -> list[str]:
    """What is wrong with a value in `spec.f`."""
    return said(with_field(schema).faults({"spec": {"f": value}}))


def updated(schema: Schema, old: Any, new: Any) -> list[str]:
    """What is wrong with an update of `spec.f`."""
    return said(with_field(schema).faults({"spec": {"f": new}}, {"spec": {"f": old}}))


def checked(schema: Schema, **more: Any) -> list[str]:
    """What is wrong with a schema, which stands at `root`."""
    return said(check_schema(schema, "root", METADATA, **more))


def checked_field(schema: Schema) -> list[str]:
    """What is wrong with the schema of `spec.a`, in terms of that field."""
    prefix = "root.properties[spec].properties[a]"
    return [text.removeprefix(prefix) for text in checked(obj(spec=obj(a=schema)))]
