"""The tree of an expression. Operators are calls (`_+_`, `_&&_`, `_?_:_`, `_[_]`, `!_`), macros are expanded.

Every node has an `id`, unique in its tree, by which the checker tells its type, and the `offset` of its place
in the text, in characters, which is what errors point to.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ACCUMULATOR = "@result"
"""The accumulator of a comprehension that a macro makes."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Node:
    """What every node has."""

    id: int
    offset: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Literal(Node):
    """A constant: bool, int, `Uint`, float, str, bytes or None."""

    value: Any


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Identifier(Node):
    """A name; with a leading dot if it is to be looked up in no container."""

    name: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Select(Node):
    """`operand.field`; with `test`, whether it is there: `has(operand.field)`."""

    operand: Expression
    field: str
    test: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Call(Node):
    """`function(arguments)` or `target.function(arguments)`."""

    function: str
    arguments: tuple[Expression, ...]
    target: Expression | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ListLiteral(Node):
    """`[a, ?b]`; `optional` has the positions of those that may be absent."""

    elements: tuple[Expression, ...]
    optional: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Entry(Node):
    """`key: value` of a map, `?key: value` if it may be absent."""

    key: Expression
    value: Expression
    optional: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MapLiteral(Node):
    """`{key: value}`."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FieldValue(Node):
    """`name: value` of an object, `?name: value` if it may be absent."""

    name: str
    value: Expression
    optional: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ObjectLiteral(Node):
    """`Name{field: value}`."""

    name: str
    fields: tuple[FieldValue, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Comprehension(Node):
    """What `all`, `exists`, `map`, `filter` and their like become: a loop over a list or the keys of a map.

    The accumulator begins as `start`; while `condition` holds, each element makes it `step`; the outcome is
    `result`. `second` is the name of the other variable of a comprehension of two variables, or empty.
    """

    variable: str
    second: str = ""
    range: Expression
    accumulator: str
    start: Expression
    condition: Expression
    step: Expression
    result: Expression


Expression = Literal | Identifier | Select | Call | ListLiteral | MapLiteral | ObjectLiteral | Comprehension


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """A parsed expression.

    `macros` tells of each node that a macro made what was written there: for messages, and for limits on it.
    """

    text: str
    root: Expression
    macros: dict[int, Call] = field(default_factory=dict)


def children(node: Expression) -> tuple[Expression, ...]:  # noqa: PLR0911 - one for each kind of node
    """The expressions that a node consists of, in the order in which they are evaluated."""
    match node:
        case Select():
            return (node.operand,)
        case Call():
            return node.arguments if node.target is None else (node.target, *node.arguments)
        case ListLiteral():
            return node.elements
        case MapLiteral():
            return tuple(part for entry in node.entries for part in (entry.key, entry.value))
        case ObjectLiteral():
            return tuple(each.value for each in node.fields)
        case Comprehension():
            return (node.range, node.start, node.condition, node.step, node.result)
        case _:
            return ()


def walk(root: Expression) -> Iterator[Expression]:
    """Every node of a tree, those that it consists of before itself."""
    todo: list[tuple[Expression, bool]] = [(root, False)]
    while todo:
        node, ready = todo.pop()
        inner = () if ready else children(node)
        if not inner:
            yield node
            continue
        todo.append((node, True))
        todo.extend((each, False) for each in reversed(inner))
