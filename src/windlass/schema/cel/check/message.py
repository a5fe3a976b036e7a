"""What the checker says of a problem, in the words of cel-go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.cel.operation import runtime_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.schema.cel.type import Type

NOT_A_FIELD: Final = "unsupported optional field selection"


def undeclared(name: str) -> str:
    """Nothing has this name."""
    return f"undeclared reference to '{name}' (in container '')"


def undefined_field(name: str) -> str:
    """An object has no such field."""
    return f"undefined field '{name}'"


def unknown_object(name: str) -> str:
    """An object's type is not declared, so nothing is known of its fields."""
    return f"unexpected failed resolution of '{name}'"


def no_fields(type_: Type) -> str:
    """A value that is no object was selected from."""
    return f"type '{type_}' does not support field selection"


def mismatch(expected: Type, actual: Type) -> str:
    """A type was found where another is wanted."""
    return f"expected type '{expected}' but found '{actual}'"


def field_mismatch(name: str, expected: Type, actual: Type) -> str:
    """A field was given what it cannot hold."""
    return f"expected type of field '{name}' is '{expected}' but provided type is '{actual}'"


def no_overload(name: str, given: Sequence[Type], *, member: bool) -> str:
    """No signature of a function fits."""
    target = f"{given[0]}." if member else ""
    arguments = ", ".join(map(str, given[member:]))
    return f"found no matching overload for '{name}' applied to '{target}({arguments})'"


def not_a_range(type_: Type) -> str:
    """A comprehension goes over what has no elements."""
    return f"expression of type '{type_}' cannot be range of a comprehension (must be list, map, or dynamic)"


def not_a_type(type_: Type) -> str:
    """An object was to be made of a name that is none of a type."""
    return f"'{runtime_name(type_)}' is not a type"


def not_a_message(type_: Type) -> str:
    """An object was to be made of a type that has no fields."""
    return f"'{runtime_name(type_)}' is not a message type"
