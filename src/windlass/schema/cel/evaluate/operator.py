"""Plans for operators and functions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from windlass.schema.cel.evaluate.attribute import Choice
from windlass.schema.cel.evaluate.call import Callee, call_code
from windlass.schema.cel.evaluate.dispatch import implementation
from windlass.schema.cel.evaluate.logic import alternative, junction, not_strictly_false
from windlass.schema.cel.evaluate.part import INDEXING, part_plan
from windlass.schema.cel.evaluate.plan import Plan, always, folded, resolved
from windlass.schema.cel.library.standard import STANDARD, matcher
from windlass.schema.cel.operation import contains
from windlass.schema.cel.problem import EvaluationError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from windlass.schema.cel import ast
    from windlass.schema.cel.evaluate.compile import Compiler
    from windlass.schema.cel.evaluate.frame import Frame

_SIMPLE: Final = (bool, int, float, str)
_CONVERSIONS: Final = frozenset(
    {"int", "uint", "double", "bool", "string", "bytes", "timestamp", "duration", "type", "dyn"}
)
_PATTERNED: Final = frozenset({"matches", "find", "findAll"})
_OWN_PRICES: Final = frozenset(function.name for function in STANDARD.functions)
"""Functions whose prices are those of the language."""


def call_plan(compiler: Compiler, node: ast.Call) -> Plan:
    """An operator or a function."""
    arguments = node.arguments if node.target is None else (node.target, *node.arguments)
    if node.function in INDEXING:
        return part_plan(compiler, node)
    special = _SPECIAL.get(node.function)
    if special is not None:
        return special(compiler, arguments)
    plans = list(map(compiler.plan, arguments))
    reference = compiler.reference(node)
    overloads = reference.overloads if reference is not None else ()
    if overloads == ("in_list",):
        found = _membership(*plans)
        if found is not None:
            return found
    callee = _callee(compiler, node.function, overloads)
    if node.function in _PATTERNED and type(plans[1].constant) is str:
        callee = _with_pattern(callee, plans[1].constant)
    code = call_code(callee, [each.code for each in plans])
    return folded(code, plans) if node.function in _CONVERSIONS else Plan(code)


def _callee(compiler: Compiler, name: str, overloads: tuple[str, ...]) -> Callee:
    function = compiler.functions.get(name)
    if function is None:
        raise EvaluationError(f"no such overload: {name}")
    single = overloads[0] if len(overloads) == 1 else ""
    chosen = next((each for each in function.overloads if each.id == single), None)
    eager = chosen is not None or any(each.untyped for each in function.overloads)
    pricing = None if name in _OWN_PRICES else compiler.pricing
    return Callee(name, single, implementation(function, chosen), pricing, eager)


def _with_pattern(callee: Callee, pattern: str) -> Callee:
    """A call with a constant pattern, which is refused before there is a text if it is wrong."""
    match = matcher(pattern)
    return replace(callee, call=match if callee.function == "matches" else callee.call, eager=False)


def _membership(sought: Plan, among: Plan) -> Plan | None:
    """Membership in a constant list of simple values, which costs nothing."""
    values = among.constant
    if not among.is_constant or not all(isinstance(each, _SIMPLE) for each in values):
        return None
    if not values:
        return always(value=False)
    code = sought.code
    texts = frozenset(each for each in values if type(each) is str)

    def run(frame: Frame) -> bool:
        value = code(frame)
        return value in texts if type(value) is str else contains(values, value)

    return Plan(run)


def _junction(compiler: Compiler, arguments: Sequence[ast.Expression], *, decisive: bool) -> Plan:
    left, right = (compiler.plan(each).code for each in arguments)
    return Plan(junction(left, right, decisive=decisive))


def _choice(compiler: Compiler, arguments: Sequence[ast.Expression]) -> Plan:
    condition, then, otherwise = arguments
    return resolved(
        Choice(compiler.plan(condition).code, compiler.attribute(then), compiler.attribute(otherwise))
    )


def _not_strictly_false(compiler: Compiler, arguments: Sequence[ast.Expression]) -> Plan:
    return Plan(not_strictly_false(compiler.plan(arguments[0]).code))


def _alternative(compiler: Compiler, arguments: Sequence[ast.Expression], *, unwrap: bool) -> Plan:
    left, right = (compiler.plan(each).code for each in arguments)
    return Plan(alternative(left, right, unwrap=unwrap))


_SPECIAL: Final[dict[str, Callable[[Compiler, Sequence[ast.Expression]], Plan]]] = {
    "_&&_": lambda compiler, arguments: _junction(compiler, arguments, decisive=False),
    "_||_": lambda compiler, arguments: _junction(compiler, arguments, decisive=True),
    "_?_:_": _choice,
    "@not_strictly_false": _not_strictly_false,
    "or": lambda compiler, arguments: _alternative(compiler, arguments, unwrap=False),
    "orValue": lambda compiler, arguments: _alternative(compiler, arguments, unwrap=True),
}
"""What is not simply called."""
