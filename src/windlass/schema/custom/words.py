"""Values as Go writes them in a message."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

import orjson

from windlass.schema.fault import quoted

SMALLEST: Final = -(2**63)
LARGEST: Final = 2**63 - 1
_PLAIN: Final = {"%v": (-4, 6), "json": (-6, 21)}
"""The exponents of floats between which each style writes no exponent."""
_ESCAPED: Final = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


def is_integer(value: Any) -> bool:
    """Whether a value of a document is an integer to Go, which has 64 bits for one."""
    return type(value) is int and SMALLEST <= value <= LARGEST


def shown(value: Any) -> str:
    """A value as a field error shows it."""
    if isinstance(value, str):
        return quoted(value)
    if type(value) in (int, float):
        return number(value)
    return json_text(value)


def number(value: float) -> str:
    """A number as Go's `%v` writes it."""
    return str(value) if is_integer(value) else _float(float(value), "%v")


def json_text(value: Any) -> str:
    """A value as Go's encoder writes it: keys in order, some characters escaped."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{json_text(key)}:{json_text(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(json_text, value)) + "]"
    if isinstance(value, str):
        return orjson.dumps(value).decode().translate(_ESCAPED)
    if type(value) in (int, float) and not is_integer(value):
        return _float(float(value), "json")
    return orjson.dumps(value).decode()


def plain_text(value: Any) -> str:
    """Any value as Go's `%v` writes it."""
    match value:
        case dict():
            return f"map[{' '.join(f'{name}:{plain_text(value[name])}' for name in sorted(value))}]"
        case list():
            return f"[{' '.join(map(plain_text, value))}]"
        case str():
            return value
        case None:
            return "<nil>"
        case bool():
            return json_text(value)
    return number(value)


def _float(value: float, style: str) -> str:
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    if not isinstance(exponent, int) or digits == (0,):
        return "-0" if sign else "0"
    point = len(digits) + exponent - 1
    smallest, beyond = _PLAIN[style]
    if smallest <= point < beyond:
        return format(Decimal(repr(value)).normalize(), "f")
    text = "".join(map(str, digits))
    mantissa = text[0] + ("." + text[1:] if text[1:] else "")
    width = 1 if style == "json" and point < 0 else 2
    return f"{'-' if sign else ''}{mantissa}e{'-' if point < 0 else '+'}{abs(point):0{width}}"
