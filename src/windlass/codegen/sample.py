"""Sample objects: what a schema says, made into the smallest object that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.errors import SchemaError
from windlass.schema import structural

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.api import Json, Resource

_BY_FORMAT = {
    "date-time": "2026-01-01T00:00:00Z",
    "date": "2026-01-01",
    "byte": "ZXhhbXBsZQ==",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "cidr": "192.0.2.0/24",
    "uri": "https://example.com/",
    "hostname": "example.com",
    "email": "someone@example.com",
    "uuid": "00000000-0000-4000-8000-000000000000",
}
_TEXT = "example"


def sample(kind: type[Resource]) -> Json:
    """An object of this kind that its schema accepts: examples and defaults as given, required fields filled.

    Raises:
        SchemaError: a required field has a pattern, and no `Field(examples=[…])` that says what fits it.
    """
    known = kind.__kind__
    schema = structural(kind)
    metadata: Json = {"name": f"{known.name.lower()}-sample"}
    body = {
        name: _value(below, f"{known.name}.{name}")
        for name, below in schema["properties"].items()
        if name not in ("apiVersion", "kind", "metadata", "status")
        and (name in schema.get("required", ()) or name == "spec")
    }
    return {"apiVersion": known.api_version, "kind": known.name, "metadata": metadata, **body}


def sample_file(kind: type[Resource]) -> str:
    """The name of a sample's file, as kubebuilder names it: `demo_v1_webapp.yaml`."""
    known = kind.__kind__
    return f"{known.group.split('.')[0]}_{known.version}_{known.name.lower()}.yaml"


def _value(schema: Json, path: str) -> Any:
    for key in ("example", "default"):
        if key in schema and schema[key] != {}:
            return schema[key]
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("x-kubernetes-int-or-string"):
        return 1
    make = _BY_TYPE.get(schema.get("type", ""))
    return make(schema, path) if make else {}


def _array(schema: Json, path: str) -> list[Any]:
    return [_value(schema["items"], f"{path}[]") for _ in range(schema.get("minItems", 0))]


def _object(schema: Json, path: str) -> Json:
    shown = {
        name: _value(below, f"{path}.{name}")
        for name, below in schema.get("properties", {}).items()
        if name in schema.get("required", ()) or "example" in below or "default" in below
    }
    values = schema.get("additionalProperties")
    for index in range(schema.get("minProperties", 0) - len(shown)):
        shown[f"{_TEXT}-{index}"] = _value(values or {}, f"{path}.*")
    return shown


def _string(schema: Json, path: str) -> str:
    if "pattern" in schema:
        raise SchemaError(f"{path} must match {schema['pattern']!r}; show what fits with Field(examples=[…])")
    text = _BY_FORMAT.get(schema.get("format", ""), _TEXT)
    if schema.get("format"):
        return text
    shortest: int = schema.get("minLength", 0)
    longest: int = schema.get("maxLength", len(_TEXT))
    return (text * (shortest // len(text) + 1))[: max(shortest, min(longest, len(text)))]


def _number(schema: Json, _path: str) -> int | float:
    step = schema.get("multipleOf", 1)
    least = schema.get("minimum", min(step, schema.get("maximum", step)))
    if schema.get("exclusiveMinimum"):
        least += step if isinstance(least, int) else step / 2
    number = -(-least // step) * step
    return int(number) if schema["type"] == "integer" else number


_BY_TYPE: Mapping[str, Callable[[Json, str], Any]] = {
    "object": _object,
    "array": _array,
    "string": _string,
    "integer": _number,
    "number": _number,
    "boolean": lambda _schema, _path: False,
}
