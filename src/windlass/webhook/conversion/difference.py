"""In what two objects of one type differ, to those who read them by that type."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from windlass.api import Model, Resource
from windlass.schema import Shape, alike, structural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.api import Json

    Step = str | dict[str, Any]
    """The name of a field or the key of a map; or the keys of an item of a list, with their values."""

ABSENT: Final[Any] = object()
"""What is at a place where there is nothing, which is not the same as `null`."""

_TYPE_META: Final = ("apiVersion", "kind", "metadata")


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where two objects differ, and what each has there."""

    path: tuple[Step, ...]
    one: Any
    other: Any

    def __str__(self) -> str:
        """The path as people write it: `spec.ports[name=http].protocol`."""
        text = ""
        for step in self.path:
            if isinstance(step, dict):
                text += f"[{','.join(f'{key}={value}' for key, value in step.items())}]"
            else:
                text += f"[{step}]" if "." in step or "/" in step else f".{step}"
        return text.removeprefix(".")

    @staticmethod
    def is_absent(value: Any) -> bool:
        """Whether one of the values stands for nothing."""
        return value is ABSENT


@dataclass(frozen=True, slots=True)
class Reading:
    """An object as it stands on the wire, and beside it the same with all that its type fills in."""

    raw: Any
    full: Any

    @classmethod
    def of(cls, kind: type[Resource], obj: Json) -> Reading:
        """Read an object by its type; metadata is left out.

        Raises:
            UndecodableError: it does not fit.
        """
        typed = kind.from_wire(obj)
        _set_all(typed)
        return cls(_body(obj), _body(typed.to_wire()))

    def at(self, step: str) -> Reading:
        """The field of an object."""
        full = self.full.get(step, ABSENT) if isinstance(self.full, dict) else ABSENT
        return Reading(self.raw.get(step, ABSENT), full)

    def items(self, keys: tuple[str, ...]) -> dict[tuple[Any, ...], Reading] | None:
        """The items of a list by their keys; None where these do not tell them apart."""
        found: dict[tuple[Any, ...], Reading] = {}
        if not keys or len(self.raw) != len(self.full):
            return None
        for raw, full in zip(self.raw, self.full, strict=True):
            if not isinstance(raw, dict) or not isinstance(full, dict):
                return None
            values = tuple(full.get(key) for key in keys)
            if values in found or any(isinstance(value, dict | list) for value in values):
                return None
            found[values] = Reading(raw, full)
        return found

    def means(self, other: Reading) -> bool:
        """Whether two mean the same: both are absent, or the type reads the same from them."""
        return (self.raw is ABSENT and other.raw is ABSENT) or alike(self.full, other.full)


def differences(kind: type[Resource], one: Json, other: Json) -> list[Difference]:
    """Where two objects of a kind differ, but for their metadata.

    A field that is absent is equal to one that holds the default of its type. Items of a list are compared
    one by one where the type says what tells them apart (`ListMap`); any other list is one value.

    Raises:
        UndecodableError: an object does not fit the type.
    """
    return compared(kind, Reading.of(kind, one), Reading.of(kind, other))


def compared(kind: type[Resource], one: Reading, other: Reading) -> list[Difference]:
    """Where two objects of a kind differ that have been read already."""
    return list(_differing((), one, other, _shape(kind)))


@cache
def _shape(kind: type[Resource]) -> Shape:
    """The shape of a kind's objects, worked out once."""
    return Shape(structural(kind))


def _differing(path: tuple[Step, ...], one: Reading, other: Reading, shape: Shape) -> Iterator[Difference]:
    if one.means(other):
        return
    if isinstance(one.raw, dict) and isinstance(other.raw, dict):
        for name in {**one.raw, **other.raw}:
            below = shape.child(name) or Shape({})
            yield from _differing((*path, name), one.at(name), other.at(name), below)
        return
    if isinstance(one.raw, list) and isinstance(other.raw, list) and shape.items is not None:
        mine, theirs = one.items(shape.list_keys), other.items(shape.list_keys)
        if mine is not None and theirs is not None and list(mine) == list(theirs):
            for values, item in mine.items():
                step = dict(zip(shape.list_keys, values, strict=True))
                yield from _differing((*path, step), item, theirs[values], shape.items)
            return
    yield Difference(path, one.raw, other.raw)


def _body(obj: Json) -> Json:
    return {name: value for name, value in obj.items() if name not in _TYPE_META}


def _set_all(value: Any) -> None:
    """Have every field written, the defaults too."""
    if isinstance(value, Model):
        value.model_fields_set.update(type(value).model_fields)
        for below in value.__dict__.values():
            _set_all(below)
    elif isinstance(value, dict):
        for below in value.values():
            _set_all(below)
    elif isinstance(value, list | tuple):
        for below in value:
            _set_all(below)
