"""Which keywords of OpenAPI a schema may use, and where."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from windlass.schema.custom.check.lists import topology_faults
from windlass.schema.custom.check.node import META, alternatives, fields, has, says, single
from windlass.schema.custom.check.rules import rule_faults
from windlass.schema.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Schema = Mapping[str, Any]

_TYPES: Final = ("array", "boolean", "integer", "number", "object", "string")
_UNSUPPORTED: Final = ("id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref")
_FREE: Final = "x-kubernetes-preserve-unknown-fields"


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a schema we are. `no_default` says why there may be no default."""

    path: str
    root: bool = False
    in_metadata: bool = False
    no_default: str = ""

    def at(self, step: str) -> _Place:
        return replace(self, path=self.path + step, root=False)


def dialect_faults(schema: Schema, path: str) -> Iterator[tuple[str, Fault]]:
    """What is wrong with the keywords of a schema, each with the path of the node that is at fault."""
    return _faults(schema, _Place(path, root=True))


def _faults(schema: Schema, place: _Place) -> Iterator[tuple[str, Fault]]:
    """The faults of a node and of all below it, in the server's order."""
    for fault in _keywords(schema, place):
        yield place.path, fault
    yield from _values(schema, place)
    for below, child in _children(schema, place):
        yield from _faults(child, below)
    for fault in _later(schema, place.path):
        yield place.path, fault


def _later(schema: Schema, path: str) -> Iterator[Fault]:
    """The faults of a node that are told after those below it."""
    if schema.get(_FREE) is False:
        yield Fault.invalid(f"{path}.{_FREE}", value=False, detail="must be true or undefined")
    yield from topology_faults(schema, path)
    yield from rule_faults(schema, path)


def _children(schema: Schema, place: _Place) -> Iterator[tuple[_Place, Schema]]:
    """What is below a node, but for the values of a map."""
    for name, child in fields(schema).items():
        yield _field(schema, name, place), child
    negated = single(schema, "not")
    steps: list[tuple[str, Schema | None]] = [(".not", negated)]
    for keyword in ("allOf", "oneOf", "anyOf"):
        steps += alternatives(schema, keyword)
    for keyword in ("definitions", "dependencies"):
        steps += [(f".{keyword}[{name}]", each) for name, each in fields(schema, keyword).items()]
    items = schema.get("items")
    if isinstance(items, list):
        steps += [(f".items[{position}]", each) for position, each in enumerate(items)]
    else:
        steps.append((".items", items))
    for step, each in steps:
        if isinstance(each, dict):
            yield place.at(step), each


def _keywords(schema: Schema, place: _Place) -> Iterator[Fault]:
    path = place.path
    kind = schema.get("type") or ""
    if kind and kind not in _TYPES:
        yield Fault.not_supported(f"{path}.type", kind, _TYPES)
    if place.no_default and schema.get("default") is not None:
        yield Fault.forbidden(f"{path}.default", f"must not be set {place.no_default}")
    for keyword in _UNSUPPORTED:
        if says(schema, keyword):
            yield Fault.forbidden(f"{path}.{keyword}", f"{keyword} is not supported")
    if kind == "null":
        detail = "type cannot be set to null, use nullable as an alternative"
        yield Fault.forbidden(f"{path}.type", detail)
    if isinstance(schema.get("items"), list) and has(schema, "items"):
        yield Fault.forbidden(f"{path}.items", "items must be a schema object and not an array")
    if place.in_metadata and has(schema, "x-kubernetes-embedded-resource"):
        detail = "must not be used inside of resource meta"
        yield Fault.forbidden(f"{path}.x-kubernetes-embedded-resource", detail)
    if has(schema, "uniqueItems"):
        detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"
        yield Fault.forbidden(f"{path}.uniqueItems", detail)


def _values(schema: Schema, place: _Place) -> Iterator[tuple[str, Fault]]:
    """Fields have names, or are all alike; not both."""
    values = schema.get("additionalProperties")
    if values is None:
        return
    if has(schema, "properties") and values is not True:
        detail = "additionalProperties and properties are mutual exclusive"
        yield place.path, Fault.forbidden(f"{place.path}.additionalProperties", detail)
    if isinstance(values, dict):
        below = place.at(".additionalProperties")
        if place.in_metadata:
            reason = "inside additionalProperties applying to object metadata"
            below = replace(below, no_default=reason)
        yield from _faults(values, below)


def _field(schema: Schema, name: str, place: _Place) -> _Place:
    below = place.at(f".properties[{name}]")
    if name in META and (place.root or has(schema, "x-kubernetes-embedded-resource")):
        below = replace(below, in_metadata=True)
        if place.root:
            below = replace(below, no_default=f"in top-level {name}")
    return below
