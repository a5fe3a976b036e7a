"""What calls of library functions cost, before there are values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.schema.cel.ast import Literal
from windlass.schema.cel.cost import unit
from windlass.schema.cel.cost.bounds import MOST, ONE, Range
from windlass.schema.cel.cost.group import NOMINAL, READING, SORTABLE, TRAVERSING
from windlass.schema.cel.cost.operand import Estimate
from windlass.schema.cel.cost.replace import replaced_size
from windlass.schema.cel.cost.unit import REGEX_FACTOR, TEXT_FACTOR
from windlass.schema.cel.type import TypeKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.schema.cel.cost.operand import Invocation, Operand

    Pricer = Callable[[Invocation], Estimate | None]

_BYTES: Final = Range(4, 16)
"""The size of an IP address."""

_LARGEST_FORMAT: Final = 64
_FORMAT_REGEX: Final = 128


def library_estimate(call: Invocation) -> Estimate | None:
    """What a call costs, if it is one of a library's function; what equality costs, of a library's types."""
    price = _BY_OVERLOAD.get(call.overload) or _BY_FUNCTION.get(call.function)
    return price(call) if price else None


def _nominal(_call: Invocation) -> Estimate:
    return Estimate(ONE)


def _check(_call: Invocation) -> Estimate:
    return Estimate(Range.exactly(unit.CHECK))


def _selector(call: Invocation) -> Estimate | None:
    if len(call.arguments) != 1:
        return None
    return Estimate(selector_cost(call.arguments[0].bounds))


def selector_cost(length: Range) -> Range:
    """To read a selector of some length."""
    requirements = length.scaled(unit.REQUIREMENTS_PER_CHARACTER).scaled(unit.LIST + unit.OBJECT)
    return Range.exactly(unit.LIST).plus(length.scaled(TEXT_FACTOR)).plus(requirements)


def _traverse(call: Invocation) -> Estimate | None:
    """To look at each element of a list and at its characters, if it has any; or at those of a text."""
    if call.target is None:
        return None
    element = call.element()
    if element is None:
        return Estimate(call.target.bounds.scaled(TEXT_FACTOR))
    each = ONE.plus(element.bounds.scaled(TEXT_FACTOR)) if element.is_text else ONE
    return Estimate(call.target.bounds.times(each))


def _read_argument(call: Invocation) -> Estimate | None:
    return Estimate(call.arguments[0].bounds.scaled(TEXT_FACTOR)) if call.arguments else None


def _same_size_argument(call: Invocation) -> Estimate | None:
    if len(call.arguments) != 1:
        return None
    size = call.arguments[0].bounds
    return Estimate(size.scaled(TEXT_FACTOR), size)


def _same_size_target(call: Invocation) -> Estimate | None:
    return Estimate(call.target.bounds.scaled(TEXT_FACTOR), call.target.bounds) if call.target else None


def _replace(call: Invocation) -> Estimate | None:
    if call.target is None:
        return None
    old, new = call.arguments[:2]
    size = replaced_size(call.target.bounds, old.bounds, new.bounds)
    return Estimate(call.target.bounds.scaled(2 * TEXT_FACTOR), size)


def _split(call: Invocation) -> Estimate | None:
    if call.target is None:
        return None
    size = call.target.bounds
    count = _integer(call.arguments[1]) if len(call.arguments) > 1 else None
    most = size.max if count is None else count & MOST
    return Estimate(size.scaled(2 * TEXT_FACTOR), Range(0, most))


def _join(call: Invocation) -> Estimate | None:
    if call.target is None:
        return None
    count = call.target.bounds
    element = call.element()
    size = count.times(element.bounds) if element else Range(0, 0)
    if call.arguments:
        separators = Range(max(count.min - 1, 0), max(count.max - 1, 0))
        size = size.plus(call.arguments[0].bounds.times(separators))
    return Estimate(size.scaled(TEXT_FACTOR), size)


def _find(call: Invocation) -> Estimate | None:
    if call.target is None:
        return None
    text = call.target.bounds.plus(ONE).scaled(TEXT_FACTOR)
    regex = call.arguments[0].bounds.scaled(REGEX_FACTOR)
    return Estimate(text.times(regex), Range(0, call.target.bounds.max))


def _ip(call: Invocation) -> Estimate | None:
    return Estimate(ONE) if call.overload == "cidr_ip" else _read_argument(call)


def _is_canonical(call: Invocation) -> Estimate:
    return Estimate(call.arguments[0].bounds.scaled(2 * TEXT_FACTOR))


def _contains_ip(call: Invocation) -> Estimate:
    cost = _BYTES.plus(_BYTES).scaled(TEXT_FACTOR)
    if call.overload == "cidr_contains_ip_string":
        cost = cost.plus(call.arguments[0].bounds.scaled(TEXT_FACTOR))
    return Estimate(cost)


def _contains_cidr(call: Invocation) -> Estimate:
    cost = _BYTES.plus(_BYTES).scaled(TEXT_FACTOR).plus(_BYTES.scaled(TEXT_FACTOR)).plus(ONE)
    if call.overload == "cidr_contains_cidr_string":
        cost = cost.plus(call.arguments[0].bounds.scaled(TEXT_FACTOR))
    return Estimate(cost)


def _validate(call: Invocation) -> Estimate | None:
    if not call.arguments:
        return None
    return Estimate(call.arguments[0].bounds.scaled(TEXT_FACTOR).scaled(_FORMAT_REGEX * REGEX_FACTOR))


def _equals(call: Invocation) -> Estimate | None:
    if len(call.arguments) != 2:  # noqa: PLR2004
        return None
    left, right = call.arguments
    if left.type != right.type or left.type.kind not in (TypeKind.OBJECT, TypeKind.OPAQUE):
        return None
    if left.type.name in _ATOMS:
        return Estimate(ONE)
    if left.type.name == "kubernetes.NamedFormat":
        return Estimate(Range(1, _LARGEST_FORMAT).scaled(TEXT_FACTOR))
    if left.type.name == "kubernetes.URL":
        # The server takes the size of the right one for both.
        return Estimate(Range(1, 1 if right.size is None else right.size.max).scaled(TEXT_FACTOR))
    return None


def _slice(call: Invocation) -> Estimate | None:
    if call.target is None:
        return None
    start, end = (_count(each) for each in call.arguments)
    end = call.target.bounds.max if end is None else end
    return _allocating(1, Range.exactly(end - (start or 0) & MOST))


def _range(call: Invocation) -> Estimate:
    count = _count(call.arguments[0])
    return _allocating(1, Range.exactly(MOST if count is None else count))


def _reverse(call: Invocation) -> Estimate | None:
    return _allocating(1, call.target.bounds) if call.target else None


def _flatten(call: Invocation) -> Estimate | None:
    if call.target is None:
        return None
    depth = _count(call.arguments[0]) if call.arguments else 1
    return _allocating(float(MOST if depth is None else depth), call.target.bounds)


def _distinct(call: Invocation) -> Estimate | None:
    return _allocating(2, call.target.bounds.times(call.target.bounds)) if call.target else None


def _sort(call: Invocation) -> Estimate | None:
    keys = call.arguments[0] if call.arguments else call.target
    if keys is None:
        return None
    is_text = call.overload.startswith(("list_string_", "list_bytes_"))
    return _allocating(2 + TEXT_FACTOR if is_text else 2, keys.bounds.times(keys.bounds))


def _sets(call: Invocation) -> Estimate:
    left, right = call.arguments
    factor = 2 if call.overload == "list_sets_equivalent_list" else 1
    return Estimate(left.bounds.times(right.bounds).scaled(factor).plus(ONE))


def _allocating(factor: float, size: Range) -> Estimate:
    return Estimate(size.scaled(factor).plus(ONE).plus(Range.exactly(unit.LIST)), size)


def _integer(operand: Operand) -> int | None:
    """The value of a constant integer."""
    node = operand.expression
    return node.value if isinstance(node, Literal) and type(node.value) is int else None


def _count(operand: Operand) -> int | None:
    found = _integer(operand)
    return None if found is None else max(found, 0)


_ATOMS: Final = frozenset(
    {
        "net.IP",
        "net.CIDR",
        "kubernetes.Quantity",
        "kubernetes.Semver",
        "kubernetes.authorization.Authorizer",
        "kubernetes.authorization.PathCheck",
        "kubernetes.authorization.GroupCheck",
        "kubernetes.authorization.ResourceCheck",
        "kubernetes.authorization.Decision",
    }
)
"""Types whose values are compared at once."""

_BY_OVERLOAD: Final[dict[str, Pricer]] = {
    "list_slice": _slice,
    "list_flatten": _flatten,
    "list_flatten_int": _flatten,
    "lists_range": _range,
    "list_reverse": _reverse,
    "list_distinct": _distinct,
    **{f"list_{of}_{name}": _sort for name in ("sort", "sortByAssociatedKeys") for of in SORTABLE},
    "list_sets_contains_list": _sets,
    "list_sets_intersects_list": _sets,
    "list_sets_equivalent_list": _sets,
}
_BY_FUNCTION: Final[dict[str, Pricer]] = {
    **dict.fromkeys(NOMINAL, _nominal),
    "check": _check,
    **dict.fromkeys(("fieldSelector", "labelSelector"), _selector),
    **dict.fromkeys(TRAVERSING, _traverse),
    **dict.fromkeys(("url", "jsonpatch.escapeKey"), _same_size_argument),
    **dict.fromkeys(("lowerAscii", "upperAscii", "substring", "trim"), _same_size_target),
    "replace": _replace,
    "split": _split,
    "join": _join,
    **dict.fromkeys(("find", "findAll"), _find),
    **dict.fromkeys(READING, _read_argument),
    "ip": _ip,
    "ip.isCanonical": _is_canonical,
    "containsIP": _contains_ip,
    "containsCIDR": _contains_cidr,
    "validate": _validate,
    "_==_": _equals,
}
