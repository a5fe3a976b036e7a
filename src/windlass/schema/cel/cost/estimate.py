"""What an expression costs at least and at most, before there are values."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from windlass.schema.cel.ast import (
    Call,
    Comprehension,
    Expression,
    Identifier,
    ListLiteral,
    Literal,
    MapLiteral,
    ObjectLiteral,
    Select,
)
from windlass.schema.cel.cost import unit
from windlass.schema.cel.cost.bounds import FREE, NEVER, ONE, Range
from windlass.schema.cel.cost.library import library_estimate
from windlass.schema.cel.cost.operand import Estimate, Invocation
from windlass.schema.cel.cost.place import OLD_ACCUMULATOR, Entries, Places
from windlass.schema.cel.cost.standard import standard_estimate
from windlass.schema.cel.type import TypeKind

if TYPE_CHECKING:
    from collections.abc import Generator

    from windlass.schema.cel.check import Checked
    from windlass.schema.cel.cost.operand import Sizes

    Costing = Generator[Expression, Range, Range]
    """Yields the nodes whose costs it needs, is sent these, and returns its own."""


def estimate(checked: Checked, sizes: Sizes = lambda _path: None) -> Range:
    """What an expression costs, in the units of Kubernetes: one is about 50 nanoseconds of its servers."""
    estimator = _Estimator(checked, sizes)
    open_ = [estimator.cost(checked.tree.root)]
    sent: Range | None = None
    # Kept here and not on Python's stack, which a deep expression could exhaust.
    while True:
        try:
            needed = next(open_[-1]) if sent is None else open_[-1].send(sent)
        except StopIteration as done:
            open_.pop()
            sent = cast("Range", done.value)
            if not open_:
                return sent
        else:
            open_.append(estimator.cost(needed))
            sent = None


class _Estimator:
    def __init__(self, checked: Checked, sizes: Sizes) -> None:
        self._types = checked.types
        self._references = checked.references
        self._sizes = sizes
        self._places = Places(checked, sizes)

    def cost(self, node: Expression) -> Costing:
        """The cost of one node."""
        match node:
            case Select():
                return self._select(node)
            case Call():
                return self._call(node)
            case Comprehension():
                return self._bind(node) if _is_bind(node) else self._loop(node)
            case Identifier() | Literal():
                return self._leaf(node)
            case _:
                return self._aggregate(node)

    def _leaf(self, node: Identifier | Literal) -> Costing:
        yield from ()
        if isinstance(node, Literal):
            return FREE
        self._places.name(node)
        return Range.exactly(unit.SELECT)

    def _aggregate(self, node: ListLiteral | MapLiteral | ObjectLiteral) -> Costing:
        match node:
            case ListLiteral():
                return (yield from self._list(node))
            case MapLiteral():
                return (yield from self._map(node))
            case ObjectLiteral():
                return (yield from self._object(node))

    def _select(self, node: Select) -> Costing:
        total = yield node.operand
        if node.test:
            return total
        if self._types[node.operand.id].kind in (TypeKind.MAP, TypeKind.OBJECT, TypeKind.PARAMETER):
            total = total.plus(Range.exactly(unit.SELECT))
        self._places.step(node, node.operand, node.field)
        return total

    def _list(self, node: ListLiteral) -> Costing:
        total, size = FREE, NEVER if node.elements else FREE
        for element in node.elements:
            total = total.plus((yield element))
            size = size.joined(self._places.operand(element).bounds)
        self._places.set_entries(node, Entries(TypeKind.LIST, ONE, size))
        return total.plus(Range.exactly(unit.LIST))

    def _map(self, node: MapLiteral) -> Costing:
        total, key, value = FREE, *([NEVER if node.entries else FREE] * 2)
        for entry in node.entries:
            total = total.plus((yield entry.key)).plus((yield entry.value))
            key = key.joined(self._places.operand(entry.key).bounds)
            value = value.joined(self._places.operand(entry.value).bounds)
        self._places.set_entries(node, Entries(TypeKind.MAP, key, value))
        return total.plus(Range.exactly(unit.MAP))

    def _object(self, node: ObjectLiteral) -> Costing:
        total = Range.exactly(unit.OBJECT)
        for field in node.fields:
            total = total.plus((yield field.value))
        return total

    def _bind(self, node: Comprehension) -> Costing:
        """A loop over nothing, which gives a name to a value."""
        total = (yield node.range).plus((yield node.start))
        self._places.bind(node.accumulator, node.start)
        total = total.plus((yield node.result))
        self._places.release(node.accumulator)
        self._places.copy(node, node.result)
        return total

    def _loop(self, node: Comprehension) -> Costing:
        places = self._places
        total = (yield node.range).plus((yield node.start))
        places.bind(node.accumulator, node.start)
        names = (node.variable, node.second) if node.second else (node.variable,)
        places.bind_elements(names, node.range)
        round_ = (yield node.condition).plus((yield node.step))
        places.release(*names)
        total = total.plus((yield node.result))
        places.release(node.accumulator)
        rounds = places.operand(node.range).bounds
        if isinstance(node.start, Literal):
            places.copy(node, node.start)
        elif isinstance(node.start, (ListLiteral, MapLiteral)):
            places.set_size(node, rounds)
            places.set_entries(node, places.entries(node.step))
        return total.plus(rounds.times(round_))

    def _call(self, node: Call) -> Costing:
        if node.function == "dyn":
            return (yield from self._dyn(node))
        costs: list[Range] = []
        operands = []
        for argument in node.arguments:
            costs.append((yield argument))
            operands.append(self._places.operand(argument))
        overloads = self._references[node.id].overloads if node.id in self._references else ()
        if not overloads:
            return FREE
        before, target = FREE, None
        if node.target is not None:
            before = yield node.target
            target = self._places.operand(node.target)
        total, size = NEVER, None
        for overload in overloads:
            invocation = Invocation(node.function, overload, target, tuple(operands), self._sizes)
            found = self._priced(node, invocation, costs)
            total = total.joined(found.cost)
            size = found.size if size is None else size if found.size is None else size.joined(found.size)
            size = self._indexed(node, overload, size)
        self._places.set_size(node, size)
        return before.plus(total)

    def _dyn(self, node: Call) -> Costing:
        argument = node.arguments[0]
        total = yield argument
        self._places.copy(node, argument)
        return total.plus(ONE)

    def _indexed(self, node: Call, overload: str, size: Range | None) -> Range | None:
        """The size of an element, if this takes one out; else what is known."""
        step = {"index_list": "@items", "index_map": "@values"}.get(overload)
        if step and node.arguments:
            entries = self._places.entries(node.arguments[0])
            size = entries.value if entries else None
            self._places.step(node, node.arguments[0], step)
        return self._places.operand(node).size if size is None else size

    def _priced(self, node: Call, invocation: Invocation, costs: list[Range]) -> Estimate:
        found = library_estimate(invocation)
        if found is None:
            lazy = self._lazy(node, invocation, costs)
            if lazy is not None:
                return lazy
            found = standard_estimate(invocation)
            if invocation.overload in ("add_string", "add_bytes", "add_list"):
                self._join_entries(node, *node.arguments)
        total = found.cost
        for cost in costs:
            total = total.plus(cost)
        return Estimate(total, found.size)

    def _join_entries(self, node: Call, left: Expression, right: Expression) -> None:
        one, other = self._places.entries(left), self._places.entries(right)
        if one is not None and other is not None:
            self._places.set_entries(node, one.joined(other))

    def _lazy(self, node: Call, invocation: Invocation, costs: list[Range]) -> Estimate | None:
        """What need not evaluate all of its arguments."""
        match invocation.overload:
            case "logical_and" | "logical_or":
                left, right = costs
                return Estimate(Range(left.min, left.plus(right).max))
            case "conditional":
                _, then, otherwise = node.arguments
                self._join_entries(node, then, otherwise)
                size = invocation.arguments[1].bounds.joined(invocation.arguments[2].bounds)
                return Estimate(costs[0].plus(costs[1].joined(costs[2])), size)
            case _:
                return None


def _is_bind(node: Comprehension) -> bool:
    return (
        isinstance(node.range, ListLiteral)
        and not node.range.elements
        and isinstance(node.condition, Literal)
        and node.condition.value is False
        and node.accumulator != OLD_ACCUMULATOR
    )
