"""JSON values as Go writes them, since that is how the messages of API servers have them.

Each function is one of Go's ways: a verb of its `fmt` package, its JSON encoder, the errors of its decoder.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

import orjson

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SMALLEST: Final = -(2**63)
LARGEST: Final = 2**63 - 1
_CONTROLS: Final = {
    '"': '\\"',
    "\\": "\\\\",
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
}
_QUOTED: Final = str.maketrans(
    _CONTROLS | {chr(code): f"\\x{code:02x}" for code in (*range(32), 127) if chr(code) not in _CONTROLS}
)
_LAST_SHORT: Final = 0xFFFF
# The encoder writes these as escapes, lest a browser takes them for markup or for the end of a line.
_ESCAPED: Final = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)
_PLAIN: Final = {"%v": (-4, 6), "json": (-6, 21)}
"""The exponents of floats between which each style writes no exponent."""

_TYPES: Final = {
    bool: "bool",
    int: "int64",
    float: "float64",
    str: "string",
    list: "[]interface {}",
    dict: "map[string]interface {}",
}


def quoted(text: str) -> str:
    """A text in quotes, as `%q` writes it."""
    escaped = text.translate(_QUOTED)
    return f'"{escaped if escaped.isprintable() else "".join(map(_code_point, escaped))}"'


def printed(value: Any) -> str:
    """A value as `%v` writes it: `map[name:a ports:[80 81]]`."""
    match value:
        case str():
            return value
        case dict():
            return f"map[{' '.join(f'{name}:{printed(value[name])}' for name in sorted(value))}]"
        case list():
            return f"[{' '.join(map(printed, value))}]"
        case None:
            return "<nil>"
        case bool():
            return "true" if value else "false"
    return number(value)


def go_syntax(value: Any) -> str:
    """A value as `%#v` writes it: `map[string]interface {}{"name":"a"}`."""
    match value:
        case str():
            return quoted(value)
        case dict():
            members = ", ".join(f"{quoted(name)}:{go_syntax(value[name])}" for name in sorted(value))
            return f"{_TYPES[dict]}{{{members}}}"
        case list():
            return f"{_TYPES[list]}{{{', '.join(map(go_syntax, value))}}}"
        case None:
            return "interface {}(nil)"
    return printed(value)


def type_name(value: Any) -> str:
    """The type of a value, as `%T` writes it."""
    return _TYPES.get(type(value), "<nil>")


def json_kind(value: Any) -> str:
    """What the decoder calls a value that it cannot store: `cannot unmarshal array into …`."""
    match value:
        case dict():
            return "object"
        case list():
            return "array"
        case str():
            return "string"
        case bool():
            return "bool"
        case None:
            return "null"
    return "number"


def json_text(value: Any, order: Callable[[Iterable[str]], Iterable[str]] = sorted) -> str:
    """A value as the encoder writes it: keys in order, some characters escaped."""
    match value:
        case dict():
            members = (f"{json_text(name)}:{json_text(value[name], order)}" for name in order(value))
            return f"{{{','.join(members)}}}"
        case list():
            return f"[{','.join(json_text(item, order) for item in value)}]"
        case str():
            return orjson.dumps(value).decode().translate(_ESCAPED)
        case bool() | None:
            return orjson.dumps(value).decode()
    return str(value) if is_integer(value) else _float(float(value), "json")


def shown(value: Any) -> str:
    """A value as a field error shows it: text in quotes, a number plain, anything else as JSON.

    Members stand as they are given, since those of a Go struct stand in the order of its fields.
    """
    return _shown(value, iter)


def shown_unstructured(value: Any) -> str:
    """The same, of a value that is no struct to the server but a map, and comes with its keys in order."""
    return _shown(value, sorted)


def number(value: float) -> str:
    """A number as `%v` writes it."""
    return str(value) if is_integer(value) else _float(float(value), "%v")


def is_integer(value: Any) -> bool:
    """Whether a value is an integer to Go, which has 64 bits for one."""
    return type(value) is int and SMALLEST <= value <= LARGEST


def _shown(value: Any, order: Callable[[Iterable[str]], Iterable[str]]) -> str:
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, (dict, list, bool)) or value is None:
        return json_text(value, order)
    return number(value)


def _code_point(char: str) -> str:
    if char.isprintable():
        return char
    code = ord(char)
    return f"\\u{code:04x}" if code <= _LAST_SHORT else f"\\U{code:08x}"


def _float(value: float, style: str) -> str:
    """A float in the fewest digits that tell it from every other."""
    shortest = Decimal(repr(value)).normalize()
    sign, digits, exponent = shortest.as_tuple()
    if not isinstance(exponent, int) or digits == (0,):
        return "-0" if sign else "0"
    point = len(digits) + exponent - 1
    smallest, beyond = _PLAIN[style]
    if smallest <= point < beyond:
        return format(shortest, "f")
    text = "".join(map(str, digits))
    mantissa = text[0] + ("." + text[1:] if text[1:] else "")
    width = 1 if style == "json" and point < 0 else 2
    return f"{'-' if sign else ''}{mantissa}e{'-' if point < 0 else '+'}{abs(point):0{width}}"
