"""List types and map types: which go with which schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema.custom.check.node import fields, has, mistyped, single
from windlass.schema.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Schema = Mapping[str, Any]

_LIST: Final = "x-kubernetes-list-type"
_KEYS: Final = "x-kubernetes-list-map-keys"
_MAP: Final = "x-kubernetes-map-type"
_ATOMIC: Final = "must be atomic as item of a list with x-kubernetes-list-type=set"


def topology_faults(schema: Schema, path: str) -> Iterator[Fault]:
    """What is wrong with the list type, the keys and the map type of one node."""
    kind = schema.get("type") or ""
    map_type, list_type = schema.get(_MAP), schema.get(_LIST)
    if map_type is not None and kind != "object":
        yield mistyped(kind, path, f"must be object if {_MAP} is specified")
    if map_type not in (None, "atomic", "granular"):
        yield Fault.not_supported(f"{path}.{_MAP}", map_type, ("atomic", "granular"))
    if list_type is not None:
        if kind != "array":
            yield mistyped(kind, path, f"must be array if {_LIST} is specified")
        elif list_type == "set":
            yield from _set_items(schema, path)
        if list_type not in ("atomic", "set", "map"):
            yield Fault.not_supported(f"{path}.{_LIST}", list_type, ("atomic", "set", "map"))
    if has(schema, _KEYS) and list_type != "map":
        detail = f"must be map if {_KEYS} is non-empty"
        where = f"{path}.{_LIST}"
        yield Fault.required(where, detail) if list_type is None else Fault.invalid(where, list_type, detail)
    if list_type in ("set", "map"):
        yield from _map_items(schema, path) if list_type == "map" else ()
        yield from _not_nullable(schema, path)


def _set_items(schema: Schema, path: str) -> Iterator[Fault]:
    """Items of a set are compared as a whole."""
    items = single(schema, "items") or {}
    list_type = items.get(_LIST)
    if items.get("type") == "array" and list_type not in (None, "atomic"):
        yield Fault.invalid(f"{path}.items.{_LIST}", list_type, _ATOMIC)
    if items.get("type") == "object" and items.get(_MAP) != "atomic":
        yield Fault.invalid(f"{path}.items.{_MAP}", list_type, _ATOMIC)


def _map_items(schema: Schema, path: str) -> Iterator[Fault]:
    """Items of a map are objects that have the keys."""
    keys = schema.get(_KEYS) or []
    items = single(schema, "items")
    if not keys:
        yield Fault.required(f"{path}.{_KEYS}", f"must not be empty if {_LIST} is map")
    if schema.get("items") is None:
        yield Fault.required(f"{path}.items", f"must have a schema if {_LIST} is map")
    if items is None:
        return
    kind = items.get("type") or ""
    if kind != "object":
        detail = f"must be object if parent array's {_LIST} is map"
        yield Fault.invalid(f"{path}.items.type", kind, detail)
        return
    for place, key in enumerate(keys):
        yield from _key(fields(items).get(key), keys, key, path)
        if key in keys[:place]:
            yield Fault.invalid(f"{path}.{_KEYS}", keys, "must not contain duplicate entries")


def _key(schema: Schema | None, keys: list[str], key: str, path: str) -> Iterator[Fault]:
    if schema is None:
        yield Fault.invalid(f"{path}.{_KEYS}", keys, "entries must all be names of item properties")
    elif schema.get("type") in ("array", "object"):
        # The server shows the type of the items here, not that of the key.
        detail = f"must be a scalar type if parent array's {_LIST} is map"
        yield Fault.invalid(f"{path}.items.properties[{key}].type", "object", detail)


def _not_nullable(schema: Schema, path: str) -> Iterator[Fault]:
    """Neither the items nor their keys may be null, and keys must be there."""
    items = single(schema, "items")
    if items is None:
        return
    list_type = schema[_LIST]
    if has(items, "nullable"):
        yield Fault.forbidden(f"{path}.items.nullable", f"cannot be nullable when {_LIST} is {list_type}")
    properties = fields(items)
    for key in schema.get(_KEYS) or () if list_type == "map" else ():
        if key not in properties:
            continue
        where, named = f"{path}.items.properties[{key}]", f"this property is in {_KEYS}, so it"
        if key not in (items.get("required") or ()) and properties[key].get("default") is None:
            yield Fault.required(f"{where}.default", f"{named} must have a default or be a required property")
        if has(properties[key], "nullable"):
            yield Fault.forbidden(f"{where}.nullable", f"{named} cannot be nullable")
