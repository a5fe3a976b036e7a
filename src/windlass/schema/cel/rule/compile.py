"""One rule, compiled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from windlass.schema.cel.check import check
from windlass.schema.cel.cost import KUBERNETES_PRICING, Range, estimate
from windlass.schema.cel.environment import Environment
from windlass.schema.cel.evaluate import Program
from windlass.schema.cel.library import KUBERNETES
from windlass.schema.cel.parse import parse
from windlass.schema.cel.problem import EvaluationError, ExpressionError
from windlass.schema.cel.rule.variables import NEW, OLD
from windlass.schema.cel.type import BOOL, STRING, Type, optional_of
from windlass.schema.custom.field_path import field_path

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.schema.cel.cost import Path
    from windlass.schema.cel.structure import Declared

    Schema = Mapping[str, Any]


class RuleError(Exception):
    """A rule that cannot be; `field` is the part of it that is wrong."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(detail)
        self.field = field


@dataclass(frozen=True, slots=True)
class Compiled:
    """A program, its cost at the worst, and whether it speaks of the old value."""

    program: Program
    cost: int
    transitional: bool


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that can be put to values.

    `path` leads to the field that is to blame. `problem` is what is wrong with the expression of its message,
    which does not keep the rule itself from being a good one.
    """

    written: Schema
    expression: Compiled
    message: Compiled | None
    problem: RuleError | None
    path: str

    @property
    def transitional(self) -> bool:
        """Whether it asks for the old value."""
        return self.expression.transitional

    @property
    def optional(self) -> bool:
        """Whether the old value may be absent."""
        return bool(self.written.get("optionalOldSelf"))


class Compiler:
    """Compiles the rules of one node of a schema."""

    def __init__(self, schema: Schema, declared: Declared) -> None:
        self._schema = schema
        self._declared = declared
        self._scoped = declared.scoped()

    def compile(self, written: Schema) -> Rule:
        """A rule.

        Raises:
            RuleError: it is no expression, or its types do not fit.
        """
        environment = self._environment(optional=bool(written.get("optionalOldSelf")))
        expression = self._compiled(written["rule"], environment, BOOL)
        message = problem = None
        if written.get("messageExpression"):
            try:
                message = self._compiled(written["messageExpression"], environment, STRING)
            except RuleError as error:
                problem = error
        path = field_path(written.get("fieldPath") or "", self._schema)
        return Rule(written, expression, message, problem, path or "")

    def _compiled(self, text: str, environment: Environment, wanted: Type) -> Compiled:
        is_rule = wanted == BOOL
        field, prefix = ("rule", "") if is_rule else ("messageExpression", "messageExpression ")
        try:
            checked = check(parse(text, environment.macros), environment)
        except ExpressionError as error:
            raise RuleError(field, f"{prefix}compilation failed: {error}") from error
        if checked.type != wanted:
            subject = "cel expression" if is_rule else field
            raise RuleError(field, f"{subject} must evaluate to a {wanted}")
        try:
            program = Program(checked, environment, KUBERNETES_PRICING)
        except EvaluationError as error:
            subject = "program" if is_rule else field
            raise RuleError(field, f"{subject} instantiation failed: {error}") from error
        cost = estimate(checked, self._size).max
        return Compiled(program, cost, any(each.name == OLD for each in checked.references.values()))

    def _size(self, path: Path) -> Range | None:
        """How large a part of the value can be; both variables are of the same type."""
        most = self._declared.size(path[1:])
        return None if most is None else Range(0, most)

    def _environment(self, *, optional: bool) -> Environment:
        subject = self._scoped.type
        old = optional_of(subject) if optional else subject
        return _base().extended({NEW: subject, OLD: old}, self._scoped.objects)


@cache
def _base() -> Environment:
    """What every rule knows; its tables are made once."""
    return Environment(libraries=KUBERNETES)
