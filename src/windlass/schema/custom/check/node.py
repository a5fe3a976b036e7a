"""The parts of a schema as it is written, before anybody knows whether it is a good one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Schema = Mapping[str, Any]

JUNCTIONS: Final = ("allOf", "anyOf", "oneOf")
_EVEN_EMPTY: Final = frozenset(
    {
        "$ref",
        "additionalItems",
        "additionalProperties",
        "default",
        "dependencies",
        "example",
        "externalDocs",
        "items",
        "not",
        "x-kubernetes-list-type",
        "x-kubernetes-map-type",
        "x-kubernetes-preserve-unknown-fields",
    }
)
_NAMED: Final = frozenset({"definitions", "dependencies", "patternProperties", "properties"})
_HOLDERS: Final = frozenset({*JUNCTIONS, "additionalItems", "additionalProperties", "items", "not"})
"""The keywords below which there are schemas: by name, and one or several without names."""
_UNREADABLE: Final = (
    "$schema",
    "$ref",
    "id",
    "patternProperties",
    "dependencies",
    "additionalItems",
    "definitions",
)
_NO_FIELDS: Final[Mapping[str, Schema]] = {}
META: Final = frozenset({"metadata", "kind", "apiVersion"})


def has(schema: Schema, keyword: str) -> bool:
    """Whether a keyword says anything; mostly the server makes no difference between empty and absent."""
    return bool(schema.get(keyword))


def says(schema: Schema, keyword: str) -> bool:
    """Whether a keyword says anything where the server does tell empty from absent."""
    value = schema.get(keyword)
    return bool(value) or (value is not None and (keyword in _EVEN_EMPTY or type(value) in (int, float)))


def fields(schema: Schema, keyword: str = "properties") -> Mapping[str, Schema]:
    """Schemas by name, in the order of the names."""
    found = schema.get(keyword)
    return dict(sorted(found.items())) if found else _NO_FIELDS


def single(schema: Schema, keyword: str) -> Schema | None:
    """A schema below a keyword where there may also be a list of schemas, or a boolean."""
    found = schema.get(keyword)
    return found if isinstance(found, dict) else None


def alternatives(schema: Schema, keyword: str) -> Iterator[tuple[str, Schema]]:
    """The schemas that are joined by a keyword, each with its step in a path."""
    for position, each in enumerate(schema.get(keyword) or ()):
        yield f".{keyword}[{position}]", each


def mistyped(kind: str, path: str, detail: str) -> Fault:
    """A schema that has not the type that it should have, or none."""
    return Fault.invalid(f"{path}.type", kind, detail) if kind else Fault.required(f"{path}.type", detail)


def nodes(schema: Schema) -> Iterator[Schema]:
    """A schema and every schema in it, in the order of the document."""
    left = [schema]
    while left:
        found = left.pop()
        yield found
        below: list[Schema] = []
        for keyword, held in found.items():
            if keyword in _NAMED:
                below += [each for each in (held or {}).values() if isinstance(each, dict)]
            elif keyword in _HOLDERS:
                several = held if isinstance(held, list) else [held]
                below += [each for each in several if isinstance(each, dict)]
        left += reversed(below)


def is_readable(schema: Schema) -> bool:
    """Whether a schema can be read as a structural one; most of what prevents that is a fault by itself."""
    return not any(
        any(has(each, keyword) for keyword in _UNREADABLE)
        or each.get("additionalItems") is not None
        or (isinstance(each.get("items"), list) and has(each, "items"))
        or each.get("x-kubernetes-preserve-unknown-fields") is False
        for each in nodes(schema)
    )
