import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.apiserver.go_json import (
    DEEPEST,
    NotJsonError,
    Number,
    Repeated,
    duplicates,
    has_repeated_fields,
    is_too_deep,
    parse,
    parse_carefully,
    parse_exactly,
    parse_for_types,
    unstructured,
    written,
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


def test_a_number_that_no_float_can_be_is_refused_unless_a_type_is_to_judge_it() -> None:
    digits = b"1" * 5000

    for number in (b"1e400", b"-1e400", digits):
        with pytest.raises(NotJsonError, match=r"cannot unmarshal number .* into Go value of type float64"):
            parse(b"[%b]" % number)
        assert parse_for_types(b"[%b]" % number)[0].text == number.decode()


def test_what_is_read_leniently_can_be_written_again() -> None:
    assert (
        orjson.dumps(parse(b'["\xff", 123456789012345678901234567890]'))
        == '["\ufffd",1.2345678901234568e+29]'.encode()
    )


def test_repeated_fields_are_told_once_by_their_paths_and_not_without_end() -> None:
    text = b'{"a":1,"b":[{"c":1,"c":2,"c":3}],"a":2}'
    many = b"{%b}" % b",".join(b'"k%d":1,"k%d":2' % (number, number) for number in range(150))

    assert duplicates(text, parse(text)) == ('duplicate field "b[0].c"', 'duplicate field "a"')
    assert len(duplicates(many, parse(many))) == 100


@pytest.mark.parametrize("inner", [b'"[[[["', b'"\\"[["', b'"\\\\"', b"[]", b"{}"])
def test_only_brackets_outside_of_texts_nest(inner: bytes) -> None:
    def nested(depth: int) -> bytes:
        return b"[" * depth + inner + b"]" * depth

    assert not is_too_deep(nested(DEEPEST - 1))
    assert is_too_deep(nested(DEEPEST + 1))


@pytest.mark.parametrize("text", [b"1", b"-9223372036854775808", b"18446744073709551615", b'"1.5"'])
def test_what_a_float_or_an_integer_tells_is_read_as_one(text: bytes) -> None:
    assert type(parse_exactly(text)) in (int, str)
    assert written(parse_exactly(text)) == text


@pytest.mark.parametrize("number", [b"18446744073709551616", b"1.50", b"1e3", b"-0.0", b"1" * 40])
def test_digits_that_are_read_exactly_are_written_again(number: bytes) -> None:
    text = b'{"a":[' + number + b'],"b":null}'

    assert written(parse_exactly(text)) == text


def test_a_number_that_no_float_can_be_is_refused_however_it_is_read() -> None:
    for read in (parse, parse_exactly):
        with pytest.raises(NotJsonError, match="cannot unmarshal number 1e400"):
            read(b'{"a":1e400}')


def test_without_a_type_a_number_is_an_integer_of_64_bits_or_a_float() -> None:
    read = {"a": [2**63 - 1, 2**64 - 1, -(2**63), Number("1.50"), True, "x", None]}

    found = unstructured(read)["a"]

    assert found == [2**63 - 1, float(2**64), -(2**63), 1.5, True, "x", None]
    assert [type(each) for each in found] == [int, float, int, float, bool, str, type(None)]


def test_a_float_that_go_writes_like_an_integer_of_64_bits_has_its_digits() -> None:
    found = unstructured([2**63, Number("9.3e18"), 2.0**63])

    assert found == [9223372036854776000, 93 * 10**17, 9223372036854776000]
    assert {type(each) for each in found} == {int}
