"""Whether a schema is structural: every field has a type, and conditions say nothing about types.

Structure and conditions are two languages in one notation. `properties`, `items` and `additionalProperties`
build the structure; below `allOf`, `anyOf`, `oneOf` and `not` only conditions on its values may stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema.custom.check.node import JUNCTIONS, alternatives, fields, has, mistyped, says, single
from windlass.schema.fault import Fault
from windlass.schema.regex import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Schema = Mapping[str, Any]

_INT_OR_STRING: Final = [{"type": "integer"}, {"type": "string"}]
_NAMES: Final = {"name", "generateName"}
_ROOT, _ITEM, _FIELD = "at the root", "for specified array items", "for specified object fields"
_FORBIDDEN_IN_CONDITIONS: Final[Mapping[str, str]] = {
    "type": "must be empty to be structural",
    "additionalProperties": "must be undefined to be structural",
    "default": "must be undefined to be structural",
    "title": "must be empty to be structural",
    "description": "must be empty to be structural",
    "nullable": "must be false to be structural",
    "x-kubernetes-preserve-unknown-fields": "must be false to be structural",
    "x-kubernetes-embedded-resource": "must be false to be structural",
    "x-kubernetes-int-or-string": "must be false to be structural",
    "x-kubernetes-list-map-keys": "must be empty to be structural",
    "x-kubernetes-list-type": "must be undefined to be structural",
    "x-kubernetes-map-type": "must be undefined to be structural",
    "x-kubernetes-validations": "must be empty to be structural",
}
_ALLOWED_IN_METADATA: Final = {"type", "default", "properties", "$ref", "dependencies"}
_MAY_BE_FALSE: Final = ("additionalProperties", "x-kubernetes-preserve-unknown-fields")


def structural_faults(schema: Schema, path: str) -> list[Fault]:
    """Why a schema is not structural, in the order of the messages."""
    found = [*_structure(schema, _ROOT, path), *_incomplete(schema, schema, path, path)]
    return sorted(found, key=str)


def _structure(schema: Schema, level: str, path: str) -> Iterator[Fault]:
    kind = schema.get("type") or ""
    items, values = single(schema, "items"), schema.get("additionalProperties")
    if kind == "array" and items is None:
        yield Fault.required(f"{path}.items", "must be specified")
    if items is not None:
        yield from _structure(items, _ITEM, f"{path}.items")
    for name, child in fields(schema).items():
        yield from _structure(child, _FIELD, f"{path}.properties[{name}]")
    if values is not None and level == _ROOT:
        yield Fault.forbidden(f"{path}.additionalProperties", "must not be used at the root")
    if isinstance(values, dict):
        yield from _structure(values, _FIELD, f"{path}.additionalProperties")
    if has(schema, "x-kubernetes-int-or-string"):
        for other in ("preserve-unknown-fields", "embedded-resource"):
            if has(schema, f"x-kubernetes-{other}"):
                detail = "must be false if x-kubernetes-int-or-string is true"
                yield Fault.invalid(f"{path}.x-kubernetes-{other}", value=True, detail=detail)
    yield from _conditions(schema, path, _spelt_out(schema))
    yield from _type(schema, level, path)
    yield from _metadata(schema, level, path)


def _type(schema: Schema, level: str, path: str) -> Iterator[Fault]:
    kind = schema.get("type") or ""
    embedded = has(schema, "x-kubernetes-embedded-resource")
    free = has(schema, "x-kubernetes-preserve-unknown-fields")
    if embedded and kind != "object":
        yield mistyped(kind, path, "must be object if x-kubernetes-embedded-resource is true")
    elif not kind and not free and not has(schema, "x-kubernetes-int-or-string"):
        yield Fault.required(f"{path}.type", f"must not be empty {level}")
    if embedded and schema.get("additionalProperties") is not None:
        detail = "must not be used if x-kubernetes-embedded-resource is set"
        yield Fault.forbidden(f"{path}.additionalProperties", detail)
    if level == _ROOT and kind not in ("", "object"):
        yield Fault.invalid(f"{path}.type", kind, "must be object at the root")
    if embedded and not free and not has(schema, "properties"):
        detail = (
            "must not be empty if x-kubernetes-embedded-resource is true without "
            "x-kubernetes-preserve-unknown-fields"
        )
        yield Fault.required(f"{path}.properties", detail)


def _metadata(schema: Schema, level: str, path: str) -> Iterator[Fault]:
    """The type and the metadata of a resource are what they are everywhere."""
    resource = level == _ROOT or has(schema, "x-kubernetes-embedded-resource")
    wanted = {"kind": "string", "apiVersion": "string", "metadata": "object"} if resource else {}
    properties = fields(schema)
    for name, kind in wanted.items():
        given = properties[name].get("type") or "" if name in properties else kind
        if given != kind:
            yield Fault.invalid(f"{path}.properties[{name}].type", given, f"must be {kind}")
    if level == _ROOT and "metadata" in properties and _says_more(properties["metadata"]):
        detail = (
            "must not specify anything other than name and generateName, but metadata is implicitly specified"
        )
        yield Fault.forbidden(f"{path}.properties[metadata]", detail)


def _says_more(metadata: Schema) -> bool:
    extra = {name for name in metadata if says(metadata, name)} - _ALLOWED_IN_METADATA
    return bool(extra) or metadata.get("required") is not None or not _NAMES.issuperset(fields(metadata))


def _spelt_out(schema: Schema) -> str:
    """Where int-or-string is spelt out, for which there are two ways."""
    if _is_int_or_string(schema):
        return "anyOf"
    first = (schema.get("allOf") or [{}])[0]
    return "allOf" if _is_int_or_string(first) else ""


def _is_int_or_string(schema: Schema) -> bool:
    branches = schema.get("anyOf") or ()
    return [{name: each[name] for name in each if says(each, name)} for each in branches] == _INT_OR_STRING


def _conditions(schema: Schema, path: str, spelt_out: str = "") -> Iterator[Fault]:
    """The conditions of a node, but for the one that spells out the types of int-or-string."""
    for keyword in JUNCTIONS:
        for step, each in alternatives(schema, keyword):
            if keyword == spelt_out == "anyOf":
                continue
            inner = "anyOf" if spelt_out == "allOf" and step == ".allOf[0]" else ""
            yield from _condition(each, path + step, inner)
    negated = single(schema, "not")
    if negated is not None:
        yield from _condition(negated, f"{path}.not")
    if has(schema, "pattern"):
        yield from _pattern(schema["pattern"], f"{path}.pattern")


def _condition(schema: Schema, path: str, spelt_out: str = "") -> Iterator[Fault]:
    yield from _conditions(schema, path, spelt_out)
    items = single(schema, "items")
    if items is not None:
        yield from _condition(items, f"{path}.items")
    for name, child in fields(schema).items():
        yield from _condition(child, f"{path}.properties[{name}]")
    for keyword, detail in _FORBIDDEN_IN_CONDITIONS.items():
        if says(schema, keyword) and not (keyword in _MAY_BE_FALSE and schema[keyword] is False):
            yield Fault.forbidden(f"{path}.{keyword}", detail)
    if "metadata" in fields(schema):
        yield Fault.forbidden(f"{path}.properties[metadata]", "must not be specified in a nested context")


def _pattern(pattern: str, path: str) -> Iterator[Fault]:
    try:
        compiled(pattern)
    except ValueError as error:
        yield Fault.invalid(path, pattern, f"must be a valid regular expression, but isn't: {error}")


def _incomplete(schema: Schema, structure: Schema, place: str, path: str) -> Iterator[Fault]:
    """Conditions on what the structure does not have; `place` is a path there, `path` that of the schema."""
    negated = single(schema, "not")
    joined = [(".not", negated)] if negated is not None else []
    for keyword in JUNCTIONS:
        joined += alternatives(schema, keyword)
    for step, each in joined:
        yield from _unfounded(each, structure, place, path + step)


def _unfounded(condition: Schema, structure: Schema | None, place: str, path: str) -> Iterator[Fault]:
    if structure is None:
        yield Fault.required(place, f"because it is defined in {path}")
        return
    yield from _incomplete(condition, structure, place, path)
    items = single(condition, "items")
    if items is not None:
        yield from _unfounded(items, single(structure, "items"), f"{place}.items", f"{path}.items")
    known = fields(structure)
    for name, child in fields(condition).items():
        step = f".properties[{name}]"
        yield from _unfounded(child, known.get(name), place + step, path + step)
