"""Manifests: for each kind, one for each structure that it may have, as small as the server takes it."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from .seed import FIELDS, SEEDS, SHALLOW, SKIPPED, UNIONS, WITH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.schema import Shape

Json = dict[str, Any]
Step = str
"""The name of a field; what it holds is the structure, or a list or a map of which it is the first member."""

SCALARS: dict[str, Any] = {"string": "x", "integer": 1, "number": 1, "boolean": True, "object": {}}
FORMATS: dict[str, Any] = {"byte": "eA==", "date-time": "2026-01-01T00:00:00Z"}
NAMES: dict[str, Any] = {"Quantity": "1", "IntOrString": 1, "MicroTime": "2026-01-01T00:00:00.000000Z"}
OUTSIDE = frozenset({"apiVersion", "kind", "metadata", "status"})
"""The fields of a root that are no part of what is asked for."""


def short(shape: Shape) -> str:
    """A definition without its package: `Container`."""
    return shape.name.rpartition(".")[2]


def structure(shape: Shape) -> Shape | None:
    """What a field holds, or what the list or map in it holds, if that is a structure."""
    inner = shape.items or shape.additional or shape
    return inner if inner.properties else None


def value(shape: Shape) -> Any:
    """Some value."""
    if short(shape) in NAMES:
        return NAMES[short(shape)]
    if shape.properties:
        return minimal(shape)
    if shape.items is not None:
        return [value(shape.items)]
    if shape.additional is not None:
        return {"x": value(shape.additional)}
    options = [each for each in shape.schema.get("enum", ()) if each]
    if options:
        return options[0]
    return FORMATS.get(shape.schema.get("format", ""), SCALARS.get(shape.type, {}))


def minimal(shape: Shape) -> Json:
    """A structure with nothing but what the server insists on."""
    seed = SEEDS.get(".".join(shape.name.rsplit(".", 3)[1:]), SEEDS.get(short(shape)))
    if seed is not None:
        return deepcopy(seed)
    return {name: value(shape.properties[name]) for name in shape.required}


def paths(root: Shape) -> Iterator[tuple[Step, ...]]:
    """The way to each structure of a kind; one that would contain itself is not entered again."""
    yield ()
    for name, field in root.properties.items():
        if name not in OUTSIDE:
            yield from _below(root, name, field, ())


def _below(holder: Shape, name: str, field: Shape, above: tuple[Shape, ...]) -> Iterator[tuple[Step, ...]]:
    inner = structure(field)
    if inner is None or f"{short(holder)}.{name}" in SKIPPED:
        return
    if short(inner) == "ObjectMeta" or inner.name in {each.name for each in above}:
        return
    yield (name,)
    if f"{short(holder)}.{name}" in SHALLOW:
        return
    for below, shape in inner.properties.items():
        for rest in _below(inner, below, shape, (*above, inner)):
            yield (name, *rest)


def walk(root: Shape, path: tuple[Step, ...]) -> Shape:
    """The structure at the end of a path."""
    shape = root
    for name in path:
        inner = structure(shape.properties[name])
        assert inner is not None  # noqa: S101 - `paths` only goes through structures
        shape = inner
    return shape


def manifest(root: Shape, path: tuple[Step, ...]) -> tuple[Json, dict[str, Json]]:
    """An object that has the structure at the end of a path, and the structures on the way by definition."""
    made = minimal(root)
    if "spec" in root.properties and short(root.properties["spec"]) in SEEDS:
        made.setdefault("spec", value(root.properties["spec"]))
    holder, shape = made, root
    around = {short(root): made}
    for name in path:
        put(around, shape, name)
        inner = structure(shape.properties[name])
        assert inner is not None  # noqa: S101 - `paths` only goes through structures
        holder = member(holder[name])
        shape = inner
        around[short(shape)] = holder
    return made, around


def put(around: dict[str, Json], shape: Shape, name: str, wanted: Any = None) -> None:
    """Give the innermost of some nested structures a field, and them all what must be there with it."""
    holder, field = around[short(shape)], f"{short(shape)}.{name}"
    for other in UNIONS.get(short(shape), frozenset()) - {name}:
        if name in UNIONS[short(shape)]:
            holder.pop(other, None)
    if wanted is not None:
        holder[name] = deepcopy(wanted)
    elif name not in holder:
        holder[name] = deepcopy(FIELDS[field]) if field in FIELDS else some(shape.properties[name])
    for definition, more in WITH.get(field, {}).items():
        if definition in around:
            around[definition].update(deepcopy(more))


def some(field: Shape) -> Any:
    """What a field holds when it is there: one structure, or a list or map of one."""
    return [value(field.items)] if field.items is not None else value(field)


def member(held: Any) -> Json:
    """The structure that a field holds, or the first of them."""
    found: Json = held[0] if isinstance(held, list) else held
    return found
