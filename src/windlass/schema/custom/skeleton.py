from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windlass.schema.custom.judge import values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from windlass.schema.shape import Shape


@dataclass(frozen=True, slots=True)
class Skeleton:
    """As much of a shape as leads to the places that somebody cares about.

    Most schemas have few sets, embedded objects or defaults, so walking the skeleton skips most of an object.
    """

    shape: Shape
    wanted: bool
    fields: Mapping[str, Skeleton]
    values: Skeleton | None
    items: Skeleton | None

    @classmethod
    def of(cls, shape: Shape | None, wanted: Callable[[Shape], bool]) -> Skeleton | None:
        """The skeleton that leads to the wanted places of a shape; `None` if there are none."""
        if shape is None:
            return None
        below = {name: cls.of(child, wanted) for name, child in shape.properties.items()}
        fields = {name: child for name, child in below.items() if child is not None}
        values, items = cls.of(values_of(shape), wanted), cls.of(shape.items, wanted)
        found = cls(shape, wanted(shape), fields, values, items)
        return found if found.wanted or fields or values or items else None

    def children(self, value: Any) -> Iterator[tuple[str, Any, Skeleton]]:
        """What is in a value and has a skeleton: its step in a path, itself, and the skeleton."""
        if type(value) is dict:
            for name, child in self.fields.items():
                if name in value:
                    yield f".{name}", value[name], child
            if self.values is not None:
                known = self.shape.properties
                for name, item in value.items():
                    if name not in known:
                        yield f"[{name}]", item, self.values
        elif type(value) is list and self.items is not None:
            for position, item in enumerate(value):
                yield f"[{position}]", item, self.items

    def places(self, value: Any, path: str = "") -> Iterator[tuple[str, Any, Shape]]:
        """Every value in a wanted place, with its path and its shape."""
        if self.wanted:
            yield path.removeprefix("."), value, self.shape
        for step, item, below in self.children(value):
            yield from below.places(item, path + step)
