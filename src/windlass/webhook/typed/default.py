"""An object completed by its Python type: what that adds and normalises, and nothing else."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from windlass.api import Model, Quantity, Status, encode, parse_duration, writer

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic.fields import FieldInfo

    from windlass.api import Json

    Write = Callable[[Any], Any]

_SPELT: Final[tuple[tuple[Any, Callable[[Any], Any]], ...]] = (
    (Quantity, Quantity),
    (timedelta, parse_duration),
    (datetime, datetime.fromisoformat),  # before date, which it is a kind of
    (date, date.fromisoformat),
    ((set, frozenset), set),
)
"""Types of which one value can be spelt in several ways, and how each is read."""

_EMPTY: Final[tuple[Any, ...]] = (None, "", [], {})


def completed(typed: Model, given: Json, old: Json) -> Json:
    """An object as it was given, with what its typed form adds to it or makes of it.

    `old` is the object before the update, from which varying defaults are taken.
    """
    made = dict(given)
    for field in _fields(type(typed)):
        value = getattr(typed, field.name)
        if isinstance(value, Status):
            continue
        found = _value(field, typed, given, old)
        if found not in _EMPTY or field.wire in given:
            made[field.wire] = found
        if value is None and given.get(field.wire) is not None:  # a validator took it away
            del made[field.wire]
    return made


class _Field:
    """How a field of a type is found and written."""

    def __init__(self, name: str, info: FieldInfo) -> None:
        self.name = name
        self.wire = info.serialization_alias or name
        self.write = writer(info.annotation, info.metadata)
        self.varies = _varies(info)
        self.default = None if self.varies else info.get_default(call_default_factory=True)


@cache
def _fields(of: type[Model]) -> tuple[_Field, ...]:
    return tuple(_Field(name, info) for name, info in of.model_fields.items())


def _varies(info: FieldInfo) -> bool:
    """Whether a default is not always the same, so that no schema states it."""
    if info.default_factory is None:
        return False
    if info.default_factory_takes_validated_data:
        return True
    return bool(info.get_default(call_default_factory=True) != info.get_default(call_default_factory=True))


def _value(field: _Field, typed: Model, given: Json, old: Json) -> Any:
    """What a field is to hold; something empty where it is to stay away."""
    value, before = getattr(typed, field.name), old.get(field.wire)
    if field.wire in given:
        return _normalised(value, given[field.wire], before, field.write)
    if isinstance(value, Model) and field.name not in typed.model_fields_set:
        unchanged = not field.varies and value == field.default
        return None if unchanged else completed(value, {}, _members(before))
    if field.varies and before is not None:
        return before
    return field.write(value) if field.varies or field.name in typed.model_fields_set else None


def _normalised(value: Any, given: Any, old: Any, write: Write) -> Any:
    """A value of the typed form; what was given, where both mean the same."""
    if isinstance(value, Model) and isinstance(given, dict):
        return completed(value, given, _members(old))
    if isinstance(value, list | tuple) and isinstance(given, list) and len(value) == len(given):
        pairs = zip(value, given, strict=True)
        return [_normalised(one, other, None, lambda item: write([item])[0]) for one, other in pairs]
    if isinstance(value, dict) and isinstance(given, dict) and value.keys() == given.keys():
        before = _members(old)
        return {
            key: _normalised(value[key], given[key], before.get(key), lambda item: write({"": item})[""])
            for key in given
        }
    return given if _means(value, given) else write(value)


def _means(value: Any, given: Any) -> bool:
    """Whether what stands on the wire is a way to spell a value."""
    if given is None or value is None:
        return given is value
    for kind, read in _SPELT:
        if isinstance(value, kind):
            try:
                return bool(read(given) == value)
            except (ValueError, TypeError):
                return False
    return bool(encode(value) == given)


def _members(value: Any) -> Json:
    return value if isinstance(value, dict) else {}
