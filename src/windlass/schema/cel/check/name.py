"""Names, and what is selected from them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from windlass.schema.cel import ast
from windlass.schema.cel.check import message
from windlass.schema.cel.check.checked import Reference
from windlass.schema.cel.check.scope import qualified
from windlass.schema.cel.type import BOOL, DYN, ERROR, Type, TypeKind, optional_of, unwrapped

if TYPE_CHECKING:
    from windlass.schema.cel.check.state import State

_ANYTHING: Final = frozenset({TypeKind.DYN, TypeKind.ERROR})


def identifier(state: State, node: ast.Identifier) -> None:
    """A name must be declared."""
    if not _named(state, node, node.name):
        state.report(node, message.undeclared(node.name))
        state.types[node.id] = ERROR


def select(state: State, node: ast.Select) -> None:
    """`a.b.c` may be a name with dots, or the field `c` of `a.b`."""
    name = qualified(node)
    if name is None or not _named(state, node, name):
        state.plan(node.operand, partial(_selected, state, node))


def optional_select(state: State, node: ast.Call) -> None:
    """`a.?b`, a call of `_?._` whose second argument is the name of the field."""
    operand, name = node.arguments
    if isinstance(name, ast.Literal) and isinstance(name.value, str):
        state.plan(operand, partial(_optionally_selected, state, node, name.value))
        return
    state.report(name, message.NOT_A_FIELD)
    state.types[node.id] = ERROR


def _named(state: State, node: ast.Identifier | ast.Select, name: str) -> bool:
    found = state.scope.find(name)
    if found is None:
        return False
    state.types[node.id] = found.type
    state.references[node.id] = Reference(name=found.name, constant=found.constant)
    if isinstance(node, ast.Select) or node.name != found.name:
        state.resolved[node.id] = ast.Identifier(id=node.id, offset=node.offset, name=found.name)
    return True


def _selected(state: State, node: ast.Select) -> None:
    inner, was_optional = unwrapped(state.type_of(node.operand))
    found = _field(state, node, inner, node.field)
    if node.test:
        state.types[node.id] = BOOL
    else:
        state.types[node.id] = state.bindings.settled(optional_of(found) if was_optional else found)


def _optionally_selected(state: State, node: ast.Call, name: str) -> None:
    inner, _ = unwrapped(state.type_of(node.arguments[0]))
    found = _field(state, node, inner, name)
    state.types[node.id] = state.bindings.settled(optional_of(found))
    state.types[node.arguments[1].id] = DYN
    state.references[node.id] = Reference(("select_optional_field",))


def _field(state: State, node: ast.Expression, target: Type, name: str) -> Type:
    if target.kind is TypeKind.MAP:
        return target.parameters[1]
    if target.kind is TypeKind.OBJECT:
        return state.field(node, target.name, name)
    if target.kind is TypeKind.PARAMETER:
        # It must not become anything else later, since nothing is known of what was selected from it.
        state.bindings.assignable((DYN,), (target,))
    elif target.kind not in _ANYTHING:
        state.report(node, message.no_fields(target))
    return DYN
