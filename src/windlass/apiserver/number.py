"""Whole numbers as Go has them: ASCII digits, 64 bits, and its words for anything else.

Python's `int` takes underscores, blanks and the digits of other scripts, and gives up on very long texts; a
`timedelta` gives up on very many seconds.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any, Final

from windlass.schema import quoted

_SIGNED: Final = re.compile(r"[+-]?[0-9]+")
_UNSIGNED: Final = re.compile(r"[0-9]+")
_LARGEST: Final = 2**64 - 1
_LARGEST_SIGNED: Final = 2**63 - 1
_DIGITS: Final = 20  # of the largest one
_NANOSECONDS: Final = 10**9


def parse_signed(text: str) -> int:
    """A number with or without a sign.

    Raises:
        ValueError: it is none, or too large; the message is Go's.
    """
    if not _SIGNED.fullmatch(text):
        raise ValueError(f"strconv.ParseInt: parsing {quoted(text)}: invalid syntax")
    digits = text.lstrip("+-").lstrip("0")
    number = int(digits or 0) if len(digits) <= _DIGITS else _LARGEST
    if text[0] == "-":
        number = -number
    if not ~_LARGEST_SIGNED <= number <= _LARGEST_SIGNED:
        raise ValueError(f"strconv.ParseInt: parsing {quoted(text)}: value out of range")
    return number


def parse_unsigned(text: str) -> int:
    """A number without a sign.

    Raises:
        ValueError: it is none, or too large; the message is Go's.
    """
    if not _UNSIGNED.fullmatch(text):
        raise ValueError(f"strconv.ParseUint: parsing {quoted(text)}: invalid syntax")
    digits = text.lstrip("0")
    number = int(digits or 0) if len(digits) <= _DIGITS else _LARGEST + 1
    if number > _LARGEST:
        raise ValueError(f"strconv.ParseUint: parsing {quoted(text)}: value out of range")
    return number


def seconds_of(number: int) -> timedelta:
    """So many seconds; more than 292 years of them come round to a negative time, as Go's do."""
    wrapped = (number * _NANOSECONDS - ~_LARGEST_SIGNED) % (_LARGEST + 1) + ~_LARGEST_SIGNED
    return timedelta(microseconds=wrapped // 1000)


def settle_numbers(value: Any) -> None:
    """Write numbers, in place, as Go does: 2.0, as a client may send it and as it is validated, becomes 2."""
    for place, item in list(value.items() if isinstance(value, dict) else enumerate(value)):
        if isinstance(item, float):
            if item.is_integer() and abs(item) < _LARGEST_SIGNED:
                value[place] = int(item)
        elif isinstance(item, (dict, list)):
            settle_numbers(item)
