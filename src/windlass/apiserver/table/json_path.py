"""The JSONPath of `kubectl`, as far as a column of a custom resource may use it: reading it."""

from __future__ import annotations

import re
from typing import Any, Final

from windlass.apiserver.table.json_step import (
    Descend,
    Field,
    Filter,
    Items,
    Literal,
    NotFoundError,
    Nowhere,
    Step,
    Steps,
    Union,
    Wildcard,
)

_FIELD: Final = re.compile(r"(?:\\.|[^ \t\r\n.,\[\]$@{}\\])*", re.DOTALL)
_NUMBER: Final = re.compile(r"[+-]?[\d.]*", re.ASCII)
_WORD: Final = re.compile(r"[^ \t\r\n.,\[\]$@{}]+")
_QUOTED: Final = re.compile(r"""(?P<quote>["'])(?P<text>(?:\\.|(?!(?P=quote))[^\\\n])*)(?P=quote)""")
_SLICE: Final = re.compile(r"(-?\d*)(:-?\d*)?(:-?\d*)?", re.ASCII)
_KEY: Final = re.compile(r"'([^']*)'")
_COMPARISON: Final = re.compile(r"([^!<>=]+)([!<>=]+)(.+)", re.DOTALL)
_FILTER: Final = re.compile(r"""\[\?\(((?:[^"')\n]|(["'])(?:\\.|(?!\2)[^\\\n])*\2)*)\)\]""")


class BadPathError(ValueError):
    """A text that is no JSONPath."""


class JsonPath:
    """A path such as `.status.conditions[?(@.type=="Ready")].status`, read once.

    Raises:
        BadPathError: the text is no path.
    """

    def __init__(self, text: str) -> None:
        self._steps = _read(text)

    def first(self, obj: Any) -> Any:
        """The first value that the path finds.

        Raises:
            NotFoundError: it finds none.
        """
        found = self._steps.walk([obj])
        if not found:
            raise NotFoundError
        return found[0]


def _read(text: str) -> Steps:
    """The steps of a path, or of a part of one."""
    steps: list[Step] = []
    at = 0
    while at < len(text):
        read, at = _read_one(text, at)
        steps += read
    return Steps(tuple(steps))


def _read_one(text: str, at: int) -> tuple[list[Step], int]:
    """The steps that begin here, and where the next ones do."""
    if text[at] in " @$":
        return [], at + 1
    if text.startswith("..", at):
        return _descent(text, at + 2)
    if text[at] == ".":
        return _field(text, at + 1)
    if text.startswith("[?(", at):
        return _filter(text, at)
    return _brackets(text, at) if text[at] == "[" else _literal(text, at)


def _descent(text: str, at: int) -> tuple[list[Step], int]:
    named = text[at : at + 1].isalnum() or text.startswith("_", at)
    steps, end = _field(text, at) if named else ([], at)
    return [Descend(), *steps], end


def _field(text: str, at: int) -> tuple[list[Step], int]:
    found = _matched(_FIELD, text, at)
    name = found.replace("\\", "")
    return [Wildcard() if found == "*" else Field(name)], at + len(found)


def _filter(text: str, at: int) -> tuple[list[Step], int]:
    match = _FILTER.match(text, at)
    if match is None:
        raise BadPathError("unterminated filter")
    compared = _COMPARISON.fullmatch(match[1])
    if compared is None:
        return [Filter(_read(match[1]), "exists", Steps(()))], match.end()
    left, operator, right = compared.groups()
    return [Filter(_read(left), operator, _read(right))], match.end()


def _brackets(text: str, at: int) -> tuple[list[Step], int]:
    end = text.find("]", at)
    if end < 0:
        raise BadPathError("unterminated array")
    return _chosen(text[at + 1 : end]), end + 1


def _chosen(inside: str) -> list[Step]:
    """The steps of what stands in brackets: an index, a slice, a key, or several of them."""
    parts = inside.split(",")
    if len(parts) > 1:
        return [Union(tuple(Steps(tuple(_chosen(part.strip(" ")))) for part in parts))]
    key = _KEY.fullmatch(inside)
    if key is not None:
        return list(_read(f".{key[1]}").steps)
    numbers = _SLICE.fullmatch(":" if inside == "*" else inside)
    if numbers is None or numbers[1] == "-":
        raise BadPathError(f"invalid array index {inside}")
    first, *others = numbers.groups()
    start = _index(first) if first else None
    if others[0] is None:
        return [Items(start or 0, None, single=True)]
    stop, step = (_number(other) for other in others)
    return [Items(start, stop, step)]


def _number(text: str | None) -> int | None:
    if text is None or text == ":":
        return None
    if text == ":-":
        raise BadPathError("array index - is not a number")
    return _index(text[1:])


def _index(text: str) -> int:
    try:
        return int(text)
    except ValueError as error:  # more digits than can be read
        raise BadPathError(f"array index {text} is not a number") from error


def _literal(text: str, at: int) -> tuple[list[Step], int]:
    """A text, a number or a truth value, which filters compare with."""
    if text[at] in "\"'":
        quoted = _QUOTED.match(text, at)
        if quoted is None:
            raise BadPathError("unterminated quoted string")
        return [Literal(re.sub(r"\\(.)", r"\1", quoted["text"]))], quoted.end()
    if text[at] in "+-" or text[at].isdecimal():
        found = _matched(_NUMBER, text, at)
        try:
            number = float(found) if "." in found else int(found)
        except ValueError as error:
            raise BadPathError(f"cannot parse number {found}") from error
        return [Literal(number)], at + len(found)
    if not (text[at].isalnum() or text[at] == "_"):
        raise BadPathError(f"unrecognized character in action: {text[at]}")
    found = _matched(_WORD, text, at)
    word = Literal(found == "true") if found in ("true", "false") else Nowhere()
    return [word], at + len(found)


def _matched(pattern: re.Pattern[str], text: str, at: int) -> str:
    match = pattern.match(text, at)
    return match[0] if match is not None else ""
