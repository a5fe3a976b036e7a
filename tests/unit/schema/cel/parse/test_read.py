"""Any text is either parsed or refused, soon."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from windlass.schema.cel.parse import OPTIONAL_MACROS, STANDARD_MACROS, parse
from windlass.schema.cel.problem import ExpressionError

if TYPE_CHECKING:
    from collections.abc import Callable

_VALID = (
    "self.replicas <= self.max && has(self.min) ? self.min >= 0 : true",
    "!has(oldSelf.x) || self.x == oldSelf.x",
    "self.items.all(i, i.name.startsWith('a') && size(i.v) > 3u)",
    "self.m.map(k, self.m[k] * 2 - 1 + 3.5e2).filter(z, z != 0).exists_one(y, y in ['a', \"b\"])",
    "{'a': 1, ?'b': self.?c, 3: [1, ?self.d, 2]}",
    "self.?a[?'b'].optMap(v, v.size()).orValue('').matches(r'^\\d+$')",
    'a.b.C{x: 1, y: {}}.x == b\'ab\\x00\' + b"""x\ny""" // end',
    "-1 + -x * --y / !(z) % 0x1F",
)
_WORDS = some.sampled_from(
    [
        *"()[]{},.?:!-+*/<>'\"`\\#&|=\n ",
        "&&",
        "||",
        "==",
        "in",
        "true",
        "a",
        "1",
        "0x",
        "if",
        "r'",
        '"""',
        "has(",
    ]
)


@some.composite
def _broken(draw: Callable[[some.SearchStrategy[object]], object]) -> str:
    """A valid expression with words put in or left out."""
    words = [word for word in re.split(r"(\W)", str(draw(some.sampled_from(_VALID)))) if word]
    for place, word in draw(some.lists(some.tuples(some.integers(0, 60), some.none() | _WORDS), max_size=5)):  # type: ignore[attr-defined]
        words[place : place + (word is None)] = [word] if word else []
    return "".join(words)


@settings(max_examples=300, deadline=None)
@given(_broken() | some.lists(_WORDS, max_size=200).map("".join) | some.text(max_size=200))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    with suppress(ExpressionError):
        tree = parse(text, (*STANDARD_MACROS, *OPTIONAL_MACROS))
        assert tree.text == text


def test_what_is_valid_is_parsed() -> None:
    for text in _VALID:
        assert parse(text).text == text


def test_a_character_that_cannot_be_encoded_is_refused() -> None:
    with pytest.raises(ExpressionError, match="token recognition error"):
        parse("\ud800")
    assert parse("'\ud800' == b'\ud800'").root.offset == 4
