"""What is wrong with an expression, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from windlass.errors import WindlassError

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_SNIPPET: Final = 16_384
_MOST_PROBLEMS: Final = 100


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is wrong, at an offset in characters; at none, that is -1, if it is the whole."""

    offset: int
    message: str


class ExpressionError(WindlassError):
    """An expression cannot be parsed, or its types do not fit; `problems` in the order of the text.

    Of more than a hundred problems, as they were found, only the number is told.
    """

    def __init__(self, text: str, problems: Sequence[Problem]) -> None:
        told = sorted(problems[:_MOST_PROBLEMS], key=lambda problem: problem.offset)
        lines = [shown(text, problem) for problem in told]
        if len(problems) > _MOST_PROBLEMS:
            lines.append(f"{len(problems) - _MOST_PROBLEMS} more errors were truncated")
        super().__init__("\n".join(lines))
        self.problems = tuple(told)


class EvaluationError(WindlassError):
    """An expression has no value for these variables: `no such key: x`, `division by zero`.

    `cost` is what it had cost until then, as far as that is known.
    """

    cost: int = 0


class CostError(EvaluationError):
    """An expression became dearer than it may."""

    def __init__(self, message: str = "operation cancelled: actual cost limit exceeded") -> None:
        super().__init__(message)


def location(text: str, offset: int) -> tuple[int, int]:
    """The line, from 1, and the column, from 0, of an offset."""
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1)


def shown(text: str, problem: Problem) -> str:
    """A problem with the line where it is and a mark below the place, as cel-go shows it."""
    if problem.offset < 0:
        return f"ERROR: <input>:-1:0: {problem.message}"
    line, column = location(text, problem.offset)
    said = f"ERROR: <input>:{line}:{column + 1}: {problem.message}"
    snippet = text.split("\n")[line - 1].replace("\t", " ")
    if len(snippet.encode(errors="replace")) > _LONGEST_SNIPPET:
        return said
    before, at = snippet[:column], snippet[column : column + 1]
    mark = "".join("." if char.isascii() else "．" for char in before)  # noqa: RUF001 - as wide as what is above
    return f"{said}\n | {snippet}\n | {mark}{'^' if at.isascii() else '＾'}"  # noqa: RUF001
