import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.apiserver.go_json import (
    NotJsonError,
    Number,
    Repeated,
    duplicates,
    has_repeated_fields,
    parse,
    parse_carefully,
    parse_for_types,
)

_TEXTS = st.text('":{}[], \\\n\u00e9a', max_size=6)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=12,
)
_SEPARATORS = st.sampled_from([(",", ":"), (", ", ": "), (" ,", " : "), (",\n", "\t:\r\n ")])


def repeats(text: bytes) -> bool:
    return has_repeated_fields(text, parse_for_types(text))


@given(_VALUES, _SEPARATORS)
def test_no_text_of_a_value_seems_to_repeat_a_field(value: Any, separators: tuple[str, str]) -> None:
    for ascii_only in (False, True):
        assert not repeats(json.dumps(value, separators=separators, ensure_ascii=ascii_only).encode())


@given(_VALUES, _TEXTS, _VALUES, _SEPARATORS)
def test_a_repeated_field_is_noticed_wherever_it_is(
    value: Any, name: str, other: Any, separators: tuple[str, str]
) -> None:
    comma, colon = separators
    key = json.dumps(name)
    first, second = json.dumps(value, separators=separators), json.dumps(other, separators=separators)
    doubled = f"{{{key}{colon}{first}{comma}{key}{colon}{second}}}"

    assert repeats(f"[{comma.strip().join((first, doubled, second))}]".encode())


def test_quotes_that_are_spelt_by_their_number_confuse_nobody() -> None:
    assert not repeats(rb'{"a":"\u0022:"}')
    assert repeats(rb'{"a":"\u0022:","a":1}')


def test_a_careful_reading_keeps_what_a_quick_one_loses() -> None:
    found = parse_carefully(b'{"a":{"b":1.50,"b":99999999999999999999},"c":[1e400]}')

    inner = found["a"]
    assert isinstance(inner, Repeated)
    assert [(name, getattr(value, "text", value)) for name, value in inner.pairs] == [
        ("b", "1.50"),
        ("b", "99999999999999999999"),
    ]
    assert isinstance(found["c"][0], Number)
    assert found["c"][0].text == "1e400"


def test_numbers_of_any_length_are_read() -> None:
    digits = b"9" * 10_000

    [number] = parse_carefully(b"[%b]" % digits)

    assert number.text == digits.decode()


@pytest.mark.parametrize("text", [b'"\\ud800"', b'"\xff"', b'"\xed\xa0\x80"'])
def test_what_is_no_character_is_replaced_in_both_readings(text: bytes) -> None:
    quick, careful = parse_for_types(text), parse_carefully(text)

    assert set(quick) == set(careful) == {"\ufffd"}
    assert orjson.dumps(careful)
