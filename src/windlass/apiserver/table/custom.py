"""Tables of custom resources, from the columns of their definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.table.age import since_given
from windlass.apiserver.table.json_path import BadPathError, JsonPath
from windlass.apiserver.table.json_step import NotFoundError
from windlass.apiserver.table.layout import Column, columns
from windlass.apiserver.table.text import name
from windlass.schema import json_text, printed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

_AGE: Final = {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}
_INT64: Final = 2**63
_EXACT: Final = 2.0**53


class CustomLayout:
    """The layout of a custom resource: its name, then the additional printer columns of its version.

    Without any there is the age. A column whose path cannot be read ends the table before it, as on the real
    server.
    """

    def __init__(self, given: Iterable[Mapping[str, Any]] | None) -> None:
        found, self._paths = _readable(given or (_AGE,))
        self.columns = (*columns("Name"), *found)

    def cells(self, obj: dict[str, Any], now: datetime) -> list[Any]:
        """What stands in each column for an object; nothing where a path leads nowhere."""
        cells: list[Any] = [name(obj)]
        for column, path in zip(self.columns[1:], self._paths, strict=True):
            try:
                value = path.first(obj)
            except NotFoundError:
                cells.append(None)
            else:
                cells.append(_cell(column.type, value, now))
        return cells

    def conditions(self, _obj: dict[str, Any]) -> list[dict[str, Any]]:
        """Nothing."""
        return []


def _readable(given: Iterable[Mapping[str, Any]]) -> tuple[list[Column], list[JsonPath]]:
    found: list[Column] = []
    paths: list[JsonPath] = []
    for each in given:
        try:
            paths.append(JsonPath(each["jsonPath"]))
        except BadPathError:
            break
        found.append(_column(each))
    return found, paths


def _column(given: Mapping[str, Any]) -> Column:
    described = given.get("description", "")
    if not described and given is not _AGE:
        described = f"Custom resource definition column (in JSONPath format): {given['jsonPath']}"
    return Column(given["name"], given["type"], given.get("format", ""), given.get("priority", 0), described)


def _cell(kind: str, value: Any, now: datetime) -> Any:
    """A value in the type of its column, or nothing where it has another type."""
    if kind == "string":
        return _text(value)
    if kind == "boolean":
        return value if isinstance(value, bool) else None
    if kind == "date":
        return since_given(value, now) if isinstance(value, str) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return _whole(value) if kind == "integer" or (abs(value) < _EXACT and value == int(value)) else value


def _whole(value: float) -> int:
    """A number without what stands after the point; one that Go's int64 cannot hold is its smallest."""
    return int(value) if -_INT64 <= value < _INT64 else -_INT64


def _text(value: Any) -> str:
    """Any value as a text."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict | list):
        return json_text(value)
    return "<no value>" if value is None else printed(value)
