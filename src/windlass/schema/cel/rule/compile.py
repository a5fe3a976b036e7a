"""One rule, compiled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from windlass.schema.cel.check import check
from windlass.schema.cel.cost import PRICING, estimate
from windlass.schema.cel.environment import Environment
from windlass.schema.cel.evaluate import Program
from windlass.schema.cel.library import KUBERNETES
from windlass.schema.cel.parse import parse
from windlass.schema.cel.problem import ExpressionError
from windlass.schema.cel.type import BOOL, STRING, Type, optional_of
from windlass.schema.custom.field_path import field_path

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.schema.cel.check import Checked
    from windlass.schema.cel.structure import Structure

    Schema = Mapping[str, Any]

NEW: Final = "self"
OLD: Final = "oldSelf"


class RuleError(Exception):
    """A rule that cannot be; `field` is the part of it that is wrong."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(detail)
        self.field = field


@dataclass(frozen=True, slots=True)
class Expression:
    """A program, and what it costs at most."""

    program: Program
    cost: int


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that can be put to values.

    `transitional` tells that it asks for the old value. `problem` tells what is wrong with the expression of
    its message, which does not keep the rule itself from being a good one.
    """

    written: Schema
    expression: Expression
    transitional: bool
    message: Expression | None
    problem: RuleError | None
    path: str

    @property
    def optional(self) -> bool:
        """Whether the old value may be absent."""
        return bool(self.written.get("optionalOldSelf"))


class Compiler:
    """Compiles the rules of one node of a schema."""

    def __init__(self, structure: Structure, schema: Schema) -> None:
        self._structure = structure
        self._schema = schema

    def compile(self, written: Schema) -> Rule:
        """A rule.

        Raises:
            RuleError: it is no expression, or its types do not fit.
        """
        optional = bool(written.get("optionalOldSelf"))
        checked = self._checked(written["rule"], "rule", "compilation failed", optional=optional)
        if checked.type != BOOL:
            raise RuleError("rule", "cel expression must evaluate to a bool")
        message, problem = self._message(written, optional=optional)
        path = written.get("fieldPath") or ""
        return Rule(
            written=written,
            expression=self._expression(checked, optional=optional),
            transitional=any(found.name == OLD for found in checked.references.values()),
            message=message,
            problem=problem,
            path=(field_path(path, self._schema) or "") if path else "",
        )

    def _message(self, written: Schema, *, optional: bool) -> tuple[Expression | None, RuleError | None]:
        text = written.get("messageExpression") or ""
        if not text:
            return None, None
        field = "messageExpression"
        try:
            checked = self._checked(text, field, f"{field} compilation failed", optional=optional)
        except RuleError as error:
            return None, error
        if checked.type != STRING:
            return None, RuleError(field, f"{field} must evaluate to a string")
        return self._expression(checked, optional=optional), None

    def _checked(self, text: str, field: str, failure: str, *, optional: bool) -> Checked:
        environment = self._environment(optional=optional)
        try:
            return check(parse(text, environment.macros), environment)
        except ExpressionError as error:
            raise RuleError(field, f"{failure}: {error}") from error

    def _expression(self, checked: Checked, *, optional: bool) -> Expression:
        environment = self._environment(optional=optional)
        cost = estimate(checked, environment, self._structure.size).max
        return Expression(Program(checked, environment, PRICING), cost)

    def _environment(self, *, optional: bool) -> Environment:
        subject: Type = self._structure.type
        old = optional_of(subject) if optional else subject
        return _base().extended({NEW: subject, OLD: old}, self._structure.objects)


@cache
def _base() -> Environment:
    """What every rule knows; its tables are made once."""
    return Environment(libraries=KUBERNETES)
