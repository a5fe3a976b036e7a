"""Which overload of a function a call means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema.cel.operation import runtime_name, type_name
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import Type, TypeKind
from windlass.schema.cel.value import Duration, Timestamp, Uint, type_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from windlass.schema.cel.declare import Function, Overload
    from windlass.schema.cel.value import Value

_OPEN: Final = frozenset({TypeKind.DYN, TypeKind.PARAMETER, TypeKind.ERROR})
_CLASSES: Final[dict[TypeKind, type]] = {
    TypeKind.BOOL: bool,
    TypeKind.INT: int,
    TypeKind.UINT: Uint,
    TypeKind.DOUBLE: float,
    TypeKind.STRING: str,
    TypeKind.BYTES: bytes,
    TypeKind.TIMESTAMP: Timestamp,
    TypeKind.DURATION: Duration,
}


def implementation(function: Function, chosen: Overload | None) -> Callable[..., Value]:
    """What to call: what the checker chose, or what fits the values.

    Even of the former the values are asked, since the checker takes the word of `dyn` for anything.
    """
    untyped = next((each.call for each in function.overloads if each.untyped), None)
    if untyped is not None:
        return untyped
    decide = _deciding(function, (chosen,) if chosen is not None else function.overloads)
    if chosen is None or chosen.call is None:
        return decide
    classes = [_CLASSES.get(each.kind) for each in chosen.arguments]
    return decide if None in classes else _hurried(chosen.call, classes, decide)


def _hurried(
    call: Callable[..., Value], classes: Sequence[type | None], decide: Callable[..., Value]
) -> Callable[..., Value]:
    """A call that looks no closer at values which are just what is wanted."""
    if len(classes) == 1:
        only = classes[0]
        return lambda value: call(value) if type(value) is only else decide(value)
    return lambda *values: call(*values) if list(map(type, values)) == classes else decide(*values)


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
    return all(each.kind in _OPEN for each in wanted.parameters) or _holds(value, wanted)


def _holds(value: Value, wanted: Type) -> bool:
    """Whether a list or a map begins with what one of its type holds; what cannot be read is of no type."""
    try:
        if wanted.kind is TypeKind.LIST and len(value):
            return _is_of(value[0], wanted.parameters[0])
        if wanted.kind is TypeKind.MAP:
            return all(map(_is_of, next(iter(value.items()), ()), wanted.parameters))
    except EvaluationError:
        return False
    return True
