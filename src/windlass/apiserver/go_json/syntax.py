"""Why a text is no JSON."""

from __future__ import annotations

import re
from typing import Final, NoReturn

from windlass.schema import quoted

CUT_OFF: Final = "unexpected end of JSON input"
DEEPEST: Final = 200
"""How deeply values may nest; Go's 10,000 are more than a recursive walk in Python stands."""

_SPACE: Final = re.compile(rb"[ \t\r\n]*")
_STRING: Final = re.compile(rb'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*')
_DIGITS: Final = re.compile(rb"[0-9]*")
_HEXADECIMAL: Final = re.compile(rb"[0-9a-fA-F]*")
_LITERALS: Final = {ord("t"): b"true", ord("f"): b"false", ord("n"): b"null"}
_OPEN: Final = {ord("{"): "}", ord("["): "]"}


class NotJsonError(ValueError):
    """A text that is no JSON; the message is what Go's decoder says about it."""


def check_syntax(text: bytes) -> None:
    """Find the first fault of a text.

    Raises:
        NotJsonError: there is one.
    """
    _Scan(text).run()


class _Scan:
    """One pass over a text for its first fault.

    Go's scanner meets a space after the last byte, which shows in its words: a number may end there, a
    literal may not. `_stack` holds the closing brackets that are still to come, `_empty` tells that nothing
    stands yet inside the last of them.
    """

    def __init__(self, text: bytes) -> None:
        self._text = text + b" "
        self._at = 0
        self._stack: list[str] = []
        self._empty = False

    def run(self) -> None:
        """Find the first fault.

        Raises:
            NotJsonError: there is one.
        """
        self._value()
        while self._stack:
            self._continue(self._stack[-1])
        self._skip(_SPACE)
        if self._at < len(self._text):
            self._fail("after top-level value")

    def _continue(self, closing: str) -> None:
        """Go on inside an object or a list: with its end, or with its next value."""
        found = self._peek()
        if found == ord(closing):
            self._at += 1
            self._empty = False
            self._stack.pop()
            return
        if not self._empty:
            if found != ord(","):
                self._fail("after object key:value pair" if closing == "}" else "after array element")
            self._at += 1
        self._empty = False
        if closing == "}":
            self._key()
        self._value()

    def _value(self) -> None:
        first = self._peek()
        if first in _OPEN:
            self._at += 1
            self._stack.append(_OPEN[first])
            if len(self._stack) > DEEPEST:
                raise NotJsonError("exceeded max depth")
            self._empty = True
        elif first == ord('"'):
            self._string()
        elif first in _LITERALS:
            self._literal(_LITERALS[first])
        elif first in b"-0123456789":
            self._number()
        else:
            self._fail("looking for beginning of value")

    def _key(self) -> None:
        if self._peek() != ord('"'):
            self._fail("looking for beginning of object key string")
        self._string()
        if self._peek() != ord(":"):
            self._fail("after object key")
        self._at += 1

    def _string(self) -> None:
        self._skip(_STRING)
        if self._at == len(self._text) or self._text[self._at] not in b'"\\':
            self._fail("in string literal")
        if self._text[self._at] == ord('"'):
            self._at += 1
            return
        self._at += 1
        if self._text[self._at] != ord("u"):
            self._fail("in string escape code")
        self._at += 1
        self._skip(_HEXADECIMAL)
        self._fail("in \\u hexadecimal character escape")

    def _literal(self, literal: bytes) -> None:
        for expected in literal:
            if self._text[self._at] != expected:
                self._fail(f"in literal {literal.decode()} (expecting '{chr(expected)}')")
            self._at += 1

    def _number(self) -> None:
        if self._text[self._at] == ord("-"):
            self._at += 1
        if self._text[self._at] == ord("0"):
            self._at += 1
        else:
            self._digits("in numeric literal")
        if self._text[self._at] == ord("."):
            self._at += 1
            self._digits("after decimal point in numeric literal")
        if self._text[self._at] in b"eE":
            self._at += 1
            if self._text[self._at] in b"+-":
                self._at += 1
            self._digits("in exponent of numeric literal")

    def _digits(self, context: str) -> None:
        before = self._at
        self._skip(_DIGITS)
        if self._at == before:
            self._fail(context)

    def _peek(self) -> int:
        """The next byte that is no space."""
        self._skip(_SPACE)
        if self._at == len(self._text):
            raise NotJsonError(CUT_OFF)
        return self._text[self._at]

    def _skip(self, pattern: re.Pattern[bytes]) -> None:
        match = pattern.match(self._text, self._at)
        if match is not None:
            self._at = match.end()

    def _fail(self, context: str) -> NoReturn:
        if self._at == len(self._text):
            raise NotJsonError(CUT_OFF)
        found = chr(self._text[self._at])
        shown = {"'": r"'\''", '"': "'\"'"}.get(found) or f"'{quoted(found)[1:-1]}'"
        raise NotJsonError(f"invalid character {shown} {context}")
