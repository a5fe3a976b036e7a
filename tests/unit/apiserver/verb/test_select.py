"""Field selectors: their terms, and what a selected name spares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from windlass.apiserver.refusal import Refusal
from windlass.apiserver.verb.select import field_terms

if TYPE_CHECKING:
    from contract import Api


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("a=b", [("a", True, "b")]),
        ("a==b", [("a", True, "b")]),
        ("a!=b", [("a", False, "b")]),
        ("z=1,a=2", [("a", True, "2"), ("z", True, "1")]),
        (r"a=b\,c\=d\\", [("a", True, "b,c=d\\")]),
        ("a=,,", [("a", True, "")]),
        ("=", []),
        ("!=a", [("", False, "a")]),
    ],
)
def test_a_selector_has_terms(text: str, terms: list[tuple[str, bool, str]]) -> None:
    assert field_terms(text) == terms


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a", "invalid selector: 'a'; can't understand 'a'"),
        ("a=b!=c", "invalid field selector: unescaped character in value: 61"),
        ("a===b", "invalid field selector: unescaped character in value: 61"),
        ("a=\\", "invalid field selector: invalid escape sequence: \\"),
        (r"a=\x", r"invalid field selector: invalid escape sequence: \x"),
    ],
)
def test_the_first_operator_parts_a_term_and_the_value_is_escaped(text: str, message: str) -> None:
    with pytest.raises(Refusal) as refusal:
        field_terms(text)

    assert refusal.value.message == message


@pytest.mark.parametrize("path", ["/api/v1/configmaps", "/api/v1/namespaces/default/configmaps"])
async def test_a_selected_name_is_found_among_those_that_begin_with_it(
    api: Api, config_maps: str, path: str
) -> None:
    for name in ("a", "ab", "b"):
        (await api.send("POST", config_maps, {"metadata": {"name": name}})).ok()

    listed = (await api.send("GET", path, fieldSelector="metadata.name=a")).ok()

    assert [each["metadata"]["name"] for each in listed["items"]] == ["a"]
