"""Bounds, lengths, patterns and markers: from what a type says to what its schema says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from windlass.api import (
    AllowFloat,
    Atomic,
    Cel,
    Embedded,
    ExternalDocs,
    Format,
    Granular,
    Immutable,
    Json,
    ListMap,
    ListSet,
    Nullable,
    OneOf,
    PreserveUnknown,
    SchemaType,
)
from windlass.errors import SchemaError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_LENGTHS = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}
_NOT_RE2 = re.compile(r"\(\?(=|!|<=|<!|P=)|\\[1-9]")
_NUMBERS = ("integer", "number")


def constrain(schema: Json, marks: Iterable[Any], where: str) -> None:
    """Add what the marks say.

    Raises:
        SchemaError: a mark does not go with the schema's type.
    """
    marks = list(marks)
    for mark in (mark for mark in marks if isinstance(mark, SchemaType)):
        schema["type"] = mark.name
    for mark in marks:
        _constrain_one(schema, mark, where)


def _constrain_one(schema: Json, mark: Any, where: str) -> None:
    apply = _MARKERS.get(type(mark))
    if apply is not None:
        apply(schema, mark, where)
        return
    if isinstance(mark, OneOf):
        raise SchemaError(f"{where}: {mark!r} stands in the class line of the type whose fields it names")
    bounds = {name: getattr(mark, name, None) for name in ("ge", "gt", "le", "lt", "multiple_of")}
    for name, value in bounds.items():
        if value is not None:
            _bound(schema, name, value, where)
    for index, name in enumerate(("min_length", "max_length")):
        value = getattr(mark, name, None)
        if value is not None and (value or name == "max_length"):
            schema[_length(schema, where)[index]] = value
    pattern = getattr(mark, "pattern", None)
    if pattern is not None:
        _pattern(schema, pattern if isinstance(pattern, str) else pattern.pattern, where)


def _bound(schema: Json, name: str, value: Any, where: str) -> None:
    _require(schema, _NUMBERS, where, f"{name}={value}")
    if name == "multiple_of":
        schema["multipleOf"] = value
    else:
        key = "minimum" if name.startswith("g") else "maximum"
        schema[key] = value
        if name.endswith("t"):
            schema[f"exclusive{key.capitalize()}"] = True


def _length(schema: Json, where: str) -> tuple[str, str]:
    if schema.get("x-kubernetes-int-or-string"):
        return _LENGTHS["string"]
    _require(schema, tuple(_LENGTHS), where, "a length")
    return _LENGTHS[schema["type"]]


def _pattern(schema: Json, pattern: str, where: str) -> None:
    if not schema.get("x-kubernetes-int-or-string"):
        _require(schema, ("string",), where, "a pattern")
    if _NOT_RE2.search(re.sub(r"\\[^1-9]", "", pattern)):
        raise SchemaError(
            f"{where}: the pattern {pattern!r} uses a look-around or a back-reference, which the API "
            f"server's expressions do not have; write it without them, or as a Cel(…) rule"
        )
    schema["pattern"] = pattern


def _list_map(schema: Json, mark: ListMap, where: str) -> None:
    _require(schema, ("array",), where, "ListMap")
    items: Json = schema.get("items", {})
    properties: Mapping[str, Any] = items.get("properties", {})
    keys = list(mark.keys)
    missing = [key for key in keys if key not in properties]
    if missing or not keys:
        raise SchemaError(
            f"{where}: ListMap needs keys that are fields of the items, not {missing or 'none'}"
        )
    required = set(items.get("required", ()))
    loose = [key for key in keys if key not in required and "default" not in properties[key]]
    if loose:
        raise SchemaError(f"{where}: the ListMap keys {loose} must be required or have a default")
    schema["x-kubernetes-list-type"] = "map"
    schema["x-kubernetes-list-map-keys"] = keys


def _list_set(schema: Json, _mark: ListSet, where: str) -> None:
    _require(schema, ("array",), where, "ListSet")
    items: Json = schema.get("items", {})
    atomic = "atomic" in (items.get("x-kubernetes-list-type"), items.get("x-kubernetes-map-type"))
    if items.get("type") in ("array", "object") and not atomic:
        raise SchemaError(f"{where}: the items of a ListSet must be scalars, or marked Atomic()")
    schema["x-kubernetes-list-type"] = "set"


def _topology(name: str) -> Callable[[Json, Any, str], None]:
    def apply(schema: Json, _mark: Any, where: str) -> None:
        _require(schema, ("array", "object") if name == "atomic" else ("object",), where, name.capitalize())
        schema["x-kubernetes-list-type" if schema["type"] == "array" else "x-kubernetes-map-type"] = name

    return apply


def _embedded(schema: Json, _mark: Embedded, where: str) -> None:
    _require(schema, ("object",), where, "Embedded")
    schema["x-kubernetes-embedded-resource"] = True


def _immutable(schema: Json, _mark: Immutable, _where: str) -> None:
    add_rule(schema, Cel("self == oldSelf", message="Value is immutable"))


def _documents(schema: Json, mark: ExternalDocs, _where: str) -> None:
    schema["externalDocs"] = {"url": mark.url} | (
        {"description": mark.description} if mark.description else {}
    )


def add_rule(schema: Json, cel: Cel) -> None:
    """Add a validation rule, once."""
    rule: Json = {"rule": cel.rule}
    for key, value in (
        ("message", cel.message),
        ("messageExpression", cel.message_expression),
        ("reason", cel.reason),
        ("fieldPath", cel.field_path),
        ("optionalOldSelf", cel.optional_old_self),
    ):
        if value:
            rule[key] = value
    rules = schema.setdefault("x-kubernetes-validations", [])
    if rule not in rules:
        rules.append(rule)


def _require(schema: Json, types: tuple[str, ...], where: str, what: str) -> None:
    if schema.get("type") not in types:
        raise SchemaError(
            f"{where}: {what} goes with {' or '.join(types)}, not with {schema.get('type', 'any type')}"
        )


def _set(key: str, value: Callable[[Any], Any] = lambda _: True) -> Callable[[Json, Any, str], None]:
    def apply(schema: Json, mark: Any, _where: str) -> None:
        schema[key] = value(mark)

    return apply


_MARKERS: Mapping[type, Callable[[Json, Any, str], None]] = {
    ListMap: _list_map,
    ListSet: _list_set,
    Atomic: _topology("atomic"),
    Granular: _topology("granular"),
    Embedded: _embedded,
    Immutable: _immutable,
    ExternalDocs: _documents,
    Cel: lambda schema, mark, _where: add_rule(schema, mark),
    Nullable: _set("nullable"),
    PreserveUnknown: _set("x-kubernetes-preserve-unknown-fields"),
    Format: _set("format", lambda mark: mark.name),
    AllowFloat: lambda _schema, _mark, _where: None,
    SchemaType: lambda _schema, _mark, _where: None,
}
