"""Literals that cannot be what they stand for: refused before there are values, since no value would help.

These are the validators that Kubernetes turns on: lists and maps of one type, durations, timestamps, regular
expressions, and the arguments of `format`. They look at expressions whose types fit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.cel import ast
from windlass.schema.cel.check import message
from windlass.schema.cel.check.template import template_problems
from windlass.schema.cel.problem import EvaluationError, Problem
from windlass.schema.cel.type import unwrapped
from windlass.schema.cel.value import type_of
from windlass.schema.regex import compiled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from windlass.schema.cel.check.checked import Checked
    from windlass.schema.cel.declare import Overload
    from windlass.schema.cel.environment import Environment
    from windlass.schema.cel.type import Type

_FREE: Final = "format"
"""The function in whose arguments types may differ."""


def literal_problems(checked: Checked, environment: Environment) -> list[Problem]:
    """What is wrong with the literals of an expression."""
    root = checked.tree.root
    calls = [node for node in ast.walk(root) if isinstance(node, ast.Call)]
    return [
        *_mixed(checked),
        *_conversions(calls, "duration", checked, environment),
        *_conversions(calls, "timestamp", checked, environment),
        *_patterns(calls),
        *template_problems(calls, checked),
    ]


def _mixed(checked: Checked) -> Iterator[Problem]:
    """Lists, then maps, whose parts have several types."""
    bound = _bound(checked.tree.root)
    for node in bound:
        if isinstance(node, ast.ListLiteral):
            parts = ((each, position in node.optional) for position, each in enumerate(node.elements))
            yield from _differing(parts, checked, until_first=True)
    for node in bound:
        if isinstance(node, ast.MapLiteral):
            yield from _differing(((each.key, False) for each in node.entries), checked)
            yield from _differing(((each.value, each.optional) for each in node.entries), checked)


def _differing(
    parts: Iterable[tuple[ast.Expression, bool]], checked: Checked, *, until_first: bool = False
) -> Iterator[Problem]:
    expected: Type | None = None
    for node, is_optional in parts:
        found = checked.types[node.id]
        if is_optional:
            found, _ = unwrapped(found)
        if expected is None:
            expected = found
        elif found != expected:
            yield Problem(node.offset, message.mismatch(expected, found))
            if until_first:
                return


def _bound(root: ast.Expression) -> list[ast.Expression]:
    """The nodes that are no part of a call of `format`."""
    free: set[int] = set()
    todo = [node for node in ast.walk(root) if isinstance(node, ast.Call) and node.function == _FREE]
    for call in todo:
        if call.id not in free:
            free.update(node.id for node in ast.walk(call))
            free.discard(call.id)
    return [node for node in ast.walk(root) if node.id not in free]


def _conversions(
    calls: Iterable[ast.Call], name: str, checked: Checked, environment: Environment
) -> Iterator[Problem]:
    """Texts that are no durations, or no timestamps."""
    function = environment.functions.get(name)
    overloads = {each.id: each for each in function.overloads} if function is not None else {}
    for call in calls:
        given = call.arguments[0] if call.arguments else None
        if call.function != name or not isinstance(given, ast.Literal):
            continue
        found = overloads[checked.references[call.id].overloads[0]]
        if not _is_taken(found, given):
            yield Problem(given.offset, f"invalid {name} argument")


def _is_taken(overload: Overload, given: ast.Literal) -> bool:
    if type_of(given.value) != overload.arguments[0] or overload.call is None:
        return False  # null fits where a duration is wanted, but is none
    try:
        overload.call(given.value)
    except EvaluationError:
        return False
    return True


def _patterns(calls: Iterable[ast.Call]) -> Iterator[Problem]:
    """Texts that are no regular expressions; of `matches(text, pattern)` it is the text that is looked at."""
    for call in calls:
        given = call.arguments[0] if call.arguments else None
        if (
            call.function != "matches"
            or not isinstance(given, ast.Literal)
            or not isinstance(given.value, str)
        ):
            continue
        try:
            compiled(given.value)
        except ValueError:
            yield Problem(given.offset, "invalid matches argument")
