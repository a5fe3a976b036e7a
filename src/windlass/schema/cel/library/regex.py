"""Parts of a text that a regular expression matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.cel.declare import Library
from windlass.schema.cel.library.signature import function, method
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import INT, STRING, list_of
from windlass.schema.regex import compiled

if TYPE_CHECKING:
    from windlass.schema.regex import Regex


def _compiled(expression: str) -> Regex:
    try:
        return compiled(expression)
    except ValueError as error:
        raise EvaluationError(f"Illegal regex: {error}") from None


def _find(text: str, expression: str) -> str:
    regex = _compiled(expression)
    found = regex.find(text) if regex.search(text) else None  # to search is much faster than to find
    return text[slice(*found)] if found else ""


def _find_all(text: str, expression: str, most: int = -1) -> list[str]:
    regex = _compiled(expression)
    if not regex.search(text):
        return []
    return [text[begin:end] for begin, end in regex.find_all(text, None if most < 0 else most)]


REGEX: Final = Library(
    "kubernetes.regex",
    (
        function("find", method("string_find_string", (STRING, STRING), STRING, _find)),
        function(
            "findAll",
            method("string_find_all_string", (STRING, STRING), list_of(STRING), _find_all),
            method("string_find_all_string_int", (STRING, STRING, INT), list_of(STRING), _find_all),
        ),
    ),
)
