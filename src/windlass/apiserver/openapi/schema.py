"""Schemas in the form in which they are published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.api import Kind

Json = dict[str, Any]

PREFIX: Final = "#/components/schemas/"
META: Final = "io.k8s.apimachinery.pkg.apis.meta.v1"
_OWN: Final = ("x-go", "x-keep", "x-proto")
_INNER: Final = ("items", "additionalProperties", "not")
_INNER_LISTS: Final = ("allOf", "anyOf", "oneOf")
_TYPE_META: Final[Json] = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}}


def published(schema: Mapping[str, Any], *, field: bool = False) -> Json:
    """A built-in schema as the server publishes it; a reference with something beside it is wrapped."""
    found: Json = {key: value for key, value in schema.items() if not key.startswith(_OWN)}
    if "properties" in schema:
        fields = schema["properties"].items()
        found["properties"] = {name: published(inner, field=True) for name, inner in fields}
    for name in _INNER:
        if isinstance(schema.get(name), dict):
            found[name] = published(schema[name])
    target = found.pop("$ref", None)
    if target is None:
        return found
    reference = {"$ref": PREFIX + target}
    if not found and not field:
        return reference
    return {"description": "", **found, "allOf": [reference]} if field else {**found, "allOf": [reference]}


def references(schema: Any) -> Iterator[str]:
    """The definitions that a published schema refers to."""
    if isinstance(schema, dict):
        target = schema.get("$ref")
        if isinstance(target, str):
            yield target.removeprefix(PREFIX)
        for value in schema.values():
            yield from references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from references(value)


def custom_name(kind: Kind) -> str:
    """The name of the definition of a custom kind: its group turned around, its version and its name."""
    return ".".join((*reversed(kind.group.split(".")), kind.version, kind.name))


def custom_schema(kind: Kind, schema: Mapping[str, Any]) -> Json:
    """The schema of a custom kind with what every object has."""
    found = _with_embedded(schema)
    own = {name: value for name, value in schema.get("properties", {}).items() if name != "metadata"}
    metadata = _reference("ObjectMeta", "metadata")
    inner = {name: _with_embedded(value) for name, value in own.items()}
    found["properties"] = dict(sorted({**inner, **_TYPE_META, "metadata": metadata}.items()))
    return {"type": "object"} | found | _served(kind, kind.name)


def custom_list_schema(kind: Kind, list_kind: str) -> Json:
    """The schema of a list of a custom kind."""
    items = {"type": "array", "items": {"$ref": PREFIX + custom_name(kind)}}
    fields = {**_TYPE_META, "items": items, "metadata": _reference("ListMeta", "metadata")}
    listed = {"type": "object", "required": ["items"], "properties": dict(sorted(fields.items()))}
    return {"description": f"{list_kind} is a list of {kind.name}"} | listed | _served(kind, list_kind)


def _with_embedded(schema: Mapping[str, Any]) -> Json:
    """A schema in which embedded objects have a type and metadata."""
    found = dict(schema)
    if isinstance(schema.get("properties"), dict):
        found["properties"] = {name: _with_embedded(value) for name, value in schema["properties"].items()}
    for name in _INNER:
        if isinstance(schema.get(name), dict):
            found[name] = _with_embedded(schema[name])
    for name in _INNER_LISTS:
        if isinstance(schema.get(name), list):
            found[name] = [_with_embedded(value) for value in schema[name]]
    if schema.get("x-kubernetes-embedded-resource"):
        metadata = _reference("ObjectMeta", "metadata")
        fields = {**found.get("properties", {}), **_TYPE_META, "metadata": metadata}
        found["properties"] = dict(sorted(fields.items()))
        found["required"] = sorted({*found.get("required", ()), "apiVersion", "kind"})
    return found


def _reference(name: str, description: str) -> Json:
    return {"description": description, "allOf": [{"$ref": f"{PREFIX}{META}.{name}"}]}


def _served(kind: Kind, name: str) -> Json:
    return {"x-kubernetes-group-version-kind": [{"group": kind.group, "kind": name, "version": kind.version}]}
