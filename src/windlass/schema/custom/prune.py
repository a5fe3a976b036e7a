"""Dropping what a schema does not know, and nulls where it knows of none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema.custom.judge import values_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.schema.shape import Shape

_META: Final = frozenset({"apiVersion", "kind", "metadata"})


def prune(value: Any, shape: Shape, *, root: bool = True) -> list[str]:
    """Drop unknown fields in place, and tell their paths in order: `spec.items[0].foo`.

    Type and metadata are never unknown in an embedded object, nor at the root of a resource.
    """
    return sorted(_pruned(value, shape, root=root))


def drop_nulls(value: Any, shape: Shape | None) -> None:
    """Drop, in place, the fields that are null where null is no value and there is no default to replace it.

    Items of a list stay, because dropping one would move the others.
    """
    if shape is None:
        return
    if type(value) is list:
        for item in value:
            drop_nulls(item, shape.items)
    elif type(value) is dict:
        properties, others = shape.properties, values_of(shape)
        nulls: list[str] = []
        for name, item in value.items():
            kind = type(item)
            if kind is dict or kind is list:
                drop_nulls(item, properties.get(name) or others)
            elif item is None:
                child = properties.get(name) or others
                if child is not None and not child.nullable and child.default is None:
                    nulls.append(name)
        for name in nulls:
            del value[name]


def _pruned(value: Any, shape: Shape | None, *, keep: bool = False, root: bool = False) -> Sequence[str]:
    """The paths of what was dropped, in terms of the value.

    `keep` is inherited by the items of a list that keeps unknown fields, but not by known fields.
    """
    if shape is not None:
        keep = keep or shape.preserves_unknown
    if type(value) is dict:
        if shape is None:
            return () if keep else _emptied(value)
        return _pruned_object(value, shape, keep=keep, root=root)
    if type(value) is not list:
        return ()
    items = shape.items if shape is not None else None
    found: list[str] = []
    for position, item in enumerate(value):
        found += _below(f"[{position}]", _pruned(item, items, keep=keep))
    return found


def _pruned_object(value: dict[str, Any], shape: Shape, *, keep: bool, root: bool) -> Sequence[str]:
    found: list[str] = []
    unknown: list[str] = []
    properties, others = shape.properties, values_of(shape)
    is_map = shape.schema.get("additionalProperties") is not None
    resource = root or shape.embedded
    for name, item in value.items():
        if resource and name in _META:
            continue
        child = properties.get(name)
        if child is None:
            if not is_map:
                if not keep:
                    unknown.append(name)
                continue
            child = others
        kind = type(item)
        if kind is dict or kind is list:
            below = _pruned(item, child)
            if below:
                found += _below(name, below)
    for name in unknown:
        del value[name]
    return [*found, *unknown]


def _emptied(value: dict[str, Any]) -> Sequence[str]:
    names = [*value]
    value.clear()
    return names


def _below(step: str, paths: Sequence[str]) -> list[str]:
    return [f"{step}{path}" if path.startswith("[") else f"{step}.{path}" for path in paths]
