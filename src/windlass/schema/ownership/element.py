"""The steps of a path in a field set, in the form that they have as keys of `fieldsV1`.

`f:name` is a field, `k:{"name":"web"}` the item of a list that has this key, `v:"a"` the item of a set and
`i:0` the item at a position. One value has one text, so that steps are compared, hashed and stored as they
are; only their order, and what a person reads, need them taken apart.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

import orjson

from windlass.schema.golang import printed, quoted

SELF: Final = "."
"""The key under which a tree says that the node itself is in the set, not only what is below it."""

_ESCAPED: Final = re.compile(r'["\\<>&\x00-\x1f\u2028\u2029]')
_ESCAPES: Final = str.maketrans(
    {chr(code): f"\\u{code:04x}" for code in (*range(32), *b"<>&", 0x2028, 0x2029)}
    | {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
)
_WORDS: Final = {None: "null", True: "true", False: "false"}
_KEEPS_POINT: Final = (1e-6, 1e21)
_FIRST_NOT_FIELD: Final = "f;"


class MalformedElement(ValueError):
    """A key of `fieldsV1` that is no step of a path."""


def json_text(value: Any) -> str:
    """A value as JSON in the one way that field sets have it: keys in order, `1.0` as `1`, `<` escaped.

    It is the way of another encoder than `golang.json_text`, that of the rest of the server: the two escape
    the rarer control characters differently.
    """
    if isinstance(value, str):  # nearly always, so it is asked first
        return f'"{value.translate(_ESCAPES)}"' if _ESCAPED.search(value) else f'"{value}"'
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number_text(value)
    if isinstance(value, list):
        return f"[{','.join(map(json_text, value))}]"
    return f"{{{','.join(f'{json_text(key)}:{json_text(value[key])}' for key in sorted(value))}}}"


def _number_text(number: float) -> str:
    least, most = _KEEPS_POINT
    if number and not least <= abs(number) < most:
        return repr(number)
    return format(Decimal(repr(number)), "f").removesuffix(".0")


def parsed(text: str) -> str | None:
    """A step that somebody else wrote, in our form; `None` for a kind of step that we do not know.

    Raises:
        MalformedElement: it is no step.
    """
    kind, content = text[:2], text[2:]
    if kind == "f:":
        return text
    if len(kind) < len("f:") or kind[1] != ":":
        raise MalformedElement(text)
    try:
        match kind:
            case "k:":
                key = orjson.loads(content)
                if not isinstance(key, dict):
                    raise MalformedElement(text)
                return f"k:{json_text(key)}"
            case "v:":
                return f"v:{json_text(orjson.loads(content))}"
            case "i:":
                return f"i:{int(content)}"
    except ValueError as error:
        raise MalformedElement(text) from error
    return None


def in_order(elements: list[str]) -> list[str]:
    """Steps in the order in which a field set lists them; the list itself is sorted."""
    elements.sort()
    if elements and elements[-1] >= _FIRST_NOT_FIELD:
        elements.sort(key=rank)
    return elements


@lru_cache(maxsize=4096)
def rank(element: str) -> tuple[Any, ...]:
    """Where a step stands: fields by name, then keys, then values (numbers as numbers), then positions."""
    match element[:2]:
        case "f:":
            return (0, element)
        case "k:":
            return (1, *((name, _value_rank(value)) for name, value in _sorted_key(element)))
        case "v:":
            return (2, _value_rank(orjson.loads(element[2:])))
        case "i:":
            return (3, int(element[2:]))
    return (-1,)


def _value_rank(value: Any) -> tuple[Any, ...]:
    match value:
        case bool():
            return (2, value)
        case int() | float():
            return (0, value)
        case str():
            return (1, value)
        case list():
            return (3, *map(_value_rank, value))
        case dict():
            return (4, *((name, _value_rank(value[name])) for name in sorted(value)))
    return (5,)


def shown(element: str) -> str:
    """A step as messages have it: `.name`, `[name="web"]`, `[="a"]`, `[0]`."""
    match element[:2]:
        case "f:":
            return f".{element[2:]}"
        case "k:":
            parts = (f"{name}={_value_shown(value)}" for name, value in _sorted_key(element))
            return f"[{','.join(parts)}]"
        case "v:":
            return f"[={_value_shown(orjson.loads(element[2:]))}]"
    return f"[{element[2:]}]"


def _sorted_key(element: str) -> list[tuple[str, Any]]:
    return sorted(orjson.loads(element[2:]).items())


def _value_shown(value: Any) -> str:
    match value:
        case str():
            return quoted(value)
        case dict():
            return "".join(f"{name}={_value_shown(each)}" for name, each in value.items())
        case list():
            return f"[{','.join(map(_value_shown, value))}]"
        case None:
            return "null"
    return printed(value)
