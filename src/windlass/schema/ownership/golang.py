"""JSON values as Go prints them, which is how some messages of API servers have them."""

from __future__ import annotations

from typing import Any, Final

from windlass.schema.fault import quoted
from windlass.schema.ownership.element import json_text

_TYPES: Final = {
    type(None): "<nil>",
    bool: "bool",
    int: "int64",
    float: "float64",
    str: "string",
    list: "[]interface {}",
    dict: "map[string]interface {}",
}


def go_text(value: Any) -> str:
    """A value as `%v` prints it: `map[a:1 b:[x y]]`."""
    match value:
        case None:
            return "<nil>"
        case str():
            return value
        case dict():
            return f"map[{' '.join(f'{name}:{go_text(value[name])}' for name in sorted(value))}]"
        case list():
            return f"[{' '.join(map(go_text, value))}]"
    return json_text(value)


def go_syntax(value: Any) -> str:
    """A value as `%#v` prints it: `map[string]interface {}{"a":1}`."""
    match value:
        case None:
            return "interface {}(nil)"
        case str():
            return quoted(value)
        case dict():
            members = ", ".join(f"{quoted(name)}:{go_syntax(value[name])}" for name in sorted(value))
            return f"map[string]interface {{}}{{{members}}}"
        case list():
            return f"[]interface {{}}{{{', '.join(map(go_syntax, value))}}}"
    return json_text(value)


def go_type(value: Any) -> str:
    """The type of a value as `%T` prints it."""
    return _TYPES[type(value)]
