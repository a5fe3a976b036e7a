"""Variations: each structure again with each of its plain fields set, so that what depends on them shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .manifest import OUTSIDE, Json, Step, manifest, put, short, structure, value, walk
from .seed import VARIATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.schema import Shape


def variations(root: Shape, path: tuple[Step, ...]) -> Iterator[tuple[str, Json]]:
    """The manifests that differ from that of a path in one field of its last structure, with that field."""
    shape = walk(root, path)
    for name, field in shape.properties.items():
        if not path and name in OUTSIDE:
            continue
        for option in _options(f"{short(shape)}.{name}", field):
            made, around = manifest(root, path)
            put(around, shape, name, option)
            yield name, made


def _options(name: str, field: Shape) -> list[Any]:
    if name in VARIATIONS:
        return VARIATIONS[name]
    if structure(field) is not None:
        return []
    return [each for each in field.schema.get("enum", ()) if each] or [value(field)]
