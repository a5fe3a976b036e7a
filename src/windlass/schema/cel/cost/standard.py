"""What calls of the language's own functions cost, before there are values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.cel.cost.bounds import MOST, ONE, Range
from windlass.schema.cel.cost.operand import Estimate
from windlass.schema.cel.cost.unit import REGEX_FACTOR, TEXT_FACTOR

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.schema.cel.cost.operand import Invocation


def standard_estimate(call: Invocation) -> Estimate:
    """What a call costs, whatever its function is."""
    priced = _PRICES.get(call.overload)
    found = priced(call) if priced else None
    return Estimate(ONE) if found is None else found


def _format(call: Invocation) -> Estimate | None:
    # Nothing bounds the size of the result.
    return Estimate(call.target.bounds.scaled(TEXT_FACTOR)) if call.target else None


def _text_to_bytes(call: Invocation) -> Estimate:
    size = call.arguments[0].bounds
    return Estimate(size.scaled(TEXT_FACTOR), Range(size.min, size.max * 4 & MOST))


def _bytes_to_text(call: Invocation) -> Estimate:
    size = call.arguments[0].bounds
    return Estimate(size.scaled(TEXT_FACTOR), Range(size.min // 4, size.max))


def _quote(call: Invocation) -> Estimate:
    size = call.arguments[0].bounds
    return Estimate(size.scaled(TEXT_FACTOR), Range(size.min + 2 & MOST, size.max * 2 + 2 & MOST))


def _starts_with(call: Invocation) -> Estimate | None:
    return Estimate(call.arguments[0].bounds.scaled(TEXT_FACTOR)) if len(call.arguments) == 1 else None


def _in_list(call: Invocation) -> Estimate:
    return Estimate(call.arguments[1].bounds.scaled(1))


def _matches(call: Invocation) -> Estimate | None:
    if call.target is None:
        return None
    text = call.target.bounds.plus(ONE).scaled(TEXT_FACTOR)
    return Estimate(text.times(call.arguments[0].bounds.scaled(REGEX_FACTOR)))


def _contains(call: Invocation) -> Estimate | None:
    if call.target is None:
        return None
    text = call.target.bounds.scaled(TEXT_FACTOR)
    return Estimate(text.times(call.arguments[0].bounds.scaled(TEXT_FACTOR)))


def _add(call: Invocation) -> Estimate:
    left, right = call.arguments
    size = left.bounds.plus(right.bounds)
    return Estimate(ONE if call.overload == "add_list" else size.scaled(TEXT_FACTOR), size)


def _compare(call: Invocation) -> Estimate:
    left, right = call.arguments
    most = min(left.bounds.max, right.bounds.max)
    return Estimate(Range(min(most, 1), most).scaled(TEXT_FACTOR))


_PRICES: Final[dict[str, Callable[[Invocation], Estimate | None]]] = {
    "string_format": _format,
    "string_to_bytes": _text_to_bytes,
    "bytes_to_string": _bytes_to_text,
    "strings_quote": _quote,
    "starts_with_string": _starts_with,
    "ends_with_string": _starts_with,
    "in_list": _in_list,
    "matches_string": _matches,
    "contains_string": _contains,
    "add_string": _add,
    "add_bytes": _add,
    "add_list": _add,
    "equals": _compare,
    "not_equals": _compare,
    **{
        f"{order}_{of}": _compare
        for order in ("less", "less_equals", "greater", "greater_equals")
        for of in ("string", "bytes")
    },
}
