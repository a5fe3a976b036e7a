"""The columns of a table, and the simple paths that lead to their cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator

_TYPES: Final = ("boolean", "date", "integer", "number", "string")
_FORMATS: Final = ("byte", "date", "date-time", "double", "float", "int32", "int64", "password")


def column_faults(column: dict[str, Any], path: Path) -> Iterator[Fault]:
    """What is wrong with a column."""
    if not column.get("name"):
        yield Fault.required(path.child("name"))
    kind, types = column.get("type", ""), f"must be one of {','.join(_TYPES)}"
    if not kind:
        yield Fault.required(path.child("type"), types)
    elif kind not in _TYPES:
        yield Fault.invalid(path.child("type"), kind, types)
    form = column.get("format", "")
    if form and form not in _FORMATS:
        yield Fault.invalid(path.child("format"), form, f"must be one of {','.join(_FORMATS)}")
    if not column.get("jsonPath"):
        yield Fault.required(path.child("JSONPath"))
    else:
        yield from simple_path_faults(column["jsonPath"], path.child("JSONPath"))


def simple_path_faults(text: str, path: Path) -> Iterator[Fault]:
    """A path begins with a dot; what follows is read when it is used."""
    if not text.startswith("."):
        yield Fault.invalid(path, text, "must be a simple json path starting with .")
