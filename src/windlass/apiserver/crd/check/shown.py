"""Versions as a message shows them: every field of the structure that the server holds them in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.schema.custom import internal_text

if TYPE_CHECKING:
    from collections.abc import Mapping

Object = dict[str, Any]
Fields = tuple[tuple[str, str, Any], ...]

_VERSION: Final[Fields] = (
    ("Name", "name", ""),
    ("Served", "served", False),
    ("Storage", "storage", False),
    ("Deprecated", "deprecated", False),
    ("DeprecationWarning", "deprecationWarning", None),
)
_SCALE: Final[Fields] = (
    ("SpecReplicasPath", "specReplicasPath", ""),
    ("StatusReplicasPath", "statusReplicasPath", ""),
    ("LabelSelectorPath", "labelSelectorPath", None),
)
_COLUMN: Final[Fields] = (
    ("Name", "name", ""),
    ("Type", "type", ""),
    ("Format", "format", ""),
    ("Description", "description", ""),
    ("Priority", "priority", 0),
    ("JSONPath", "jsonPath", ""),
)
_SELECTABLE: Final[Fields] = (("JSONPath", "jsonPath", ""),)


def versions_text(versions: list[Object] | None) -> str:
    """The text of versions, of which what they have in common was taken out."""
    return "null" if versions is None else f"[{','.join(map(_version, versions))}]"


def _version(version: Object) -> str:
    parts = [
        *_parts(version, _VERSION),
        f'"Schema":{_schema(version.get("schema"))}',
        f'"Subresources":{_subresources(version.get("subresources"))}',
        f'"AdditionalPrinterColumns":{_listed(version.get("additionalPrinterColumns"), _COLUMN)}',
        f'"SelectableFields":{_listed(version.get("selectableFields"), _SELECTABLE)}',
    ]
    return f"{{{','.join(parts)}}}"


def _schema(validation: Object | None) -> str:
    if validation is None:
        return "null"
    schema = validation.get("openAPIV3Schema")
    return f'{{"OpenAPIV3Schema":{"null" if schema is None else internal_text(schema)}}}'


def _subresources(subresources: Object | None) -> str:
    if subresources is None:
        return "null"
    status = "null" if subresources.get("status") is None else "{}"
    scale = subresources.get("scale")
    shown = "null" if scale is None else _struct(scale, _SCALE)
    return f'{{"Status":{status},"Scale":{shown}}}'


def _listed(values: list[Object] | None, fields: Fields) -> str:
    return "null" if values is None else f"[{','.join(_struct(each, fields) for each in values)}]"


def _struct(value: Mapping[str, Any], fields: Fields) -> str:
    return f"{{{','.join(_parts(value, fields))}}}"


def _parts(value: Mapping[str, Any], fields: Fields) -> list[str]:
    return [f'"{name}":{orjson.dumps(value.get(key, absent)).decode()}' for name, key, absent in fields]
