from __future__ import annotations

from datetime import timedelta
from typing import Any

import orjson
import pytest

from windlass.apiserver.number import parse_signed, parse_unsigned, seconds_of, settle_numbers


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("-0", 0),
        ("+7", 7),
        ("-9223372036854775808", -(2**63)),
        ("9223372036854775807", 2**63 - 1),
        ("0" * 5000 + "5", 5),
    ],
)
def test_numbers_have_a_sign_or_none(text: str, number: int) -> None:
    assert parse_signed(text) == number


@pytest.mark.parametrize("text", ["", "-", "1_000", " 5", "5 ", "1.5", "0x10", "\N{ARABIC-INDIC DIGIT ONE}"])
def test_what_python_or_nobody_takes_for_a_number_is_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"^strconv\.ParseInt: parsing .*: invalid syntax$"):
        parse_signed(text)
    with pytest.raises(ValueError, match=r"^strconv\.ParseUint: parsing .*: invalid syntax$"):
        parse_unsigned(text)


@pytest.mark.parametrize("text", ["9223372036854775808", "-9223372036854775809", "9" * 5000])
def test_what_does_not_fit_into_64_bits_is_out_of_range(text: str) -> None:
    with pytest.raises(ValueError, match=r"value out of range$"):
        parse_signed(text)


def test_an_unsigned_number_is_one_bit_longer() -> None:
    assert parse_unsigned("18446744073709551615") == 2**64 - 1
    for text in ("18446744073709551616", "9" * 5000):
        with pytest.raises(ValueError, match=r"value out of range$"):
            parse_unsigned(text)
    with pytest.raises(ValueError, match=r"invalid syntax$"):
        parse_unsigned("+1")


@pytest.mark.parametrize(
    ("seconds", "time"),
    [
        (30, timedelta(seconds=30)),
        (-30, timedelta(seconds=-30)),
        (9_223_372_036, timedelta(seconds=9_223_372_036)),
        (2**63 - 1, timedelta(seconds=-1)),
    ],
)
def test_more_seconds_than_go_holds_come_round(seconds: int, time: timedelta) -> None:
    assert seconds_of(seconds) == time


@pytest.mark.parametrize(
    ("given", "written"),
    [(1.0, 1), (1e3, 1000), (1.5, 1.5), (-0.0, 0), (1e20, 1e20), ([{"a": 2.0}], [{"a": 2}]), (True, True)],
)
def test_whole_numbers_are_written_without_a_point(given: Any, written: Any) -> None:
    obj = {"spec": given}

    settle_numbers(obj)

    assert orjson.dumps(obj) == orjson.dumps({"spec": written})
