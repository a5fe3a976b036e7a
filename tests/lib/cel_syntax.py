"""Texts that are no expressions, and what cel-go says of each first."""

from __future__ import annotations

from typing import Final

_EXPECTED: Final = (
    "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', "
    "NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"
)

REFUSED: Final = (
    ("(a", "1:3: Syntax error: missing ')' at '<EOF>'"),
    ("(a b", "1:4: Syntax error: mismatched input 'b' expecting ')'"),
    ("(a b)", "1:4: Syntax error: extraneous input 'b' expecting ')'"),
    ("(a,b)", "1:3: Syntax error: mismatched input ',' expecting ')'"),
    ("f(a b", "1:5: Syntax error: mismatched input 'b' expecting ')'"),
    ("f(a,)", "1:5: Syntax error: mismatched input ')' expecting " + _EXPECTED),
    (
        "f(,a)",
        "1:3: Syntax error: extraneous input ',' expecting {'[', '{', '(', ')', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
    ),
    ("a[1", "1:4: Syntax error: missing ']' at '<EOF>'"),
    (
        "a[]",
        "1:3: Syntax error: mismatched input ']' expecting {'[', '{', '(', '.', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
    ),
    ("a[1 2]", "1:5: Syntax error: extraneous input '2' expecting ']'"),
    ("[1,2", "1:5: Syntax error: mismatched input '<EOF>' expecting {']', ','}"),
    ("[1 2]", "1:4: Syntax error: extraneous input '2' expecting {']', ','}"),
    ("[1,,2]", "1:4: Syntax error: mismatched input ',' expecting ']'"),
    ("{'a':1", "1:7: Syntax error: mismatched input '<EOF>' expecting {'}', ','}"),
    ("{'a' 1}", "1:6: Syntax error: missing ':' at '1'"),
    ("{'a':1 'b':2}", "1:8: Syntax error: mismatched input ''b'' expecting {'}', ','}"),
    (
        "{",
        "1:2: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '}', '(', '.', ',', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
    ),
    ("a ? b", "1:6: Syntax error: mismatched input '<EOF>' expecting ':'"),
    ("a ? b c", "1:7: Syntax error: missing ':' at 'c'"),
    ("a ? b :", "1:8: Syntax error: mismatched input '<EOF>' expecting " + _EXPECTED),
    ("a.", "1:3: Syntax error: no viable alternative at input '.'"),
    ("a.1", "1:2: Syntax error: extraneous input '.1' expecting <EOF>"),
    ("a.in", "1:3: Syntax error: no viable alternative at input '.in'"),
    ("a.true", "1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER"),
    ("a.'x'", "1:3: Syntax error: no viable alternative at input '.'x''"),
    ("a..b", "1:3: Syntax error: no viable alternative at input '..'"),
    ("a &&", "1:5: Syntax error: mismatched input '<EOF>' expecting " + _EXPECTED),
    ("a && && b", "1:6: Syntax error: extraneous input '&&' expecting " + _EXPECTED),
    ("a = b", "1:3: Syntax error: token recognition error at: '= '"),
    ("a == == b", "1:6: Syntax error: extraneous input '==' expecting " + _EXPECTED),
    ("a b c", "1:3: Syntax error: mismatched input 'b' expecting <EOF>"),
    ("1 b", "1:3: Syntax error: extraneous input 'b' expecting <EOF>"),
    ("self.a == 'x", "1:11: Syntax error: token recognition error at: ''x'"),
    ('"abc', "1:1: Syntax error: token recognition error at: '\"abc'"),
    (" ", "1:2: Syntax error: mismatched input '<EOF>' expecting " + _EXPECTED),
    ("!", "1:2: Syntax error: extraneous input '<EOF>' expecting " + _EXPECTED),
    ("-!a", "1:2: Syntax error: no viable alternative at input '-!'"),
    ("!-a", "1:3: Syntax error: no viable alternative at input '-a'"),
    ("--", "1:3: Syntax error: no viable alternative at input '-'"),
    ("a.b.c{d 1}", "1:9: Syntax error: missing ':' at '1'"),
    (
        "func{{a}}",
        "1:6: Syntax error: extraneous input '{' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}",
    ),
    ("a.`b-c`", "1:3: unsupported syntax: '`'"),
    ("`b`", "1:1: Syntax error: mismatched input '`b`' expecting " + _EXPECTED),
    ("a.?b()", "1:5: Syntax error: mismatched input '(' expecting <EOF>"),
    ("a.?", "1:4: Syntax error: mismatched input '<EOF>' expecting {IDENTIFIER, ESC_IDENTIFIER}"),
    (")", "1:1: Syntax error: mismatched input ')' expecting " + _EXPECTED),
    ("a)", "1:2: Syntax error: extraneous input ')' expecting <EOF>"),
    ("f(){}", "1:4: Syntax error: mismatched input '{' expecting <EOF>"),
    ("9223372036854775808", "1:1: invalid int literal"),
    ("18446744073709551616u", "1:1: invalid uint literal"),
    ("1e400", "1:1: invalid double literal"),
    ("b'\\u0041'", "1:1: unable to unescape string"),
    ("'\\ud800'", "1:1: invalid unicode code point"),
    ("'\\400'", "1:1: Syntax error: token recognition error at: ''\\4'"),
    ("as", "1:1: reserved identifier: as"),
    (".as", "1:1: reserved identifier: as"),
    ("as(1)", "1:1: reserved identifier: as"),
    ("[1].map(var, var * var)", "1:9: reserved identifier: var"),
    ("has(a)", "1:5: invalid argument to has() macro"),
    ("has(a.?b)", "1:6: invalid argument to has() macro"),
    ("x.all(1, true)", "1:7: argument must be a simple name"),
    ("x.map(a.b, 1)", "1:8: argument is not an identifier"),
    ("x.filter(__result__, true)", "1:10: iteration variable overwrites accumulator variable"),
    ("x.exists_one(y.z, true)", "1:15: argument must be a simple name"),
    ("#", "1:1: Syntax error: token recognition error at: '#'"),
    ("'é' @ 1", "1:5: Syntax error: token recognition error at: '@'"),
    ("a ? (b : c", "1:8: Syntax error: missing ')' at ':'"),
    ("a\n  .b ==\n", "3:1: Syntax error: mismatched input '<EOF>' expecting " + _EXPECTED),
)
"""A text, and where and what is wrong: `1:3: Syntax error: …`."""


def first(error: str) -> str:
    """The first problem in an error, without the text that it shows."""
    return error.split("\n | ", maxsplit=1)[0].removeprefix("ERROR: <input>:")
