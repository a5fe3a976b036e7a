"""The kinds of an operator, with each field that an object may have."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from windlass.codegen import custom_resource_definitions, load_project

from .chart import chart_values
from .table import table

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]
Row = tuple[str, str, str, str]

_HEAD = ("field", "type", "unless said", "meaning")


def kinds(operator: str) -> str:
    """A section for each kind; of two groups that have the same kind, the second refers to the first."""
    known: dict[str, str] = {}
    parts = []
    for definition in custom_resource_definitions(load_project(f"windlass.operators.{operator}").kinds):
        spec = definition["spec"]
        schema = next(each for each in spec["versions"] if each["storage"])["schema"]["openAPIV3Schema"]
        first = known.setdefault(_fields(schema), spec["group"])
        again = first != spec["group"]
        fields = f"Its fields are those of the kind in `{first}`.\n" if again else _fields(schema)
        parts += [_title(spec, again=again), _introduction(spec, schema), fields]
    return "\n".join(filter(None, [*parts, *chart_values(operator)]))


def _title(spec: Json, *, again: bool) -> str:
    kind, group = spec["names"]["kind"], spec["group"]
    return f"### {kind} of {group}\n" if again else f"### {kind}\n"


def _introduction(spec: Json, schema: Json) -> str:
    versions = ", ".join(f"`{spec['group']}/{each['name']}`" for each in spec["versions"] if each["served"])
    names = "".join(f", short name `{each}`" for each in spec["names"].get("shortNames", ()))
    storage = next(each for each in spec["versions"] if each["storage"])
    columns = ", ".join(each["name"] for each in storage.get("additionalPrinterColumns", ()))
    shown = f"`kubectl get {spec['names']['plural']}` shows {columns}.\n" if columns else ""
    return f"{schema.get('description', '')}\n\n{versions}{names}. {shown}"


def _fields(schema: Json) -> str:
    parts = schema["properties"]
    written = table(_HEAD, rows(parts.get("spec", {}), "spec"))
    told = table(_HEAD[:2] + _HEAD[3:], (_told(row) for row in rows(parts.get("status", {}), "status")))
    return "\n".join(filter(None, (written, told)))


def _told(row: Row) -> tuple[str, str, str]:
    name, type_, _, meaning = row
    return name, type_, meaning


def rows(schema: Json, path: str) -> Iterator[Row]:
    """A row for each field below one, and for all below those; a list of conditions is what it always is."""
    required = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        place = f"{path}.{name}"
        default = "**required**" if name in required else _shown(field)
        yield f"`{place}`", _type(field), default, _one_line(field.get("description", ""))
        if name == "conditions":
            continue
        item = field.get("items", {})
        yield from rows(item, f"{place}[]") if item.get("properties") else rows(field, place)
        values = field.get("additionalProperties")
        if isinstance(values, dict):
            yield from rows(values, f"{place}.*")


def _shown(field: Json) -> str:
    return f"`{json.dumps(field['default'])}`" if "default" in field else ""


def _type(field: Json) -> str:
    if "enum" in field:
        return ", ".join(f"`{json.dumps(each)}`" for each in field["enum"])
    if field.get("x-kubernetes-int-or-string"):
        return "integer or string"
    kind = str(field.get("type", "any"))
    if kind == "array":
        return f"list of {_type(field.get('items', {}))}"
    values = field.get("additionalProperties")
    if kind == "object" and isinstance(values, dict):
        return f"map of {_type(values)}"
    return str(field.get("format", kind)) if kind == "string" else kind


def _one_line(text: str) -> str:
    return " ".join(text.split())
