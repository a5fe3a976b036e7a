"""Templates of `format` that are literals: whether their clauses fit the types of the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.cel import ast
from windlass.schema.cel.library import WANTED, clause
from windlass.schema.cel.operation import runtime_name
from windlass.schema.cel.problem import EvaluationError, Problem
from windlass.schema.cel.type import TypeKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from windlass.schema.cel.check.checked import Checked
    from windlass.schema.cel.type import Type

_WHOLE: Final = frozenset({TypeKind.INT, TypeKind.UINT})
_DECIMAL: Final = frozenset({TypeKind.DOUBLE, TypeKind.STRING})  # "NaN" is a number too
_HEXADECIMAL: Final = _WHOLE | {TypeKind.STRING, TypeKind.BYTES}
_TAKEN: Final[Mapping[str, AbstractSet[TypeKind]]] = {
    "s": frozenset(TypeKind) - {TypeKind.OBJECT, TypeKind.OPAQUE},
    "d": _WHOLE,
    "f": _DECIMAL,
    "e": _DECIMAL,
    "b": _WHOLE | {TypeKind.BOOL},
    "x": _HEXADECIMAL,
    "X": _HEXADECIMAL,
    "o": _WHOLE,
}


def template_problems(calls: Iterable[ast.Call], checked: Checked) -> Iterator[Problem]:
    """What is wrong with calls of `format` on a literal with a literal list."""
    for call in calls:
        if call.function != "format" or not isinstance(call.target, ast.Literal) or len(call.arguments) != 1:
            continue
        (arguments,) = call.arguments
        if not isinstance(arguments, ast.ListLiteral) or not isinstance(call.target.value, str):
            continue
        try:
            used = _fitted(call.target.value, arguments.elements, checked.types)
        except _MisfitError as misfit:
            yield Problem(misfit.node.offset, f"error during formatting: {misfit}")
        except EvaluationError as error:
            yield Problem(call.offset, str(error))
        else:
            given = len(arguments.elements)
            if given > used:
                text = f"too many arguments supplied to string.format (expected {used}, got {given})"
                yield Problem(call.offset, text)


class _MisfitError(EvaluationError):
    """A clause does not take its argument."""

    def __init__(self, node: ast.Expression, verb: str, found: Type) -> None:
        super().__init__(WANTED[verb].format(runtime_name(found)))
        self.node = node


def _fitted(template: str, arguments: Sequence[ast.Expression], types: Mapping[int, Type]) -> int:
    """How many arguments a template uses.

    Raises:
        EvaluationError: a clause is none, or does not take its argument, or has none.
    """
    at = used = 0
    while (found := template.find("%", at)) >= 0:
        if template.startswith("%%", found):
            at = found + 2
            continue
        if found + 1 < len(template) and used >= len(arguments):
            raise EvaluationError(f"index {used} out of range")
        verb, _, at = clause(template, found + 1)
        _check(verb, arguments[used], types)
        used += 1
    return used


def _check(verb: str, argument: ast.Expression, types: Mapping[int, Type]) -> None:
    """An argument must have a type that the clause takes; so must what a literal is made of, for `%s`."""
    todo = [argument]
    while todo:
        node = todo.pop()
        found = types[node.id]
        if found.kind is not TypeKind.DYN and found.kind not in _TAKEN[verb]:
            raise _MisfitError(node, verb, found)
        if verb == "s" and isinstance(node, (ast.ListLiteral, ast.MapLiteral)):
            todo.extend(reversed(ast.children(node)))
