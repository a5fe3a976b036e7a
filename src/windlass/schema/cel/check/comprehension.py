"""Comprehensions: what macros like `all` and `map` become."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from windlass.schema.cel.check import message
from windlass.schema.cel.type import BOOL, DYN, ERROR, INT, Type, TypeKind

if TYPE_CHECKING:
    from windlass.schema.cel import ast
    from windlass.schema.cel.check.state import State

_UNKNOWN: Final = frozenset({TypeKind.DYN, TypeKind.ERROR, TypeKind.PARAMETER})


def comprehension(state: State, node: ast.Comprehension) -> None:
    """The loop sees its variables and the accumulator, the result only the accumulator."""
    state.plan(
        node.range,
        node.start,
        partial(_enter, state, node),
        node.condition,
        lambda: state.expect(node.condition, BOOL),
        node.step,
        lambda: state.expect(node.step, state.types[node.start.id]),
        state.scope.leave,
        node.result,
        state.scope.leave,
        partial(_finish, state, node),
    )


def _enter(state: State, node: ast.Comprehension) -> None:
    first, second = _elements(state, node)
    state.scope.enter({node.accumulator: state.types[node.start.id]})
    names = {node.variable: first}
    if node.second:
        names.setdefault(node.second, second)
    state.scope.enter(names)


def _elements(state: State, node: ast.Comprehension) -> tuple[Type, Type]:
    """The types of the variables: an element, or its index and itself; a key, or it and its value."""
    over = state.type_of(node.range)
    if over.kind is TypeKind.LIST:
        (element,) = over.parameters
        return (INT, element) if node.second else (element, element)
    if over.kind is TypeKind.MAP:
        key, value = over.parameters
        return key, value
    if over.kind in _UNKNOWN:
        state.bindings.assignable((DYN,), (over,))
        return DYN, DYN
    state.report(node.range, message.not_a_range(over))
    return ERROR, ERROR


def _finish(state: State, node: ast.Comprehension) -> None:
    state.types[node.id] = state.type_of(node.result)
