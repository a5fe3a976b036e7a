"""The fields that objects can be selected by: scalars that the schema knows, by their paths."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Schema = Mapping[str, Any]

_MOST: Final = 8
_TYPES: Final = frozenset({"string", "boolean", "integer"})
_PART: Final = r"'.*?(?<!\\)'|'.*|[.\[\]]|[^.\[\]]+"
_NO_FIELD: Final = "does not refer to a valid field"


def selectable_faults(fields: Sequence[Schema], schema: Schema, path: Path) -> Iterator[Fault]:
    """What is wrong with the selectable fields of a version, or of all."""
    seen: set[tuple[str, ...]] = set()
    for index, each in enumerate(fields):
        place = path.index(index).child("jsonPath")
        text = each.get("jsonPath")
        if not text:
            yield Fault.required(place)
            continue
        try:
            steps, found = _resolved(text, schema)
        except _PathError as error:
            yield Fault.invalid(place, text, f"is an invalid path: {error}")
            continue
        if steps[0] == "metadata":
            yield Fault.invalid(place, text, "must not point to fields in metadata")
        if found.get("type") not in _TYPES:
            detail = "Enum string fields and strings with formats are allowed."
            kinds = "must point to a field of type string, boolean or integer."
            yield Fault.invalid(place, text, f"{kinds} {detail}")
        if steps in seen:
            yield Fault.duplicate(place, text)
        seen.add(steps)
    if len(seen) > _MOST:
        yield Fault.too_many(path, len(seen), _MOST)


class _PathError(Exception):
    """A path that leads nowhere."""


def _resolved(text: str, schema: Schema) -> tuple[tuple[str, ...], Schema]:
    """The steps of a path, and the schema that they lead to."""
    steps: list[str] = []
    parts = iter(re.findall(_PART, text, re.DOTALL))
    for part in parts:
        if part == "[":
            raise _PathError("array notation is not allowed")
        if part != ".":
            raise _PathError(f"expected [ or . but got: {part}")
        name = next(parts, "")
        if not name:
            raise _PathError("unexpected end of JSON path")
        schema = _below(schema, name)
        steps.append(name)
    return tuple(steps), schema


def _below(schema: Schema, name: str) -> Schema:
    properties, values = schema.get("properties"), schema.get("additionalProperties")
    found = values if properties is None else properties.get(name)
    if found is None:
        raise _PathError(_NO_FIELD)
    return found if isinstance(found, dict) else {}
