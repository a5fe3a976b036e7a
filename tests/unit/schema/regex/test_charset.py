from __future__ import annotations

import pytest

from windlass.schema.regex.charset import CharSet, Part, orbit, property_named


@pytest.mark.parametrize(
    ("char", "alike"),
    [
        ("a", "aA"),
        ("k", "kK\u212a"),
        ("S", "sS\u017f"),
        ("1", "1"),
        ("é", "éÉ"),
        ("\u03c3", "\u03c3\u03a3\u03c2"),
        ("µ", "µμΜ"),
        ("ß", "ßẞ"),
        ("ǅ", "ǄǅǆǄ"),
        ("\u0131", "\u0131"),
        ("İ", "İ"),
        ("漢", "漢"),
    ],
)
def test_characters_that_differ_in_case_only_are_known(char: str, alike: str) -> None:
    assert set(orbit(char)) == set(alike)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Lu", "Lu"),
        ("lu", "Lu"),
        ("Uppercase_Letter", "Lu"),
        ("uppercase letter", "Lu"),
        ("Greek", "Greek"),
        ("any", "Any"),
        ("L C", "Lc"),
    ],
)
def test_a_property_is_found_whatever_its_spelling(name: str, found: str) -> None:
    assert property_named(name) == found


@pytest.mark.parametrize("name", ["", "Nope", "Old_Italic", "\u017f"])
def test_a_property_that_go_does_not_find_is_not_found(name: str) -> None:
    assert property_named(name) is None


def test_a_negated_set_of_negated_parts() -> None:
    not_digits = Part((("0", "9"),), negated=True)

    assert CharSet((not_digits,), negated=True).has("5")
    assert not CharSet((not_digits,), negated=True).has("a")
