"""Label selectors as the real server reads them: its grammar, and its words for what it cannot read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from windlass.api import Requirement, Selector
from windlass.apiserver.number import parse_signed
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.validation.names import label_key, label_value
from windlass.schema import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN: Final = re.compile(r"[ \t\r\n]*(==|!=|[=!<>(),]|[^ \t\r\n=!<>(),]+)?")
_SPECIAL: Final = frozenset({"=", "==", "!=", "!", "<", ">", "(", ")", ",", ""})
_OPERATORS: Final = {"=": "In", "==": "In", "!=": "NotIn", ">": "Gt", "<": "Lt", "in": "In", "notin": "NotIn"}
_WORDS: Final = "in, notin, =, ==, !=, gt, lt"


def parse_labels(text: str) -> Selector:
    """A label selector.

    Raises:
        Refusal: 400, in the words of the real server.
    """
    return Selector(tuple(_Parser(text).requirements()))


class _Parser:
    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._next = next(self._tokens)

    def requirements(self) -> Iterator[Requirement]:
        if self._next == "":
            return
        if self._next != "!" and self._next in _SPECIAL:
            raise _unexpected(self._next, "!, identifier, or 'end of string'")
        while True:
            yield self._requirement()
            if self._next == "":
                return
            if self._next != ",":
                raise _unexpected(self._next, "',' or 'end of string'")
            self._take()
            if self._next != "!" and self._next in _SPECIAL:
                raise _unexpected(self._next, "identifier after ','")

    def _take(self) -> str:
        token, self._next = self._next, next(self._tokens)
        return token

    def _requirement(self) -> Requirement:
        if self._next == "!":
            self._take()
            return Requirement(self._key(), "DoesNotExist")
        key = self._key()
        if self._next in (",", ""):
            return Requirement(key, "Exists")
        operator = self._take()
        if operator not in _OPERATORS:
            raise _unparsed(f"found {_shown(operator)}, expected: {_WORDS}")
        values = self._set() if operator in ("in", "notin") else (self._exact(),)
        _check_values(key, operator, values)
        kind = _OPERATORS[operator]
        return Requirement(key, kind, values)  # type: ignore[arg-type]

    def _key(self) -> str:
        key = self._take()
        if key in _SPECIAL:
            raise _unparsed(f"found {_shown(key)}, expected: identifier")
        problems = label_key(key)
        if problems:
            raise _unparsed(f"<nil>: Invalid value: {quoted(key)}: {'; '.join(problems)}")
        return key

    def _exact(self) -> str:
        if self._next in ("", ","):
            return ""
        if self._next in _SPECIAL:
            raise _unparsed(f"found {_shown(self._next)}, expected: identifier")
        return self._take()

    def _set(self) -> tuple[str, ...]:
        opening = self._take()
        if opening != "(":
            raise _unparsed(f"found {_shown(opening)} expected: '('")
        values, expected = [""], "',', ')' or identifier"
        while True:
            found = self._take()
            if found == ")":
                return tuple(sorted(set(values)))
            if found == ",":
                values.append("")
                expected = "',', or identifier"
            elif found in _SPECIAL or values[-1]:
                raise _unparsed(f"found {_shown(found)}, expected: {expected}")
            else:
                values[-1] = found
                expected = "',' or ')'"


def _tokens(text: str) -> Iterator[str]:
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or not match[1]:
            break
        yield match[1]
        position = match.end()
    while True:
        yield ""


def _check_values(key: str, operator: str, values: tuple[str, ...]) -> None:
    faults = []
    if operator in ("<", ">") and not _is_number(values[0]):
        why = "for 'Gt', 'Lt' operators, the value must be an integer"
        faults.append(f"values[0]: Invalid value: {quoted(values[0])}: {why}")
    for index, value in enumerate(values):
        problems = label_value(value)
        if problems:
            why = "; ".join(problems)
            faults.append(f"values[{index}][{key}]: Invalid value: {quoted(value)}: {why}")
    if faults:
        raise _unparsed(faults[0] if len(faults) == 1 else f"[{', '.join(faults)}]")


def _is_number(text: str) -> bool:
    try:
        parse_signed(text)
    except ValueError:
        return False
    return True


def _shown(token: str) -> str:
    return f"'{token}'"


def _unexpected(token: str, expected: str) -> Refusal:
    return Refusal.bad_request(f"found {_shown(token)}, expected: {expected}")


def _unparsed(why: str) -> Refusal:
    return Refusal.bad_request(f"unable to parse requirement: {why}")
