"""Quantities as Go reads and writes them.

`windlass.api.Quantity` calculates; this is about the text alone, with the habits of the real server: a text that
looks canonical to it is kept, though it is not (`1.500`, `+1`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_FORMAT: Final = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
_SUFFIX: Final = "unable to parse quantity's suffix"
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
_DIGITS: Final = 18
"""How many digits are surely within 64 bits."""


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
    if not match["whole"] and not match["point"] and not suffix:
        return "0"  # zeros, or a sign alone
    digits = int(whole + fraction) * (-1 if match["sign"] == "-" else 1)
    binary = _BINARY.get(suffix)
    if binary is not None:
        return _binary(digits, len(fraction), binary, text)
    exponent = _DECIMAL.get(suffix)
    exponential = exponent is None
    if exponent is None:
        found = _EXPONENT.fullmatch(suffix)
        if found is None or abs(int(found[1])) > _LARGEST:
            raise ValueError(_SUFFIX)
        exponent = int(found[1])
    exponent -= len(fraction)
    if exponent >= _NANO and len(whole + fraction) <= _DIGITS and _looks_canonical(whole + fraction, exponent):
        return text
    return _decimal(digits, exponent, exponential=exponential)
