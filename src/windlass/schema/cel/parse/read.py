"""The whole of it: a text in, a tree out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.cel.ast import Expression, Tree
from windlass.schema.cel.parse.cursor import Cursor, Halt
from windlass.schema.cel.parse.grammar import Grammar
from windlass.schema.cel.parse.macro import STANDARD_MACROS
from windlass.schema.cel.parse.plant import DEEPEST, Plant
from windlass.schema.cel.parse.token import tokenized
from windlass.schema.cel.problem import ExpressionError, Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.schema.cel.declare import Macro

_LONGEST: Final = 100_000


def parse(text: str, macros: Sequence[Macro] = STANDARD_MACROS) -> Tree:
    """The tree of an expression.

    Raises:
        ExpressionError: the text is no expression, or a macro is used wrongly, or it is too long or too deep.
    """
    if len(text) > _LONGEST:
        message = f"expression code point size exceeds limit: size: {len(text)}, limit {_LONGEST}"
        raise ExpressionError(text, [Problem(-1, message)])
    tokens, problems = tokenized(text)
    plant = Plant(text, macros, problems)
    root = _root(Grammar(Cursor(text, tokens, problems), plant), problems)
    if root is None or problems:
        raise ExpressionError(text, sorted(problems, key=lambda problem: problem.offset))
    return Tree(text, root, plant.written)


def _root(grammar: Grammar, problems: list[Problem]) -> Expression | None:
    try:
        return grammar.whole()
    except Halt:
        return None
    except RecursionError:  # only if the caller has used up most of Python's stack
        problems.append(Problem(-1, f"expression recursion limit exceeded: {DEEPEST}"))
        return None
