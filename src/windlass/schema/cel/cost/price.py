"""What calls of library functions cost once their arguments and results are known."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any, Final

from windlass.schema.cel.cost import unit
from windlass.schema.cel.cost.bounds import MOST, Range
from windlass.schema.cel.cost.group import NOMINAL, READING, SORTABLE, TRAVERSING
from windlass.schema.cel.cost.library import selector_cost
from windlass.schema.cel.cost.unit import REGEX_FACTOR, TEXT_FACTOR
from windlass.schema.cel.library.form import Form
from windlass.schema.cel.operation import is_list, weight
from windlass.schema.cel.problem import EvaluationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from windlass.schema.cel.value import Value

    Price = Callable[[str, Sequence[Any], Any], int | None]
    """The cost of a call, of its overload, arguments and result."""


class LibraryPricing:
    """The prices of Kubernetes."""

    __slots__ = ()

    def actual(self, function: str, overload: str, arguments: Sequence[Value], result: Value) -> int | None:
        """The price of a call that was made; `None` if the language itself has one.

        What had no value, the result or an argument, may be anything.
        """
        price = _BY_OVERLOAD.get(overload) or _BY_FUNCTION.get(function)
        return price(overload, arguments, result) if price else None


KUBERNETES_PRICING: Final = LibraryPricing()


def _nominal(_overload: str, _arguments: Sequence[Value], _result: Value) -> int:
    return 1


def _check(_overload: str, _arguments: Sequence[Value], _result: Value) -> int:
    return unit.CHECK


def _selector(_overload: str, arguments: Sequence[Value], _result: Value) -> int:
    return selector_cost(Range.exactly(weight(arguments[1]))).max


def _traverse(_overload: str, arguments: Sequence[Value], _result: Value) -> int:
    """To look at all that a value holds."""
    total = 0
    open_ = [arguments[0]]
    while open_:
        value = open_.pop()
        if isinstance(value, str):
            total += int(len(value.encode()) * TEXT_FACTOR)
        elif isinstance(value, bytes):
            total += int(len(value) * TEXT_FACTOR)
        elif is_list(value):
            open_ += _items(value)
        elif hasattr(value, "items"):
            open_ += (part for entry in value.items() for part in entry)
        else:
            total += 1
    return total


def _items(values: Sequence[Value]) -> Iterator[Value]:
    """What a list holds; what cannot be read counts as nothing, and fails where it is used."""
    for index in range(len(values)):
        try:
            yield values[index]
        except EvaluationError:
            yield None


def _read(_overload: str, arguments: Sequence[Value], _result: Value) -> int:
    return ceil(weight(arguments[0]) * TEXT_FACTOR)


def _read_twice(_overload: str, arguments: Sequence[Value], _result: Value) -> int:
    return ceil(weight(arguments[0]) * 2 * TEXT_FACTOR)


def _write_twice(_overload: str, _arguments: Sequence[Value], result: Value) -> int:
    return ceil(weight(result) * 2 * TEXT_FACTOR)


def _find(_overload: str, arguments: Sequence[Value], _result: Value) -> int:
    text, regex = arguments[:2]
    return ceil((1.0 + weight(text)) * TEXT_FACTOR) * ceil(weight(regex) * REGEX_FACTOR)


def _ip(overload: str, arguments: Sequence[Value], _result: Value) -> int:
    if overload == "cidr_ip":
        return 1
    return ceil(_bytes(arguments[0]) * TEXT_FACTOR)


def _contains_ip(overload: str, arguments: Sequence[Value], _result: Value) -> int:
    network, address = map(_bytes, arguments)
    parsed = ceil(address * TEXT_FACTOR) if overload == "cidr_contains_ip_string" else 0
    return ceil(2 * network * TEXT_FACTOR) + parsed


def _contains_cidr(overload: str, arguments: Sequence[Value], _result: Value) -> int:
    network, other = map(_bytes, arguments)
    parsed = ceil(other * TEXT_FACTOR) if overload == "cidr_contains_cidr_string" else 0
    return ceil(2 * network * TEXT_FACTOR) + ceil(network * TEXT_FACTOR) + 1 + parsed


def _bytes(value: Value) -> int:
    """The size of an address or a network, which is that of its bits, or of a text."""
    return weight(value) if isinstance(value, str) else int(getattr(value, "size", 1))


def _validate(_overload: str, arguments: Sequence[Value], _result: Value) -> int | None:
    form, text = arguments
    if not isinstance(form, Form):
        return None
    return ceil((1.0 + weight(text)) * TEXT_FACTOR) * ceil(form.regex_size * REGEX_FACTOR)


def _result_size(_overload: str, _arguments: Sequence[Value], result: Value) -> int:
    return _allocating(1, weight(result))


def _flatten(_overload: str, arguments: Sequence[Value], _result: Value) -> int:
    depth = float(arguments[1]) if len(arguments) > 1 and type(arguments[1]) is int else 1.0
    return _allocating(depth, weight(arguments[0]))


def _compare_all(overload: str, arguments: Sequence[Value], _result: Value) -> int | None:
    """To compare each element with each: of the keys, where a list is sorted by them."""
    values = arguments[-1] if overload.endswith("Keys") else arguments[0]
    if not is_list(values):
        return None
    is_text = len(values) > 0 and isinstance(values[0], (str, bytes))
    return _allocating(2 + TEXT_FACTOR if is_text else 2, len(values) ** 2)


def _sets(overload: str, arguments: Sequence[Value], _result: Value) -> int:
    left, right = arguments
    return 1 + weight(left) * weight(right) * (2 if overload == "list_sets_equivalent_list" else 1)


def _allocating(factor: float, size: int) -> int:
    return int(size * factor) + 1 + unit.LIST & MOST


_BY_OVERLOAD: Final[dict[str, Price]] = {
    "list_slice": _result_size,
    "lists_range": _result_size,
    "list_reverse": _result_size,
    "list_flatten": _flatten,
    "list_flatten_int": _flatten,
    "list_distinct": _compare_all,
    **{f"list_{of}_{name}": _compare_all for name in ("sort", "sortByAssociatedKeys") for of in SORTABLE},
    "list_sets_contains_list": _sets,
    "list_sets_intersects_list": _sets,
    "list_sets_equivalent_list": _sets,
}
_BY_FUNCTION: Final[dict[str, Price]] = {
    **dict.fromkeys(NOMINAL, _nominal),
    "check": _check,
    **dict.fromkeys(("fieldSelector", "labelSelector"), _selector),
    **dict.fromkeys(TRAVERSING, _traverse),
    **dict.fromkeys((*READING, "url", "lowerAscii", "upperAscii", "substring", "trim"), _read),
    "jsonpatch.escapeKey": _read,
    **dict.fromkeys(("replace", "split", "ip.isCanonical"), _read_twice),
    "join": _write_twice,
    **dict.fromkeys(("find", "findAll"), _find),
    "ip": _ip,
    "containsIP": _contains_ip,
    "containsCIDR": _contains_cidr,
    "validate": _validate,
}
