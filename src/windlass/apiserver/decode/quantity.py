"""Quantities as Go reads and writes them.

`windlass.api.Quantity` calculates; this is about the text alone, with the habits of the real server: a text
that looks canonical to it is kept, though it is not (`1.500`, `+1`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_FORMAT: Final = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
_SUFFIX: Final = "unable to parse quantity's suffix"
_NUMERIC: Final = "unable to parse numeric part of quantity"
_TEXT: Final = re.compile(
    r"(?P<sign>[+-]?)0*(?P<whole>[0-9]*)(?P<point>\.(?P<fraction>[0-9]*))?"
    r"(?P<suffix>[eEinumkKMGTP]*[-+]?[0-9]*)"
)
_DECIMAL: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_DECIMAL_SUFFIXES: Final = {exponent: suffix for suffix, exponent in _DECIMAL.items()}
_BINARY: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_BINARY_SUFFIXES: Final = ("", *_BINARY)
_EXPONENT: Final = re.compile(r"[eE]([+-]?[0-9]+)")
_LARGEST: Final = 2**63 - 1
_NANO: Final = -9
_INT64: Final = range(-(2**63), 2**63)
_LONGEST: Final = 1000
"""How many digits a quantity may have; the real server takes any number of them, and nobody needs so many."""
_SMALLEST_BINARY: Final = 1024
_DIGITS: Final = 18
_BINARY_DIGITS: Final = 14
"""How many digits the server takes to be within 64 bits, before any binary suffix."""


@lru_cache(maxsize=4096)
def canonical_quantity(text: str) -> str:
    """A quantity as the server writes it.

    Raises:
        ValueError: the text is no quantity; the message is Go's.
    """
    match = _TEXT.fullmatch(text) if text else None
    if match is None:
        raise ValueError(_FORMAT)
    whole, fraction, suffix = match["whole"] or "0", match["fraction"] or "", match["suffix"]
    digits = whole + fraction
    if len(digits) > _LONGEST:
        raise ValueError(_NUMERIC)
    amount = int(digits) * (-1 if match["sign"] == "-" else 1)
    if suffix in _BINARY:
        bits = _BINARY[suffix]
        if not fraction and len(whole) + bits * 3 // 10 <= _BINARY_DIGITS:
            return text if amount & 7 else _binary(amount << bits, 0)
        _require_digits(match)
        return _binary(amount << bits, -len(fraction))
    exponential = suffix not in _DECIMAL
    exponent = (_exponent(suffix) if exponential else _DECIMAL[suffix]) - len(fraction)
    if exponent >= _NANO and len(digits) <= _DIGITS:
        if exponent % 3 == 0 and not digits.endswith("000") and digits[0] != "0":
            return text
    else:
        _require_digits(match)
        amount, exponent = _rounded(amount, exponent)
    return _decimal(amount, exponent, exponential=exponential)


def _require_digits(match: re.Match[str]) -> None:
    """Large and fine amounts are read by another parser, which wants to see a digit."""
    if not any(character.isdigit() for character in match.string[: match.start("suffix")]):
        raise ValueError(_NUMERIC)


def _exponent(suffix: str) -> int:
    match = _EXPONENT.fullmatch(suffix)
    if match is None:
        raise ValueError(_SUFFIX)
    exponent = int(match[1][:_LONGEST])
    if exponent not in _INT64:
        raise ValueError(_SUFFIX)
    return exponent


def _rounded(amount: int, exponent: int) -> tuple[int, int]:
    """The amount in billionths where it is finer than that, away from zero."""
    if exponent >= _NANO:
        return amount, exponent
    finer = _NANO - exponent
    # The power of ten is worked out only where it may be no larger than the amount: `1e-999999999` is cheap.
    rounded = bool(amount) if finer > _LONGEST + _BINARY["Ei"] else -(-abs(amount) // 10**finer)
    return (-rounded if amount < 0 else rounded), _NANO


def _binary(amount: int, exponent: int) -> str:
    """The form with the largest power of 1024 that loses nothing, or a decimal one."""
    amount, exponent = _rounded(amount, exponent)
    unit = 10**-exponent
    amount = max(-_LARGEST * unit, min(_LARGEST * unit, amount))
    if amount % unit or abs(amount) < _SMALLEST_BINARY * unit:
        return _decimal(amount, exponent)
    amount //= unit
    power = 0
    while amount % 1024 == 0:
        amount //= 1024
        power += 1
    return f"{amount}{_BINARY_SUFFIXES[power]}"


def _decimal(amount: int, exponent: int, *, exponential: bool = False) -> str:
    """The form with the largest power of 1000 that loses nothing."""
    if amount == 0:
        return "0"
    while amount % 10 == 0:
        amount //= 10
        exponent += 1
    amount *= 10 ** (exponent % 3)
    exponent -= exponent % 3
    if exponential:
        return f"{amount}e{exponent}" if exponent else str(amount)
    # Beyond the last suffix the server writes none, and with it loses the magnitude; so do we.
    return f"{amount}{_DECIMAL_SUFFIXES.get(exponent, '')}"
