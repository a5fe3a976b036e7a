"""What a macro makes nodes with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from windlass.schema.cel.ast import (
    ACCUMULATOR,
    Call,
    Comprehension,
    Entry,
    Expression,
    FieldValue,
    Identifier,
    ListLiteral,
    Literal,
    MapLiteral,
    ObjectLiteral,
    Select,
)
from windlass.schema.cel.problem import ExpressionError, Problem

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """What a comprehension does: from `start` a `step` for each while `condition` holds, then `result`."""

    start: Expression
    condition: Expression
    step: Expression
    result: Expression
    accumulator: str = ACCUMULATOR


class Expander:
    """Makes nodes, all at the place of the call that is expanded."""

    def __init__(self, text: str, offset: int, fresh: Callable[[], int]) -> None:
        self._text = text
        self._offset = offset
        self._fresh = fresh

    def error(self, node: Expression, message: str) -> ExpressionError:
        """What to raise when an argument is wrong."""
        return ExpressionError(self._text, [Problem(node.offset, message)])

    def literal(self, value: Any) -> Literal:
        """A constant."""
        return Literal(id=self._fresh(), offset=self._offset, value=value)

    def identifier(self, name: str) -> Identifier:
        """A name."""
        return Identifier(id=self._fresh(), offset=self._offset, name=name)

    def accumulator(self) -> Identifier:
        """The accumulator of the comprehension."""
        return self.identifier(ACCUMULATOR)

    def present(self, operand: Expression, field: str) -> Select:
        """Whether a field is there."""
        return Select(id=self._fresh(), offset=self._offset, operand=operand, field=field, test=True)

    def call(self, function: str, *arguments: Expression, target: Expression | None = None) -> Call:
        """A call."""
        return Call(
            id=self._fresh(), offset=self._offset, function=function, arguments=arguments, target=target
        )

    def sequence(self, *elements: Expression) -> ListLiteral:
        """A list."""
        return ListLiteral(id=self._fresh(), offset=self._offset, elements=elements)

    def empty_map(self) -> MapLiteral:
        """A map without entries."""
        return MapLiteral(id=self._fresh(), offset=self._offset, entries=())

    def loop(self, over: Expression, variables: tuple[str, ...], fold: Fold) -> Comprehension:
        """A comprehension of one or two variables."""
        return Comprehension(
            id=self._fresh(),
            offset=self._offset,
            variable=variables[0],
            second=variables[1] if len(variables) > 1 else "",
            range=over,
            accumulator=fold.accumulator,
            start=fold.start,
            condition=fold.condition,
            step=fold.step,
            result=fold.result,
        )

    def copy(self, node: Expression) -> Expression:
        """The same again, with ids of its own."""
        changes: dict[str, Any] = {"id": self._fresh()}
        match node:
            case Select():
                changes["operand"] = self.copy(node.operand)
            case Call():
                changes["arguments"] = tuple(map(self.copy, node.arguments))
                changes["target"] = self.copy(node.target) if node.target else None
            case ListLiteral():
                changes["elements"] = tuple(map(self.copy, node.elements))
            case MapLiteral():
                changes["entries"] = tuple(map(self._entry, node.entries))
            case ObjectLiteral():
                changes["fields"] = tuple(map(self._field, node.fields))
            case Comprehension():
                for part in ("range", "start", "condition", "step", "result"):
                    changes[part] = self.copy(getattr(node, part))
            case _:
                pass
        return replace(node, **changes)

    def _entry(self, entry: Entry) -> Entry:
        return replace(entry, id=self._fresh(), key=self.copy(entry.key), value=self.copy(entry.value))

    def _field(self, field: FieldValue) -> FieldValue:
        return replace(field, id=self._fresh(), value=self.copy(field.value))
