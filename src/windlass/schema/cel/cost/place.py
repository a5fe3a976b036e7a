"""What is known of the nodes of a tree while their costs are estimated: where values come from, how large."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from windlass.schema.cel.ast import ACCUMULATOR, Identifier, ListLiteral, Literal, MapLiteral
from windlass.schema.cel.cost.bounds import ONE, Range
from windlass.schema.cel.cost.operand import Operand
from windlass.schema.cel.cost.trail import Trail
from windlass.schema.cel.type import TypeKind

if TYPE_CHECKING:
    from windlass.schema.cel.ast import Expression
    from windlass.schema.cel.check import Checked
    from windlass.schema.cel.cost.operand import Sizes
    from windlass.schema.cel.type import Type

OLD_ACCUMULATOR: Final = "__result__"
_SCALARS: Final = frozenset(
    {
        TypeKind.BOOL,
        TypeKind.DOUBLE,
        TypeKind.DURATION,
        TypeKind.INT,
        TypeKind.TIMESTAMP,
        TypeKind.UINT,
    }
)


@dataclass(frozen=True, slots=True)
class Entries:
    """How large the keys and the values of a list or a map are."""

    kind: TypeKind
    key: Range
    value: Range

    def joined(self, other: Entries) -> Entries:
        """What has room for the entries of both."""
        return Entries(self.kind, self.key.joined(other.key), self.value.joined(other.value))


@dataclass(frozen=True, slots=True)
class _Local:
    trail: Trail
    size: Range | None
    entries: Entries | None = None


class Places:
    """What is known of nodes, by their ids, and of variables that are local to a part of the tree."""

    def __init__(self, checked: Checked, sizes: Sizes) -> None:
        self._types = checked.types
        self._sizes = sizes
        self._trails: dict[int, Trail] = {}
        self._known: dict[int, Range] = {}
        self._entries: dict[int, Entries] = {}
        self._locals: dict[str, list[_Local]] = {}

    def operand(self, node: Expression) -> Operand:
        """What a price may ask about a node; not where an accumulator comes from."""
        path = self._trail(node).steps()
        if path[:1] in ((ACCUMULATOR,), (OLD_ACCUMULATOR,)):
            path = ()
        return Operand(self._types[node.id], path, self._size(node), node)

    def name(self, node: Identifier) -> None:
        """Note that the value of a name comes from itself, if it is not local."""
        if self._local(node) is None:
            self._trails[node.id] = Trail().plus(node.name)

    def step(self, node: Expression, whole: Expression, step: str) -> None:
        """Note that the value of a node is a part of another's."""
        self._trails[node.id] = self._trail(whole).plus(step)

    def set_size(self, node: Expression, size: Range | None) -> None:
        """Note how large the value of a node can be."""
        if size is not None:
            self._known[node.id] = size

    def entries(self, node: Expression) -> Entries | None:
        """How large what a node holds can be, if that is known."""
        found = self._entries.get(node.id)
        local = self._local(node) if found is None else None
        return local.entries if local else found

    def set_entries(self, node: Expression, entries: Entries | None) -> None:
        """Note how large what a node holds can be."""
        if entries is not None:
            self._entries[node.id] = entries

    def copy(self, node: Expression, other: Expression) -> None:
        """Note that a node is as large as another."""
        self.set_size(node, self._size(other))
        self.set_entries(node, self.entries(other))

    def bind(self, name: str, to: Expression) -> None:
        """Let a name stand for the value of a node, until it is released."""
        self._push(name, _Local(self._trail(to), self._size(to), self.entries(to)))

    def bind_elements(self, names: tuple[str, ...], over: Expression) -> None:
        """Let names stand for what a loop passes by: elements or keys; if two, keys or indices and values."""
        entries = self.entries(over)
        kind = entries.kind if entries else self._types[over.id].kind
        is_list = kind is TypeKind.LIST
        key, value = (entries.key, entries.value) if entries else (None, None)
        at_value = "@items" if is_list else "@values", value
        at_key = "@indices" if is_list else "@keys", key
        places = (at_key, at_value) if len(names) > 1 else (at_value if is_list else at_key,)
        for name, (step, size) in zip(names, places, strict=True):
            self._push(name, _Local(self._trail(over).plus(step), size))

    def release(self, *names: str) -> None:
        """Let names stand for what they stood for before."""
        for name in names:
            self._locals[name].pop()

    def _trail(self, node: Expression) -> Trail:
        """Where the value of a node comes from; empty if that is not known."""
        local = self._local(node)
        return local.trail if local else self._trails.get(node.id, Trail())

    def _size(self, node: Expression) -> Range | None:
        """How large the value of a node can be, if that is known."""
        known = self._known.get(node.id) or _written_size(node)
        if known is not None:
            return known
        path = self._trail(node).steps()
        known = self._sizes(path) if path else None
        if known is not None:
            self._known[node.id] = known
            return known
        if _is_scalar(self._types[node.id]):
            return ONE
        local = self._local(node)
        return local.size if local else None

    def _push(self, name: str, local: _Local) -> None:
        self._locals.setdefault(name, []).append(local)

    def _local(self, node: Expression) -> _Local | None:
        known = self._locals.get(node.name) if isinstance(node, Identifier) else None
        return known[-1] if known else None


def _written_size(node: Expression) -> Range | None:
    match node:
        case Literal(value=str() | bytes() as value):
            return Range.exactly(len(value))
        case Literal():
            return ONE
        case ListLiteral():
            return Range.exactly(len(node.elements))
        case MapLiteral():
            return Range.exactly(len(node.entries))
        case _:
            return None


def _is_scalar(of: Type) -> bool:
    while of.kind is TypeKind.OPAQUE and of.name == "optional_type":
        of = of.parameters[0]
    return of.kind in _SCALARS
