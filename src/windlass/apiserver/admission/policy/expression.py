from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from windlass.apiserver.admission.policy.environment import VARIABLES, environment
from windlass.schema.cel import DYN, EvaluationError, ExpressionError, TypeKind, object_type
from windlass.schema.cel.check import check
from windlass.schema.cel.cost import KUBERNETES_PRICING
from windlass.schema.cel.evaluate import Program
from windlass.schema.cel.parse import parse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.schema.cel import Environment, Type

_PLAIN: Final = frozenset(
    {
        TypeKind.BOOL,
        TypeKind.BYTES,
        TypeKind.DOUBLE,
        TypeKind.DURATION,
        TypeKind.INT,
        TypeKind.STRING,
        TypeKind.TIMESTAMP,
        TypeKind.UINT,
    }
)
_NULL: Final = "null_type"
_CONTAINERS: Final = frozenset({TypeKind.LIST, TypeKind.MAP})


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression, or what is wrong with it."""

    text: str
    program: Program | None
    problem: str = ""
    type: Type = DYN


class Expressions:
    """Compiles the expressions of one policy, or of the conditions of one webhook.

    With `params` they may speak of parameters; with `composed`, of the variables that were `declared` before.
    """

    def __init__(self, *, params: bool, composed: bool = False) -> None:
        self._params = params
        self._composed = composed
        self._variables: dict[str, Type] = {}

    def compiled(self, text: str, wanted: Sequence[Type] = (), *, authorizer: bool = True) -> Expression:
        """An expression of one of the wanted types, or of any if none is named."""
        return _compiled(text, wanted, self._known(environment(params=self._params, authorizer=authorizer)))

    def patching(self, text: str, wanted: Type) -> Expression:
        """An expression of one type that says what is to change, and can make the objects for that."""
        known = environment(params=self._params, authorizer=True, patching=True)
        return _compiled(text, (wanted,), self._known(known))

    def declared(self, name: str, text: str) -> Expression:
        """An expression that those after it may call `variables.name`."""
        found = self.compiled(text)
        self._variables[name] = _declared_type(found.type)
        return found

    def _known(self, known: Environment) -> Environment:
        if not self._composed:
            return known
        return known.extended({"variables": object_type(VARIABLES)}, {VARIABLES: dict(self._variables)})


def _compiled(text: str, wanted: Sequence[Type], known: Environment) -> Expression:
    try:
        checked = check(parse(text, known.macros), known)
    except ExpressionError as error:
        return Expression(text, None, f"compilation failed: {error}")
    if wanted and checked.type not in wanted:
        return Expression(text, None, _misfit(wanted, checked.type))
    try:
        program = Program(checked, known, KUBERNETES_PRICING)
    except EvaluationError as error:
        return Expression(text, None, f"program instantiation failed: {error}")
    return Expression(text, program, type=checked.type)


def _misfit(wanted: Sequence[Type], found: Type) -> str:
    named = [_NULL if each.kind is TypeKind.NULL else str(each) for each in (*wanted, found)]
    if len(wanted) == 1:
        return f"must evaluate to {named[0]} but got {named[-1]}"
    return f"must evaluate to one of [{' '.join(named[:-1])}] but got {named[-1]}"


def _declared_type(found: Type) -> Type:
    """The type of a variable for those who use it: objects are not looked into."""
    if found.kind in _PLAIN:
        return found
    if found.kind in _CONTAINERS:
        return type(found)(found.kind, found.name, tuple(map(_declared_type, found.parameters)))
    return DYN
