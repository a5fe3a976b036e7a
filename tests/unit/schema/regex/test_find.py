from __future__ import annotations

import re
from random import Random

import pytest

from windlass.schema.regex import Regex

ATOMS = ("a", "b", "ab", "(a|b)", "[ab]", ".", "(?:a|ab)", "(?:b?)", "x", "^", "$", r"\b")
REPEATS = ("", "*", "+", "?", "*?", "+?", "??", "{1,2}", "{2}", "{0,2}?", "|")


@pytest.mark.parametrize(
    ("expression", "text", "found"),
    [
        ("a+", "xaay", (1, 3)),
        ("a+?", "xaay", (1, 2)),
        ("a*?", "aaa", (0, 0)),
        ("(?U)a+", "aaa", (0, 1)),
        ("(?U)a+?", "aaa", (0, 3)),
        ("a{2,3}", "aaaa", (0, 3)),
        ("a{2,3}?", "aaaa", (0, 2)),
        ("(a|ab)(c|bcd)", "abcd", (0, 4)),
        ("foo|foobar", "foobar", (0, 3)),
        ("b$", "abab", (3, 4)),
        ("^b", "ab", None),
        ("(?m)^b$", "a\nb\nc", (2, 3)),
        (r"\bfoo\b", "afoo foo", (5, 8)),
        ("", "abc", (0, 0)),
        ("x", "", None),
        ("(?i)ÄB", "xäb", (1, 3)),
    ],
)
def test_the_first_match_is_found_and_of_several_there_the_one_liked_best(
    expression: str, text: str, found: tuple[int, int] | None
) -> None:
    assert Regex(expression).find(text) == found


def test_a_repetition_of_what_may_be_empty_ends_where_go_ends_it() -> None:
    # Python would go on and find all three.
    assert Regex("(|a)*").find("aaa") == (0, 0)
    assert Regex("(|a)+").find("aaa") == (0, 0)
    assert Regex("(a|)*").find("aaa") == (0, 3)


@pytest.mark.parametrize(
    ("expression", "text", "found"),
    [
        ("[0-9]+", "1 22 333", ["1", "22", "333"]),
        ("[0-9]*", "a12b", ["", "12", ""]),
        ("", "日本", ["", "", ""]),
        ("a|", "aab", ["a", "a", ""]),
        ("^a", "aaa", ["a"]),
        ("x", "aaa", []),
    ],
)
def test_all_matches_are_found_but_no_empty_one_right_behind_another(
    expression: str, text: str, found: list[str]
) -> None:
    assert [text[begin:end] for begin, end in Regex(expression).find_all(text)] == found


def test_no_more_matches_are_found_than_asked_for() -> None:
    assert len(list(Regex("a").find_all("aaaa", 3))) == 3
    assert list(Regex("a").find_all("aaaa", 0)) == []


def test_matches_of_random_expressions_are_where_python_finds_them() -> None:
    random = Random(7)
    compared = 0
    while compared < 1500:
        count = random.randint(1, 4)
        expression = "".join(random.choice(ATOMS) + random.choice(REPEATS) for _ in range(count))
        text = "".join(random.choices("abx", k=random.randrange(8)))
        try:
            ours = Regex(expression).find(text)
            theirs = re.search(expression, text)
        except (ValueError, re.error):
            continue  # what one of them does not take
        compared += 1
        assert ours == (theirs.span() if theirs else None), (expression, text)


def test_an_expression_that_keeps_others_busy_for_hours_is_found_at_once() -> None:
    text = "a" * 2000

    assert Regex("(a*)*b").find(text) is None
    assert Regex("(a|a)*c|a").find(text) == (0, 1)
