"""Which overload of a function a call means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.schema.cel.operation import runtime_name, type_name
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import Type, TypeKind
from windlass.schema.cel.value import type_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from windlass.schema.cel.declare import Function, Overload
    from windlass.schema.cel.value import Value

_OPEN = frozenset({TypeKind.DYN, TypeKind.PARAMETER, TypeKind.ERROR})


def implementation(
    function: Function, chosen: Overload | None, arguments: Sequence[Type | None]
) -> Callable[..., Value]:
    """What to call; the values decide where the checker could not choose, or does not know a type."""
    untyped = next((each.call for each in function.overloads if each.untyped), None)
    if untyped is not None:
        return untyped
    if chosen is not None and chosen.call is not None and all(map(_is_known, arguments)):
        return chosen.call
    return _deciding(function, (chosen,) if chosen is not None else function.overloads)


def _is_known(type_: Type | None) -> bool:
    return type_ is not None and type_.kind not in _OPEN and all(map(_is_known, type_.parameters))


def _deciding(function: Function, overloads: Sequence[Overload]) -> Callable[..., Value]:
    def call(*values: Any) -> Value:
        for overload in overloads:
            if overload.call is not None and _fits(overload, values):
                return overload.call(*values)
        names = ", ".join(map(type_name, values))
        raise EvaluationError(f"no such overload: {function.name}({names})")

    return call


def _fits(overload: Overload, values: Sequence[Value]) -> bool:
    return len(values) == len(overload.arguments) and all(map(_is_of, values, overload.arguments))


def _is_of(value: Value, wanted: Type) -> bool:
    """Whether a value is of a type; of what it holds, the first is asked."""
    if wanted.kind in _OPEN:
        return True
    if runtime_name(wanted) != runtime_name(type_of(value)):
        return False
    if wanted.kind is TypeKind.LIST and len(value):
        return _is_of(value[0], wanted.parameters[0])
    if wanted.kind is TypeKind.MAP and len(value):
        key = next(iter(value))
        return _is_of(key, wanted.parameters[0]) and _is_of(value[key], wanted.parameters[1])
    return True
