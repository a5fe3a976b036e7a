"""The words of an expression."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from windlass.schema.cel.problem import Problem

END: Final = "<EOF>"
FLOAT: Final = "NUM_FLOAT"
INT: Final = "NUM_INT"
UINT: Final = "NUM_UINT"
STRING: Final = "STRING"
BYTES: Final = "BYTES"
NAME: Final = "IDENTIFIER"
QUOTED_NAME: Final = "ESC_IDENTIFIER"

SIGNS: Final = (
    *("'=='", "'!='", "'in'", "'<'", "'<='", "'>='", "'>'", "'&&'", "'||'", "'['", "']'", "'{'", "'}'"),
    *("'('", "')'", "'.'", "','", "'-'", "'!'", "'?'", "':'", "'+'", "'*'", "'/'", "'%'"),
    *("'true'", "'false'", "'null'"),
)
"""Operators, brackets and words with a meaning of their own, quoted as messages have them."""

ORDER: Final = {
    kind: at for at, kind in enumerate((*SIGNS, FLOAT, INT, UINT, STRING, BYTES, NAME, QUOTED_NAME, END))
}
"""Every kind of token, in the order in which messages list what they expect."""

MOST_PROBLEMS: Final = 100
_WORDS: Final = frozenset({"in", "true", "false", "null"})

_ESCAPE: Final = r"""\\(?:[abfnrtv"'\\?`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})"""
_TEXT: Final = rf"""
    [rR](?:\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|"[^"\n\r]*"|'[^'\n\r]*')
    |\"\"\"(?:{_ESCAPE}|[^\\])*?\"\"\"|'''(?:{_ESCAPE}|[^\\])*?'''
    |"(?:{_ESCAPE}|[^\\"\n\r])*"|'(?:{_ESCAPE}|[^\\'\n\r])*'
"""
_TOKEN: Final = re.compile(
    rf"""
    (?P<skip>[\t\ \r\n\f]+|//[^\n]*)
    |(?P<BYTES>[bB](?:{_TEXT}))
    |(?P<STRING>{_TEXT})
    |(?P<NUM_FLOAT>[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)
    |(?P<NUM_UINT>(?:0x[0-9a-fA-F]+|[0-9]+)[uU])
    |(?P<NUM_INT>0x[0-9a-fA-F]+|[0-9]+)
    |(?P<IDENTIFIER>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<ESC_IDENTIFIER>`[A-Za-z0-9_./\ -]+`)
    |(?P<sign>==|!=|<=|>=|&&|\|\||[<>\[\]{{}}().,\-!?:+*/%])
    """,
    re.VERBOSE,
)
_PARTIAL_ESCAPE: Final = r"\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-3][0-7]?)?"
_BEGUN: Final = re.compile(
    rf"""
    "(?:{_ESCAPE}|[^\\"\n\r])*(?:{_PARTIAL_ESCAPE})?|'(?:{_ESCAPE}|[^\\'\n\r])*(?:{_PARTIAL_ESCAPE})?
    |`[A-Za-z0-9_./\ -]*|[&|=]
    """,
    re.VERBOSE,
)
"""As much of what is no token as could have become one."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word, what it is, and where it begins."""

    kind: str
    text: str
    offset: int


def tokenized(text: str) -> tuple[list[Token], list[Problem]]:
    """The words of a text, the last of them `END`; what is no word is left out and told.

    Of a text that is mostly not words, only the beginning is read.
    """
    tokens: list[Token] = []
    problems: list[Problem] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            begun = _BEGUN.match(text, at)
            stop = (begun.end() if begun else at) + 1
            problems.append(Problem(at, f"Syntax error: token recognition error at: '{text[at:stop]}'"))
            at = stop
            if len(problems) < MOST_PROBLEMS:
                continue
            problems.append(Problem(at, f"Syntax error: More than {MOST_PROBLEMS} syntax errors"))
            break
        if match.lastgroup != "skip":
            tokens.append(Token(_kind(match), match.group(), at))
        at = match.end()
    tokens.append(Token(END, END, len(text)))
    return tokens, problems


def _kind(match: re.Match[str]) -> str:
    group = match.lastgroup or ""
    if group == "sign" or (group == NAME and match.group() in _WORDS):
        return f"'{match.group()}'"
    return group
