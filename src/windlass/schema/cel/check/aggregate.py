"""Lists, maps and objects that an expression makes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from windlass.schema.cel.check import message
from windlass.schema.cel.check.checked import Reference
from windlass.schema.cel.type import DYN, ERROR, Type, TypeKind, list_of, map_of, optional_of, unwrapped

if TYPE_CHECKING:
    from windlass.schema.cel import ast
    from windlass.schema.cel.check.scope import Declaration
    from windlass.schema.cel.check.state import State, Step

_MESSAGES: Final = frozenset({TypeKind.OBJECT, TypeKind.DURATION, TypeKind.TIMESTAMP, TypeKind.NULL})


class _Joined:
    """The type of several expressions: one that fits all, or `dyn`; open while there are none."""

    __slots__ = ("_state", "_type")

    def __init__(self, state: State) -> None:
        self._state = state
        self._type: Type | None = None

    def type(self) -> Type:
        return self._type or self._state.bindings.fresh()

    def add(self, node: ast.Expression, *, is_optional: bool = False) -> None:
        bindings = self._state.bindings
        found = _present(self._state, node) if is_optional else self._state.types[node.id]
        if self._type is None:
            self._type = found
        elif bindings.assignable((self._type,), (found,)):
            self._type = bindings.more_general(self._type, found)
        else:
            self._type = DYN


def list_literal(state: State, node: ast.ListLiteral) -> None:
    """The elements of a list have one type, or `dyn`; that they may not differ is told later."""
    elements = _Joined(state)
    steps: list[Step] = []
    for position, each in enumerate(node.elements):
        steps += each, partial(elements.add, each, is_optional=position in node.optional)
    state.plan(*steps, partial(_made_list, state, node, elements))


def map_literal(state: State, node: ast.MapLiteral) -> None:
    """The keys of a map have one type, or `dyn`, and so have the values."""
    keys, values = _Joined(state), _Joined(state)
    steps: list[Step] = []
    for each in node.entries:
        steps += each.key, partial(keys.add, each.key)
        steps += each.value, partial(values.add, each.value, is_optional=each.optional)
    state.plan(*steps, partial(_made_map, state, node, keys, values))


def object_literal(state: State, node: ast.ObjectLiteral) -> None:
    """An object has fields that its type declares."""
    found = state.scope.find(node.name)
    if found is None:
        state.report(node, message.undeclared(node.name))
        state.types[node.id] = ERROR
        return
    state.references[node.id] = Reference(name=found.name)
    state.types[node.id] = _object_type(state, node, found)
    steps: list[Step] = []
    for each in node.fields:
        steps += each.value, partial(_assigned, state, each, found.name)
    state.plan(*steps)


def _made_list(state: State, node: ast.ListLiteral, elements: _Joined) -> None:
    state.types[node.id] = list_of(elements.type())


def _made_map(state: State, node: ast.MapLiteral, keys: _Joined, values: _Joined) -> None:
    state.types[node.id] = map_of(keys.type(), values.type())


def _object_type(state: State, node: ast.ObjectLiteral, found: Declaration) -> Type:
    if found.type.kind is not TypeKind.TYPE:
        state.report(node, message.not_a_type(found.type))
        return ERROR
    made = found.type.parameters[0] if found.type.parameters else DYN
    if made.kind not in _MESSAGES:
        state.report(node, message.not_a_message(made))
        return ERROR
    return made


def _assigned(state: State, field: ast.FieldValue, of: str) -> None:
    wanted = state.field(field, of, field.name)
    given = _present(state, field.value) if field.optional else state.types[field.value.id]
    if not state.bindings.assignable((wanted,), (given,)):
        state.report(field, message.field_mismatch(field.name, wanted, given))


def _present(state: State, node: ast.Expression) -> Type:
    """The type of what may be there, behind a question mark."""
    inner, was_optional = unwrapped(state.types[node.id])
    if not was_optional and inner.kind is not TypeKind.DYN:
        state.report(node, message.mismatch(optional_of(inner), inner))
    return inner
