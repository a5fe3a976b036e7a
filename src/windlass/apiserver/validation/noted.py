"""Lists that an annotation holds as JSON, from before there was a field for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.go_json import parse_for_types
from windlass.schema import json_kind

if TYPE_CHECKING:
    from collections.abc import Mapping

_GO: Mapping[type, str] = {str: "string", int: "int64"}


def noted_list(text: str, struct: str, fields: Mapping[str, type]) -> list[dict[str, Any]]:
    """The structs that an annotation lists; `fields` are those of the Go struct, found in any case.

    Raises:
        ValueError: it is no list of such structs; the message is Go's.
    """
    value = parse_for_types(text.encode())
    if value is None:
        return []
    if not isinstance(value, list):
        raise _unfit(value, f"value of type []core.{struct}")
    known = {name.lower(): name for name in fields}
    return [_read(item, struct, fields, known) for item in value]


def _read(item: Any, struct: str, fields: Mapping[str, type], known: Mapping[str, str]) -> dict[str, Any]:
    if item is None:
        return {}
    if not isinstance(item, dict):
        raise _unfit(item, f"value of type core.{struct}")
    read: dict[str, Any] = {}
    for name, value in item.items():
        field = known.get(name.lower())
        if field is None or value is None:
            continue
        if type(value) is not fields[field]:
            raise _unfit(value, f"struct field {struct}.{field} of type {_GO[fields[field]]}")
        read[field[0].lower() + field[1:]] = value
    return read


def _unfit(value: Any, where: str) -> ValueError:
    return ValueError(f"json: cannot unmarshal {json_kind(value)} into Go {where}")
