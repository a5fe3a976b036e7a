"""Rules put to one object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.schema.cel.problem import CostError, EvaluationError
from windlass.schema.cel.rule import limit
from windlass.schema.cel.rule.compile import NEW, OLD
from windlass.schema.cel.rule.meter import Meter
from windlass.schema.cel.rule.report import broken, failed, mistaken, speechless, spent
from windlass.schema.cel.value import NONE, Optional
from windlass.schema.custom.judge import by_key, key_of

if TYPE_CHECKING:
    from windlass.schema.cel.rule.compile import Expression, Rule
    from windlass.schema.cel.rule.node import Node
    from windlass.schema.cel.rule.ratchet import Ratchet
    from windlass.schema.cel.value import Value
    from windlass.schema.fault import Fault

    Variables = dict[str, Value]


class OutOfBudgetError(Exception):
    """Rules have cost so much that no more are evaluated; what was found until then counts."""


class Judgement:
    """What rules say of one object: `faults`, and as `excused` those that an update did not bring about."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.excused: list[Fault] = []
        self._meter = Meter()

    def visit(self, node: Node, value: Any, old: Any, ratchet: Ratchet, at: str) -> None:
        """Put the rules of a node, and of those below it, to a value, unless it is null.

        Raises:
            OutOfBudgetError: they cost too much.
        """
        if value is None:
            return
        if node.rules or node.failures:
            self._ask(node, value, old, ratchet, at)
        if type(value) is list:
            self._items(node, value, old, ratchet, at)
        elif type(value) is dict:
            self._fields(node, value, old, ratchet, at)

    def _items(self, node: Node, value: list[Any], old: Any, ratchet: Ratchet, at: str) -> None:
        if node.items is None:
            return
        before = by_key(old, node.keys) if node.keys and type(old) is list else {}
        for position, item in enumerate(value):
            was = before.get(key_of(item, node.keys)) if before else None
            self.visit(node.items, item, was, ratchet.item(position), f"{at}[{position}]")

    def _fields(self, node: Node, value: dict[str, Any], old: Any, ratchet: Ratchet, at: str) -> None:
        before = old if type(old) is dict else {}
        for name, each in value.items():
            if node.values is not None:
                self.visit(node.values, each, before.get(name), ratchet.key(name), f"{at}[{name}]")
            below = node.fields.get(name)
            if below is not None:
                path = f"{at}.{name}" if at else name
                self.visit(below, each, before.get(name), ratchet.key(name), path)

    def _ask(self, node: Node, value: Any, old: Any, ratchet: Ratchet, at: str) -> None:
        """Put the rules of a node to a value."""
        if self._meter.is_empty:
            self.faults.append(spent(node, at))
            raise OutOfBudgetError
        self.faults += (broken(node, at, f"rule compile error: {error}") for error in node.failures)
        variables = _variables(node, value, old)
        for rule in node.rules:
            if rule.transitional and old is None and not rule.optional:
                continue
            if not self._holds(node, rule, _with_optional(variables) if rule.optional else variables, at):
                excused = not rule.transitional and ratchet.excuses()
                told = self.excused if excused else self.faults
                self._tell(rule, _Case(node, value, variables, at), told)

    def _holds(self, node: Node, rule: Rule, variables: Variables, at: str) -> bool:
        """Whether a rule holds. That it cannot be evaluated is a fault by itself."""
        try:
            return self._meter.value(rule.expression, variables) is True
        except EvaluationError as error:
            self.faults.append(broken(node, at, mistaken(rule, error)))
            if isinstance(error, CostError):
                raise OutOfBudgetError from error
        return True
