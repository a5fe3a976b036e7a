"""What an annotation says: a type, and the marks on it."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin

from pydantic.fields import FieldInfo

_ALIASES: Final = ("__supertype__", "__value__")
"""Where a `NewType` and a `type X = …` keep what they stand for."""


def unwrap(annotation: Any, marks: list[Any]) -> tuple[Any, list[Any]]:
    """A type without `Annotated`, `| None` and aliases, and every mark found on the way."""
    if get_origin(annotation) is Annotated:
        inner, *found = get_args(annotation)
        expanded = [
            mark for each in found for mark in (each.metadata if isinstance(each, FieldInfo) else [each])
        ]
        return unwrap(inner, [*expanded, *marks])
    if get_origin(annotation) in (Union, UnionType):
        options = [option for option in get_args(annotation) if option is not NoneType]
        if len(options) == 1:
            return unwrap(options[0], marks)
    for alias in _ALIASES:
        if hasattr(annotation, alias):
            return unwrap(getattr(annotation, alias), marks)
    return annotation, marks


def admits_none(annotation: Any) -> bool:
    """Whether `None` is one of the values of a type."""
    if get_origin(annotation) is Annotated:
        return admits_none(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return NoneType in get_args(annotation)
    aliased = [getattr(annotation, alias) for alias in _ALIASES if hasattr(annotation, alias)]
    return any(map(admits_none, aliased))


def marks_of(info: FieldInfo) -> list[Any]:
    """Every mark on a field, wherever in its annotation it stands."""
    return unwrap(info.annotation, list(info.metadata))[1]
