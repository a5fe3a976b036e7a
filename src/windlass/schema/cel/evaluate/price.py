"""What a call costs once its arguments and its result are known."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any, Final, Protocol

from windlass.schema.cel.operation import weight

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from windlass.schema.cel.value import Value

LIST: Final = 10
MAP: Final = 30
OBJECT: Final = 40
_TRAVERSAL: Final = 0.1
_REGEX: Final = 0.25


class Pricing(Protocol):
    """Knows what the functions of libraries cost."""

    def actual(self, function: str, overload: str, arguments: Sequence[Value], result: Value) -> int | None:
        """The price of a call that was made; `None` if it has none of its own.

        `overload` is empty where only the values told which one it was.
        """


def _whole(arguments: Sequence[Value]) -> int:
    return ceil(weight(arguments[0]) * _TRAVERSAL)


def _list(arguments: Sequence[Value]) -> int:
    return weight(arguments[1])


def _smaller(arguments: Sequence[Value]) -> int:
    return ceil(min(weight(arguments[0]), weight(arguments[1])) * _TRAVERSAL)


def _both(arguments: Sequence[Value]) -> int:
    return ceil((weight(arguments[0]) + weight(arguments[1])) * _TRAVERSAL)


def _matching(arguments: Sequence[Value]) -> int:
    return ceil((1.0 + weight(arguments[0])) * _TRAVERSAL) * ceil(weight(arguments[1]) * _REGEX)


def _searching(arguments: Sequence[Value]) -> int:
    return ceil(weight(arguments[0]) * _TRAVERSAL) * ceil(weight(arguments[1]) * _TRAVERSAL)


_ORDERED: Final = tuple(
    f"{relation}_{kind}"
    for relation in ("less", "less_equals", "greater", "greater_equals")
    for kind in ("string", "bytes")
)

PRICES: Final[dict[str, Callable[[Sequence[Any]], int]]] = {
    **dict.fromkeys(
        (
            "starts_with_string",
            "ends_with_string",
            "string_to_bytes",
            "bytes_to_string",
            "strings_quote",
            "string_format",
        ),
        _whole,
    ),
    "in_list": _list,
    **dict.fromkeys((*_ORDERED, "equals", "not_equals"), _smaller),
    "add_string": _both,
    "add_bytes": _both,
    "matches_string": _matching,
    "contains_string": _searching,
}
"""The prices of the standard library's overloads, by their names; any other costs 1."""
