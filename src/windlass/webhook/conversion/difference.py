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

    Step = str | int | dict[str, Any]
    """A field, or the key of a map; an item of a list by its position, or by its keys and their values."""


class _Absent:
    def __repr__(self) -> str:
        return "absent"


ABSENT: Final[Any] = _Absent()
"""What is at a place where there is nothing, which is not the same as `null`."""

BESIDE: Final = ("apiVersion", "kind", "metadata")
"""Fields of an object that belong to no version of its kind."""


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
                plain = isinstance(step, str) and "." not in step and "/" not in step
                text += f".{step}" if plain else f"[{step}]"
        return text.removeprefix(".")


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
        """The field of an object; of nothing, nothing."""
        raw, full = (
            each.get(step, ABSENT) if isinstance(each, dict) else ABSENT for each in (self.raw, self.full)
        )
        return Reading(raw, full)

    def item(self, position: int) -> Reading:
        """An item of a list."""
        return Reading(self.raw[position], self.full[position])

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
    """Where two objects of a kind differ, but for their metadata: the single fields.

    A field that is absent is equal to one that holds the default of its type. Items of a list are told by
    their keys where the type says so (`ListMap`), otherwise by their position.

    Raises:
        UndecodableError: an object does not fit the type.
    """
    return list(_differing((), Reading.of(kind, one), Reading.of(kind, other), _finely(_shape(kind))))


def coarse_differences(kind: type[Resource], one: Reading, other: Reading) -> list[Difference]:
    """The same, where what has no name of its own, as an item without keys, is part of a greater value."""
    return list(_differing((), one, other, _Look(_shape(kind))))


@cache
def _shape(kind: type[Resource]) -> Shape:
    """The shape of a kind's objects, worked out once."""
    return Shape(structural(kind))


@dataclass(frozen=True, slots=True)
class _Look:
    """How two values are compared."""

    shape: Shape
    fine: bool = False

    def at(self, shape: Shape | None) -> _Look:
        """Below, in the same way."""
        return _Look(shape or Shape({}), self.fine)


def _finely(shape: Shape) -> _Look:
    return _Look(shape, fine=True)


def _differing(path: tuple[Step, ...], one: Reading, other: Reading, look: _Look) -> Iterator[Difference]:
    if one.means(other):
        return
    pairs = _members(one, other, look)
    if pairs is None:
        yield Difference(path, one.raw, other.raw)
        return
    for step, mine, theirs in pairs:
        below = look.shape.child(step) if isinstance(step, str) else look.shape.items
        yield from _differing((*path, step), mine, theirs, look.at(below))


def _members(one: Reading, other: Reading, look: _Look) -> list[tuple[Step, Reading, Reading]] | None:
    """What two values consist of, paired; None where they are to be taken as a whole."""
    kinds = {type(one.raw), type(other.raw)}
    names = {**_fields(one.raw), **_fields(other.raw)}
    if kinds == {dict} or (look.fine and kinds == {dict, _Absent} and names):
        return [(name, one.at(name), other.at(name)) for name in names]
    if kinds != {list}:
        return None
    mine, theirs = one.items(look.shape.list_keys), other.items(look.shape.list_keys)
    if mine is not None and theirs is not None and list(mine) == list(theirs):
        keys = look.shape.list_keys
        return [(dict(zip(keys, values, strict=True)), mine[values], theirs[values]) for values in mine]
    if look.fine and len(one.raw) == len(other.raw) == len(one.full) == len(other.full):
        return [(at, one.item(at), other.item(at)) for at in range(len(one.raw))]
    return None


def _fields(raw: Any) -> Json:
    return raw if isinstance(raw, dict) else {}


def _body(obj: Json) -> Json:
    return {name: value for name, value in obj.items() if name not in BESIDE}


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
