from __future__ import annotations

import pytest

from windlass.schema.regex.parse import parse


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("([", "missing closing ]: `[`"),
        ("a(b", "missing closing ): `a(b`"),
        ("a)", "unexpected ): `a)`"),
        ("^(?!x)", "invalid or unsupported Perl syntax: `(?!`"),
        ("(?", "invalid or unsupported Perl syntax: `(?`"),
        ("(?-)", "invalid or unsupported Perl syntax: `(?-)`"),
        ("(?i-m", "invalid or unsupported Perl syntax: `(?i-m`"),
        ("(?<=x)a", "invalid named capture: `(?<=x)a`"),
        ("(?P<a-b>x)", "invalid named capture: `(?P<a-b>`"),
        ("(?P<n", "invalid named capture: `(?P<n`"),
        (r"^(a)\1$", r"invalid escape sequence: `\1`"),
        (r"a\Z", r"invalid escape sequence: `\Z`"),
        (r"\u0041", r"invalid escape sequence: `\u`"),
        (r"\x{110000}", r"invalid escape sequence: `\x{110000`"),
        (r"\x{}", r"invalid escape sequence: `\x{}`"),
        (r"\xg1", r"invalid escape sequence: `\xg1`"),
        (r"\é", r"invalid escape sequence: `\é`"),
        ("a\\", "trailing backslash at end of expression: ``"),
        ("a++", "invalid nested repetition operator: `++`"),
        ("a*?*", "invalid nested repetition operator: `*?*`"),
        ("a{1001}", "invalid repeat count: `{1001}`"),
        ("a{3,1}", "invalid repeat count: `{3,1}`"),
        ("(a{40}){30}", "invalid repeat count: `{30}`"),
        ("*a", "missing argument to repetition operator: `*`"),
        ("a|+", "missing argument to repetition operator: `+`"),
        ("({2})", "missing argument to repetition operator: `{2}`"),
        ("[z-a]", "invalid character class range: `z-a`"),
        ("[[:word]:]x:]", "invalid character class range: `[:word]:]`"),
        ("[[:nope:]]", "invalid character class range: `[:nope:]`"),
        (r"\p{Nope}", r"invalid character class range: `\p{Nope}`"),
        (r"\p{Lu", r"invalid character class range: `\p{Lu`"),
        (r"\p", r"invalid character class range: `\p`"),
    ],
)
def test_what_go_refuses_is_refused_in_its_words(expression: str, problem: str) -> None:
    with pytest.raises(ValueError, match=r"^error parsing regexp: ") as raised:
        parse(expression)

    assert str(raised.value) == f"error parsing regexp: {problem}"


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "a|",
        "()",
        "a{,2}",
        "{",
        "a{2",
        "a{02}",
        "x*?",
        "[]a]",
        "[a-]",
        "[^]]",
        r"[\d-z]",
        "(?i)",
        "(?P<n>a)",
        "(?<n>a)",
    ],
)
def test_what_go_takes_is_taken(expression: str) -> None:
    parse(expression)


def test_groups_do_not_nest_without_end() -> None:
    with pytest.raises(ValueError, match="expression nests too deeply"):
        parse("(" * 1000 + "a" + ")" * 1000)


def test_an_expression_does_not_grow_without_end() -> None:
    with pytest.raises(ValueError, match="expression too large"):
        parse(f"({'abcdefghij' * 20}){{1000}}")
