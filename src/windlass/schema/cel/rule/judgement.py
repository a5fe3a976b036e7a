"""Rules put to one object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windlass.schema.cel.problem import CostError, EvaluationError
from windlass.schema.cel.rule import limit
from windlass.schema.cel.rule.meter import Meter, SpentError
from windlass.schema.cel.rule.report import broken, failed, mistaken, place, speechless, standing
from windlass.schema.custom.judge import by_key, key_of

if TYPE_CHECKING:
    from windlass.schema.cel.rule.compile import Rule
    from windlass.schema.cel.rule.node import Node
    from windlass.schema.cel.rule.ratchet import Ratchet
    from windlass.schema.cel.rule.variables import Variables
    from windlass.schema.fault import Fault


class OutOfBudgetError(Exception):
    """Rules have cost so much that no more are evaluated; what was found until then counts."""


@dataclass(frozen=True, slots=True)
class Case:
    """A value, what it was, how far an update excuses it, and where it stands."""

    value: Any
    old: Any
    ratchet: Ratchet
    at: str


class Judgement:
    """What rules say of one object: `faults`, and as `excused` those that an update did not bring about."""

    def __init__(self, budget: int) -> None:
        self.faults: list[Fault] = []
        self.excused: list[Fault] = []
        self.meter = Meter(budget)

    def visit(self, node: Node, case: Case) -> None:
        """Put the rules of a node, and of those below it, to a value, unless it is null.

        Raises:
            OutOfBudgetError: they cost too much.
        """
        if case.value is None:
            return
        if node.rules or node.failures:
            self._ask(node, case)
        if type(case.value) is list:
            self._items(node, case)
        elif type(case.value) is dict:
            self._fields(node, case)

    def _items(self, node: Node, case: Case) -> None:
        if node.items is None:
            return
        before = by_key(case.old, node.keys) if node.keys and type(case.old) is list else {}
        for position, item in enumerate(case.value):
            old = before.get(key_of(item, node.keys)) if before else None
            self.visit(node.items, Case(item, old, case.ratchet.item(position), f"{case.at}[{position}]"))

    def _fields(self, node: Node, case: Case) -> None:
        before = case.old if type(case.old) is dict else {}
        for name, value in case.value.items():
            below, path = node.fields.get(name), f"{case.at}.{name}" if case.at else name
            if below is None:
                below, path = node.values, f"{case.at}[{name}]"
            if below is not None:
                self.visit(below, Case(value, before.get(name), case.ratchet.key(name), path))

    def _ask(self, node: Node, case: Case) -> None:
        """Put the rules of a node to a value."""
        if self.meter.left <= 0:
            self.faults.append(broken(case.at, node.type, f"validation {SpentError()}"))
            raise OutOfBudgetError
        for error in node.failures:
            self.faults.append(broken(case.at, node.type, f"rule compile error: {error}"))
        variables = node.variables(case.value, case.old)
        for rule in node.rules:
            if rule.transitional and case.old is None and not rule.optional:
                continue
            given = variables.with_optional() if rule.optional else variables
            if not self._holds(node, rule, given, case.at):
                self._tell(node, rule, variables, case)

    def _holds(self, node: Node, rule: Rule, variables: Variables, at: str) -> bool:
        """Whether a rule holds. That it cannot be evaluated is a fault of its own."""
        try:
            return self.meter.value(rule.expression.program, variables) is True
        except EvaluationError as error:
            self.faults.append(broken(at, node.type, mistaken(rule, error)))
            if isinstance(error, CostError):
                raise OutOfBudgetError from error
        return True

    def _tell(self, node: Node, rule: Rule, variables: Variables, case: Case) -> None:
        """Tell that a rule does not hold. To its message, the old value is never an optional one."""
        told = self.excused if not rule.transitional and case.ratchet.excuses() else self.faults
        try:
            message = self._message(rule, variables) or standing(rule)
        except CostError as error:
            told.append(broken(place(case.at, rule), node.type, speechless(rule, error)))
            raise OutOfBudgetError from error
        told.append(failed(case.at, node.type, case.value, rule, message))

    def _message(self, rule: Rule, variables: Variables) -> str:
        """What the expression of a message comes to; empty if there is none, or it gives no good message."""
        if rule.message is None:
            return ""
        try:
            value = self.meter.value(rule.message.program, variables)
        except CostError:
            raise
        except EvaluationError:
            return ""
        text = value.strip() if isinstance(value, str) else ""
        return "" if "\n" in text or len(text.encode()) > limit.MESSAGE else text
