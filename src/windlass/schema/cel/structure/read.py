"""Structural schemas read as types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema.cel.structure.declared import REQUEST_SIZE, Declared
from windlass.schema.cel.structure.name import escape
from windlass.schema.cel.type import BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Schema = Mapping[str, Any]

_LONGEST_TEXT: Final = REQUEST_SIZE - 2
_BYTES_OF_CHARACTER: Final = 4
_TEXT: Final = {"type": "string"}
_METADATA: Final = {"type": "object", "properties": {"name": _TEXT, "generateName": _TEXT}}
_KEY: Final = Declared(STRING)
_SCALARS: Final = {
    "boolean": Declared(BOOL, least=4),
    "integer": Declared(INT, least=1),
    "number": Declared(DOUBLE, least=1),
}
_FORMATTED: Final = {
    "duration": Declared(DURATION, least=3, most=32),
    "date": Declared(TIMESTAMP, least=12, most=12),
    "date-time": Declared(TIMESTAMP, least=21, most=32),
}


def declare(schema: Schema, *, root: bool = False) -> Declared | None:
    """What expressions know of a value by its schema; `None` if they cannot speak of it.

    They cannot of what has no type, nor of a list or a map of such. Fields that a schema only preserves are
    unknown to them. The root of an object has its type and its name, whether the schema says so or not, and
    so has an embedded one.
    """
    made: list[Declared | None] = []
    todo = [(with_metadata(schema) if root else schema, False)]
    # Without recursion, since nothing bounds how deeply a schema is nested.
    while todo:
        at, ready = todo.pop()
        parts = _parts(at)
        if ready:
            first = len(made) - len(parts)
            made[first:] = [_declared(at, made[first:])]
        else:
            todo.append((at, True))
            todo.extend(
                (with_metadata(each) if _is_embedded(each) else each, False) for each in reversed(parts)
            )
    return made[0]


def _is_embedded(schema: Schema) -> bool:
    return bool(schema.get("x-kubernetes-embedded-resource"))


def _parts(schema: Schema) -> list[Schema]:
    """The schemas of what a value consists of."""
    if schema.get("x-kubernetes-int-or-string"):
        return []
    if schema.get("type") == "array":
        items = schema.get("items")
        return [items] if isinstance(items, dict) else []
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        return [values] if isinstance(values, dict) else list((schema.get("properties") or {}).values())
    return []


def _declared(schema: Schema, parts: Sequence[Declared | None]) -> Declared | None:
    if schema.get("x-kubernetes-int-or-string"):
        return Declared(DYN, least=1, most=_longest(schema))
    match schema.get("type"):
        case "array":
            return _list(schema, parts[0]) if parts and parts[0] else None
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return _map(schema, parts[0]) if parts[0] else None
        case "object":
            return _object(schema, parts)
        case "string":
            return _text(schema)
        case kind:
            return _SCALARS.get(kind) if isinstance(kind, str) else None


def _list(schema: Schema, element: Declared) -> Declared:
    return Declared(element=element, most=_bound(schema, "maxItems", _LONGEST_TEXT // (element.least + 1)))


def _map(schema: Schema, element: Declared) -> Declared:
    # The shortest key, its quotes, a colon and a comma.
    most = _bound(schema, "maxProperties", _LONGEST_TEXT // (element.least + 6))
    return Declared(element=element, key=_KEY, most=most)


def _object(schema: Schema, parts: Sequence[Declared | None]) -> Declared:
    properties: Mapping[str, Schema] = schema.get("properties") or {}
    required = frozenset(schema.get("required") or ())
    fields: dict[str, Declared] = {}
    least = 2
    for (name, each), declared in zip(properties.items(), parts, strict=True):
        if declared is None:
            continue
        escaped = escape(name)
        if escaped is not None:
            fields[escaped] = declared
        if name in required and each.get("default") is None:
            least += len(name.encode()) + declared.least + 4
    return Declared(fields=fields, least=least)


def _text(schema: Schema) -> Declared:
    form = schema.get("format")
    if form in _FORMATTED:
        return _FORMATTED[form]
    if form == "byte":
        return Declared(BYTES, most=_bound(schema, "maxLength", _LONGEST_TEXT))
    enum = schema.get("enum")
    if enum and schema.get("maxLength") is None:
        return Declared(STRING, most=max((len(e.encode()) for e in enum if isinstance(e, str)), default=0))
    return Declared(STRING, most=_longest(schema))


def _longest(schema: Schema) -> int:
    """The bytes of the longest text; a length is told in characters."""
    if schema.get("maxLength") is None:
        return _LONGEST_TEXT
    return _bound(schema, "maxLength", 0) * _BYTES_OF_CHARACTER


def _bound(schema: Schema, name: str, otherwise: int) -> int:
    told = schema.get(name)
    return otherwise if told is None else max(0, int(told))


def with_metadata(schema: Schema) -> Schema:
    """A schema of an object that has its type and its name, which the server adds if they are not there."""
    properties = schema.get("properties") or {}
    metadata = properties.get("metadata") or {}
    named = metadata.get("properties") or {}
    if (
        _types(properties, "kind", "apiVersion") == ["string", "string"]
        and metadata.get("type") == "object"
        and _types(named, "name", "generateName") == ["string", "string"]
    ):
        return schema
    known = {**properties, "kind": _TEXT, "apiVersion": _TEXT, "metadata": _METADATA}
    # A list cannot have metadata, so nothing is known of what should have been an object.
    return {**schema, "properties": known, "items": None}


def _types(properties: Mapping[str, Schema], *names: str) -> list[Any]:
    return [(properties.get(name) or {}).get("type") for name in names]
