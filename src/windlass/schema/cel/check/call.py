"""Calls of functions, operators among them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from windlass.schema.cel import ast
from windlass.schema.cel.check import message
from windlass.schema.cel.check.checked import Reference
from windlass.schema.cel.check.name import optional_select
from windlass.schema.cel.check.overload import resolve
from windlass.schema.cel.check.scope import qualified
from windlass.schema.cel.type import BOOL, ERROR

if TYPE_CHECKING:
    from windlass.schema.cel.check.state import State

_OPTIONAL_SELECT: Final = "_?._"
_LOGIC: Final = frozenset({"_&&_", "_||_"})


def call(state: State, node: ast.Call) -> None:
    """A call must fit an overload of its function."""
    if node.function == _OPTIONAL_SELECT:
        optional_select(state, node)
    else:
        state.plan(*node.arguments, partial(_called, state, node))


def _called(state: State, node: ast.Call) -> None:
    """The arguments are known. `a.b.c()` may be a function `a.b.c`, or `c` of `a.b`."""
    if node.target is None:
        _apply(state, node, node.function.removeprefix("."), None)
        return
    prefix = qualified(node.target)
    name = f"{prefix}.{node.function}".removeprefix(".")
    if prefix is not None and name in state.environment.functions:
        _apply(state, node, name, None)
    else:
        state.plan(node.target, partial(_apply, state, node, node.function, node.target))


def _apply(state: State, node: ast.Call, name: str, target: ast.Expression | None) -> None:
    function = state.environment.functions.get(name)
    state.types[node.id] = ERROR
    if function is None:
        state.report(node, message.undeclared(node.function))
        return
    if target is not node.target or name != node.function:
        state.resolved[node.id] = ast.Call(
            id=node.id, offset=node.offset, function=name, arguments=node.arguments
        )
    if name in _LOGIC:
        _logic(state, node, function.overloads[0].id)
        return
    nodes = node.arguments if target is None else (target, *node.arguments)
    given = [state.types[each.id] for each in nodes]
    found = resolve(function, given, state.bindings, member=target is not None)
    if found is None:
        told = [state.bindings.settled(each, close=True) for each in given]
        state.report(node, message.no_overload(name, told, member=target is not None))
        return
    state.types[node.id], overloads = found
    state.references[node.id] = Reference(overloads)


def _logic(state: State, node: ast.Call, overload: str) -> None:
    """Each side of `&&` and `||` that is no bool is a problem of its own."""
    fits = True
    for each in node.arguments:
        given = state.types[each.id]
        if not state.bindings.assignable((given,), (BOOL,)):
            state.report(each, message.mismatch(BOOL, given))
            fits = False
    if fits:
        state.types[node.id] = BOOL
        state.references[node.id] = Reference((overload,))
