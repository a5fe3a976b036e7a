"""Nodes as they are made: with ids, no deeper than they may be, and with macros expanded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from windlass.schema.cel.ast import Call, Expression, Literal, Node, Select
from windlass.schema.cel.parse.cursor import Halt
from windlass.schema.cel.parse.expand import Expander
from windlass.schema.cel.problem import ExpressionError, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.schema.cel.declare import Macro

_Made = TypeVar("_Made", bound=Node)

DEEPEST: Final = 250
_MOST_NODES: Final = 50_000
"""More than the longest text has words; only `optMap` in its own target, which is copied, comes near."""


class Plant:
    """Makes the nodes of one tree."""

    def __init__(self, text: str, macros: Sequence[Macro], problems: list[Problem]) -> None:
        self.written: dict[int, Call] = {}
        self._text = text
        self._macros = {(macro.name, macro.count, macro.member): macro for macro in macros}
        self._problems = problems
        self._heights: dict[int, int] = {}
        self._last = 0

    def fresh(self) -> int:
        """An id that no node has."""
        self._last += 1
        if self._last > _MOST_NODES:
            self._problems.append(Problem(-1, f"expression expands to more than {_MOST_NODES} nodes"))
            raise Halt
        return self._last

    def wrong(self, offset: int, message: str) -> Literal:
        """Tell what is wrong, and put something in its place."""
        self._problems.append(Problem(offset, message))
        return self.literal(offset, None)

    def literal(self, offset: int, value: Any) -> Literal:
        """A constant."""
        return Literal(id=self.fresh(), offset=offset, value=value)

    def select(self, offset: int, operand: Expression, field: str) -> Select:
        """A field."""
        node = Select(id=self.fresh(), offset=offset, operand=operand, field=field)
        return self.measured(node, (operand,), level=1)

    def operation(self, offset: int, function: str, *operands: Expression, level: int = 1) -> Expression:
        """An operator. It counts as a `level` of depth, or not."""
        return self.call(
            Call(id=self.fresh(), offset=offset, function=function, arguments=operands), level=level
        )

    def call(self, call: Call, *, level: int) -> Expression:
        """A call, or what it stands for if it is a macro's."""
        parts = call.arguments if call.target is None else (call.target, *call.arguments)
        self.measured(call, parts, level=level)
        try:
            expanded = self._expanded(call)
        except ExpressionError as error:
            self._problems.extend(error.problems)
            return self.literal(error.problems[-1].offset, None)
        if expanded is None:
            return call
        self.written[expanded.id] = call
        self._heights[expanded.id] = self._heights[call.id]
        return expanded

    def _expanded(self, call: Call) -> Expression | None:
        member = call.target is not None
        macro = self._macros.get((call.function, len(call.arguments), member))
        macro = macro or self._macros.get((call.function, None, member))
        return macro.expand(Expander(self._text, call.offset, self.fresh), call) if macro else None

    def measured(self, node: _Made, parts: Iterable[Expression], *, level: int = 0) -> _Made:
        """A node, once it is known not to be too deep. It counts as a `level`, or not."""
        height = level + max((self._heights.get(part.id, 0) for part in parts), default=0)
        if height > DEEPEST:
            self._problems.append(Problem(-1, "max recursion depth exceeded"))
            raise Halt
        self._heights[node.id] = height
        return node
