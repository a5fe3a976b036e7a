"""Names of fields are escaped as Kubernetes escapes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.schema.cel.structure import escape, unescape


@pytest.mark.parametrize(
    ("name", "escaped"),
    [
        ("a", "a"),
        ("a_b", "a_b"),
        ("_a", "_a"),
        ("a__b", "a__underscores__b"),
        ("___", "__underscores___"),
        ("____", "__underscores____underscores__"),
        ("a-b", "a__dash__b"),
        ("a.b/c", "a__dot__b__slash__c"),
        (".a", "__dot__a"),
        ("namespace", "__namespace__"),
        ("namespaces", "namespaces"),
        ("__namespace__", "__underscores__namespace__underscores__"),
        ("int", "int"),
        ("a1", "a1"),
    ],
)
def test_a_name_is_escaped_and_back(name: str, escaped: str) -> None:
    assert escape(name) == escaped
    assert unescape(escaped) == name


@pytest.mark.parametrize("name", ["", "1a", "$a", "a$", "ü", "a b", "a\n"])
def test_some_names_cannot_be_escaped(name: str) -> None:
    assert escape(name) is None


@pytest.mark.parametrize("name", ["a__for__", "__for__a", "__foo__", "a__xyz__b"])
def test_some_names_are_those_of_no_field(name: str) -> None:
    assert unescape(name) is None


@given(st.text("ab_-./", min_size=1).filter(lambda name: "___" not in name))
def test_every_name_comes_back(name: str) -> None:
    escaped = escape(name)

    assert escaped is not None
    assert unescape(escaped) == name
