"""Functions of texts, and of the size of anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.cel.declare import Function, Overload
from windlass.schema.cel.operation.size import size
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import BOOL, BYTES, INT, STRING, A, B, Type, list_of, map_of
from windlass.schema.regex import compiled

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.schema.cel.value import Value

_SIZED: Final[tuple[tuple[str, Type], ...]] = (
    ("bytes", BYTES),
    ("list", list_of(A)),
    ("map", map_of(A, B)),
    ("string", STRING),
)


def _of_texts(apply: Callable[[str, str], bool]) -> Callable[[Value, Value], bool]:
    def call(text: Value, other: Value) -> bool:
        if type(text) is str and type(other) is str:
            return apply(text, other)
        raise EvaluationError("no such overload")

    return call


def matches(text: Value, pattern: Value) -> bool:
    """Whether a regular expression, of RE2's syntax, matches somewhere in a text.

    Raises:
        EvaluationError: it is no regular expression, or these are no texts.
    """
    if type(text) is not str:
        raise EvaluationError("no such overload: matches")
    if type(pattern) is not str:
        raise EvaluationError("no such overload")
    try:
        return compiled(pattern).search(text)
    except ValueError as error:
        raise EvaluationError(str(error)) from error


def matcher(pattern: str) -> Callable[[Value, Value], bool]:
    """`matches` with a pattern that is known.

    Raises:
        EvaluationError: it is no regular expression.
    """
    try:
        search = compiled(pattern).search
    except ValueError as error:
        raise EvaluationError(str(error)) from error

    def call(text: Value, _pattern: Value) -> bool:
        if type(text) is str:
            return search(text)
        raise EvaluationError("no such overload")

    return call


TEXTS: Final = (
    Function(
        "size",
        tuple(
            overload
            for name, kind in _SIZED
            for overload in (
                Overload(f"size_{name}", (kind,), INT, size, untyped=True),
                Overload(f"{name}_size", (kind,), INT, size, member=True, untyped=True),
            )
        ),
    ),
    *(
        Function(
            name, (Overload(called, (STRING, STRING), BOOL, _of_texts(apply), member=True, untyped=True),)
        )
        for name, called, apply in (
            ("contains", "contains_string", str.__contains__),
            ("endsWith", "ends_with_string", str.endswith),
            ("startsWith", "starts_with_string", str.startswith),
        )
    ),
    Function(
        "matches",
        (
            Overload("matches", (STRING, STRING), BOOL, matches, untyped=True),
            Overload("matches_string", (STRING, STRING), BOOL, matches, member=True, untyped=True),
        ),
    ),
)
"""`size`, `contains`, `startsWith`, `endsWith` and `matches`."""
