"""How Go prints values and names their types, for the messages that carry them."""

from __future__ import annotations

from typing import Any, Final

_KINDS: Final = {dict: "object", list: "array", str: "string", bool: "bool", int: "number", float: "number"}
_TYPES: Final = {
    dict: "map[string]interface {}",
    list: "[]interface {}",
    str: "string",
    bool: "bool",
    int: "int64",
    float: "float64",
}
_SMALLEST_PLAIN: Final = -4
_SMALLEST_EXPONENT: Final = 21


def json_kind(value: Any) -> str:
    """What Go's decoder calls a JSON value that it cannot store: `cannot unmarshal array into …`."""
    return _KINDS.get(type(value), "null")


def type_name(value: Any) -> str:
    """The type of a decoded JSON value as `%s` prints it."""
    return _TYPES.get(type(value), "%!s(<nil>)")


def printed(value: Any) -> str:
    """A decoded JSON value as `%v` prints it: `map[name:a ports:[80 81]]`."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return f"map[{' '.join(f'{key}:{printed(value[key])}' for key in sorted(value))}]"
    if isinstance(value, list):
        return f"[{' '.join(map(printed, value))}]"
    if value is None:
        return "<nil>"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _float(value) if isinstance(value, float) else str(value)


def _float(value: float) -> str:
    """A float in the fewest digits, with an exponent where `%v` writes one."""
    from decimal import Decimal  # only messages print floats

    number = Decimal(repr(value)).normalize()
    if not number or _SMALLEST_PLAIN <= number.adjusted() < _SMALLEST_EXPONENT:
        return f"{number:f}"
    return f"{value:.{len(number.as_tuple().digits) - 1}e}"
