from __future__ import annotations

import time
from random import Random

import pytest

from windlass.schema.regex import Regex, compiled


@pytest.mark.parametrize(
    ("expression", "good", "bad"),
    [
        pytest.param("b+", "abba", "aaa", id="anywhere-in-the-text"),
        pytest.param("", "", None, id="nothing-is-everywhere"),
        pytest.param("^[a-z]+$", "abc", "abc\n", id="the-end-is-not-before-a-final-newline"),
        pytest.param("^[a-z]+$", "abc", "a\nb", id="the-end-is-not-the-end-of-a-line"),
        pytest.param("(?m)^b$", "a\nb\nc", "a\nbc", id="lines"),
        pytest.param(r"(?m)^\z", "a\n", "a", id="the-last-line-may-be-empty"),
        pytest.param(r"^\d$", "1", "٣", id="digits-are-ascii"),
        pytest.param(r"^\w$", "a", "é", id="words-are-ascii"),
        pytest.param(r"^\s$", " ", "\v", id="a-vertical-tab-is-no-space"),
        pytest.param("^[[:space:]]$", "\v", "x", id="but-a-posix-space"),
        pytest.param("^.$", "é", "\n", id="dot-is-a-character-but-no-newline"),
        pytest.param("(?s)^.$", "\n", "", id="unless-told"),
        pytest.param("^[[:alpha:]]$", "a", "1", id="posix-class"),
        pytest.param("^[[:^alpha:]]$", "1", "a", id="negated-posix-class"),
        pytest.param(r"^\pL$", "é", "1", id="unicode-class"),
        pytest.param(r"^\p{Lowercase_Letter}$", "é", "É", id="long-name-of-a-category"),
        pytest.param(r"^\p{^Lu}$", "é", "É", id="negated-category"),
        pytest.param(r"^\P{Lu}$", "é", "É", id="negated-otherwise"),
        pytest.param(r"^\p{Greek}$", "\u03b1", "a", id="script"),
        pytest.param(r"^\p{Han}$", "漢", "a", id="han"),
        pytest.param(r"^a\z", "a", "a\n", id="lower-case-z"),
        pytest.param(r"^(?i)abc$", "ABC", "ABD", id="flag-in-the-middle"),
        pytest.param(r"^a(?i:b)c$", "aBc", "aBC", id="flag-of-a-group"),
        pytest.param(r"^(?i)a(?-i)b$", "Ab", "AB", id="flag-taken-back"),
        pytest.param("^(?i)k$", "\u212a", "l", id="the-sign-for-kelvin-is-a-k"),
        pytest.param("^(?i)[\u03c3]$", "\u03c2", "\u03c4", id="a-letter-with-two-small-forms"),
        pytest.param(r"^(?i)\p{Lu}$", "a", "1", id="case-of-a-category"),
        pytest.param("^(?i)[^k]$", "l", "\u212a", id="case-within-a-negation"),
        pytest.param(r"^\x{41}\x42\103$", "ABC", "ABD", id="code-points"),
        pytest.param(r"^\Qa.b\E$", "a.b", "axb", id="quoted"),
        pytest.param("^a{,2}$", "a{,2}", "aa", id="a-repetition-needs-its-lower-bound"),
        pytest.param("^a{2,3}$", "aaa", "a", id="between"),
        pytest.param("^a{2,}$", "aaaa", "a", id="at-least"),
        pytest.param("^(ab){0}c$", "c", "abc", id="never"),
        pytest.param(r"\bfoo\b", "a foo b", "afoo", id="word-boundary"),
        pytest.param(r"\Bfoo", "afoo", "a foo", id="no-word-boundary"),
        pytest.param("^(a|b|cd)*$", "abcdab", "abc", id="alternatives"),
        pytest.param("^(|a)+$", "aa", "b", id="loops-over-nothing"),
        pytest.param("[^a]", "b", "aaa", id="negated-set"),
        pytest.param("^[]-a]$", "]", "[", id="a-bracket-first-in-a-set"),
    ],
)
def test_a_text_matches_as_in_go(expression: str, good: str, bad: str | None) -> None:
    regex = Regex(expression)

    assert regex.search(good)
    assert regex.search(good)  # as well by what was learnt
    if bad is not None:
        assert not regex.search(bad)
        assert not regex.search(bad)


def test_no_expression_takes_longer_than_its_text_is_long() -> None:
    regex = Regex(r"^(a+)+(a|aa)*(\w*)*$")
    before = time.process_time()

    assert not regex.search("a" * 20_000 + "!")

    assert time.process_time() - before < 5


def test_a_text_that_leads_everywhere_does_not_fill_the_memory() -> None:
    regex = Regex("(a|b)*a(a|b){12}!")
    bits = "".join(Random(1).choices("ab", k=5000))

    assert not regex.search(bits)
    assert regex.search(bits + "a" + "b" * 12 + "!")
    assert len(regex._states) <= 2000


def test_an_expression_is_compiled_once() -> None:
    assert compiled("^once$") is compiled("^once$")
