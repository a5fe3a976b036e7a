"""Filling in the defaults of a schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.schema.custom.judge import values_of
from windlass.schema.custom.skeleton import Skeleton
from windlass.schema.value import copied

if TYPE_CHECKING:
    from windlass.schema.shape import Shape


class Defaults:
    """The defaults of a schema, ready to be filled in."""

    def __init__(self, shape: Shape) -> None:
        self._skeleton = Skeleton.of(shape, _fills)

    def fill(self, value: Any) -> None:
        """Fill in, in place, what is missing, and null where null is no value.

        Below an object that is missing nothing is filled in; inside of a default there is.
        """
        if self._skeleton is not None:
            _fill(value, self._skeleton)


def _fills(shape: Shape) -> bool:
    children = [*shape.properties.values(), values_of(shape), shape.items]
    return any(child is not None and child.default is not None for child in children)


def _fill(value: Any, skeleton: Skeleton) -> None:
    if skeleton.wanted:
        if type(value) is dict:
            _fill_object(value, skeleton.shape)
        elif type(value) is list and skeleton.shape.items is not None:
            for position, item in enumerate(value):
                if item is None:
                    value[position] = _instead_of_null(skeleton.shape.items)
    for _, item, below in skeleton.children(value):
        _fill(item, below)


def _fill_object(value: dict[str, Any], shape: Shape) -> None:
    for name, child in shape.properties.items():
        if child.default is not None and (name not in value or (value[name] is None and not child.nullable)):
            value[name] = copied(child.default)
    others = values_of(shape)
    if others is not None:
        for name, item in value.items():
            if item is None and name not in shape.properties:
                value[name] = _instead_of_null(others)


def _instead_of_null(shape: Shape) -> Any:
    return None if shape.nullable else copied(shape.default)
