"""Which overloads of a function fit the types of its arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.schema.cel.type import DYN, Type, TypeKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.schema.cel.check.unify import Bindings
    from windlass.schema.cel.declare import Function, Overload


def resolve(
    function: Function, given: Sequence[Type], bindings: Bindings, *, member: bool
) -> tuple[Type, tuple[str, ...]] | None:
    """The type of a call and the overloads that it may turn out to be; `None` if none fits.

    Where a type is not known before the values are, several overloads fit; if their results differ, the type
    of the call is not known either.
    """
    result: Type | None = None
    fitting: list[str] = []
    for overload in function.overloads:
        if overload.member is not member:
            continue
        wanted, made = _instance(overload, bindings)
        if not bindings.assignable(given, wanted):
            continue
        fitting.append(overload.id)
        found = bindings.settled(made)
        if result is None:
            result = found
        elif result.kind is not TypeKind.DYN and not bindings.same(found, result):
            result = DYN
    return None if result is None else (result, tuple(fitting))


def _instance(overload: Overload, bindings: Bindings) -> tuple[tuple[Type, ...], Type]:
    """The signature with open types of its own."""
    open_: dict[str, Type] = {}
    arguments = tuple(_renamed(each, open_, bindings) for each in overload.arguments)
    return arguments, _renamed(overload.result, open_, bindings)


def _renamed(type_: Type, open_: dict[str, Type], bindings: Bindings) -> Type:
    if type_.kind is TypeKind.PARAMETER:
        if type_.name not in open_:
            open_[type_.name] = bindings.fresh()
        return open_[type_.name]
    if not type_.parameters:
        return type_
    # Signatures are written by hand and not deep, so this may call itself.
    return Type(type_.kind, type_.name, tuple(_renamed(each, open_, bindings) for each in type_.parameters))
