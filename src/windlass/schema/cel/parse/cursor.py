"""Where the parser is among the tokens, and what it says of one that does not fit.

Like ANTLR it goes on where one token is too many or one is missing, and stops at any other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.cel.parse.token import (
    BYTES,
    END,
    FLOAT,
    INT,
    MOST_PROBLEMS,
    NAME,
    ORDER,
    STRING,
    UINT,
    Token,
)
from windlass.schema.cel.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

EXPRESSION: Final = frozenset(
    {
        *("'['", "'{'", "'('", "'.'", "'-'", "'!'", "'true'", "'false'", "'null'"),
        *(FLOAT, INT, UINT, STRING, BYTES, NAME),
    }
)
"""What an expression begins with."""

OPERATORS: Final = frozenset(
    {
        *("'=='", "'!='", "'in'", "'<'", "'<='", "'>='", "'>'", "'&&'", "'||'", "'['", "'.'", "'?'"),
        *("'-'", "'+'", "'*'", "'/'", "'%'"),
    }
)
"""What an expression may go on with."""


class Halt(Exception):
    """There is no sense in reading on."""


class Cursor:
    """A place among tokens. `after` is what may follow the expression that is being read."""

    def __init__(self, text: str, tokens: list[Token], problems: list[Problem]) -> None:
        self.after: AbstractSet[str] = frozenset()
        self._text = text
        self._tokens = tokens
        self._at = 0
        self._problems = problems

    @property
    def token(self) -> Token:
        """The token here."""
        return self._tokens[self._at]

    @property
    def kind(self) -> str:
        """What the token here is."""
        return self._tokens[self._at].kind

    def ahead(self, count: int) -> str:
        """What a later token is."""
        return self._tokens[min(self._at + count, len(self._tokens) - 1)].kind

    def take(self) -> Token:
        """The token here, which is left behind; the end stays."""
        token = self._tokens[self._at]
        if token.kind != END:
            self._at += 1
        return token

    def skip(self, kind: str) -> bool:
        """Whether a token of one kind was here, which then is left behind."""
        if self.kind != kind:
            return False
        self.take()
        return True

    def need(self, expected: AbstractSet[str]) -> None:
        """Make sure that one of these is here; one token too many before it is told and left out."""
        if self.kind in expected:
            return
        if self.ahead(1) not in expected:
            raise self.mismatched(expected)
        self._syntax(f"extraneous input '{self.token.text}' expecting {_listed(expected)}")
        self.take()

    def match(self, kind: str, following: AbstractSet[str] = frozenset()) -> Token:
        """Take a token of one kind; one that is missing before one of `following` is told and made up."""
        if self.kind != kind and self.ahead(1) != kind and self.kind in following:
            self._syntax(f"missing {kind} at '{self.token.text}'")
            return Token(kind, kind, self.token.offset)
        self.need({kind})
        return self.take()

    def close(self, bracket: str) -> None:
        """Take a closing bracket."""
        self.match(bracket, OPERATORS | self.after)

    def mismatched(self, expected: AbstractSet[str], instead: str = "mismatched") -> Halt:
        """What to raise when none of these is here."""
        self._syntax(f"{instead} input '{self.token.text}' expecting {_listed(expected)}")
        return Halt()

    def not_viable(self, since: Token) -> Halt:
        """What to raise when what has begun with a token cannot go on with the one here."""
        token = self.token
        if token.kind in {"'true'", "'false'", "'null'"}:
            self._syntax(f"mismatched input {token.kind} expecting IDENTIFIER")
        else:
            stop = token.offset if token.kind == END else token.offset + len(token.text)
            self._syntax(f"no viable alternative at input '{self._text[since.offset : stop]}'")
        return Halt()

    def _syntax(self, message: str) -> None:
        for space, written in (("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
            message = message.replace(space, written)
        self._problems.append(Problem(self.token.offset, f"Syntax error: {message}"))
        if len(self._problems) >= MOST_PROBLEMS:
            raise Halt


def _listed(expected: AbstractSet[str]) -> str:
    kinds = sorted(expected, key=ORDER.__getitem__)
    return kinds[0] if len(kinds) == 1 else f"{{{', '.join(kinds)}}}"
