"""Short ways to declare what a library has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.schema.cel.declare import Function, Overload

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.schema.cel.type import Type


def method(id_: str, arguments: tuple[Type, ...], result: Type, call: Callable[..., Any]) -> Overload:
    """A signature whose first argument stands before the dot."""
    return Overload(id_, arguments, result, call, member=True)


def untyped(id_: str, arguments: tuple[Type, ...], result: Type, call: Callable[..., Any]) -> Overload:
    """A method whose function looks at the types of its arguments itself."""
    return Overload(id_, arguments, result, call, member=True, untyped=True)


def plain(id_: str, arguments: tuple[Type, ...], result: Type, call: Callable[..., Any]) -> Overload:
    """A signature without a target."""
    return Overload(id_, arguments, result, call)


def function(name: str, *overloads: Overload) -> Function:
    """A name with its signatures."""
    return Function(name, overloads)
