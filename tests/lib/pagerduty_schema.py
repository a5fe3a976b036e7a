"""As much of JSON Schema, in OpenAPI's dialect, as the checks of PagerDuty's requests and answers need."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
}


@dataclass(frozen=True)
class Validator:
    """Says where a value breaks a schema. `loose` takes null for absent, and one of several for exactly one."""

    document: Mapping[str, Any] = field(default_factory=dict)
    loose: bool = False

    def faults(self, schema: Mapping[str, Any], value: Any, at: str = "$") -> Iterator[str]:
        """Each fault, with the place where it is."""
        schema = self._resolved(schema)
        if value is None:
            if not (schema.get("nullable") or self.loose or None in schema.get("enum", ())):
                yield f"{at}: is null"
            return
        for part in schema.get("allOf", ()):
            yield from self.faults(part, value, at)
        choices = schema.get("oneOf", ())
        if choices:
            yield from self._one_of(choices, value, at)
        yield from self._typed(schema, value, at)

    def _typed(self, schema: Mapping[str, Any], value: Any, at: str) -> Iterator[str]:
        kind = schema.get("type")
        if kind is not None and not _is(kind, value):
            yield f"{at}: {value!r} is no {kind}"
            return
        if "enum" in schema and value not in schema["enum"]:
            yield f"{at}: {value!r} is none of {schema['enum']}"
        if isinstance(value, dict):
            yield from self._object(schema, value, at)
        elif isinstance(value, list):
            yield from self._array(schema, value, at)
        else:
            yield from _bounds(schema, value, at)

    def _object(self, schema: Mapping[str, Any], value: dict[str, Any], at: str) -> Iterator[str]:
        yield from (f"{at}: lacks {name}" for name in schema.get("required", ()) if name not in value)
        properties = schema.get("properties", {})
        for name, given in value.items():
            if name in properties:
                yield from self.faults(properties[name], given, f"{at}.{name}")
            elif schema.get("additionalProperties") is False:
                yield f"{at}: has an unknown {name}"

    def _array(self, schema: Mapping[str, Any], value: list[Any], at: str) -> Iterator[str]:
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{at}: has {len(value)} items"
        for number, item in enumerate(value):
            yield from self.faults(schema.get("items", {}), item, f"{at}[{number}]")

    def _one_of(self, choices: list[Mapping[str, Any]], value: Any, at: str) -> Iterator[str]:
        fitting = sum(not any(self.faults(choice, value, at)) for choice in choices)
        if fitting == 0 or (fitting > 1 and not self.loose):
            yield f"{at}: fits {fitting} of {len(choices)} choices"

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        while "$ref" in schema:
            found: Any = self.document
            for step in schema["$ref"].removeprefix("#/").split("/"):
                name = step.replace("~1", "/").replace("~0", "~")
                found = found[int(name)] if isinstance(found, list) else found[name]
            schema = found
        return schema


def _is(kind: str, value: Any) -> bool:
    return isinstance(value, _TYPES[kind]) and not (isinstance(value, bool) and kind in ("integer", "number"))


def _bounds(schema: Mapping[str, Any], value: Any, at: str) -> Iterator[str]:
    size = len(value) if isinstance(value, str) else value
    for low, high in (("minimum", "maximum"), ("minLength", "maxLength")):
        if schema.get(low) is not None and size < schema[low]:
            yield f"{at}: {value!r} is below {low} {schema[low]}"
        if schema.get(high) is not None and size > schema[high]:
            yield f"{at}: {value!r} is above {high} {schema[high]}"
