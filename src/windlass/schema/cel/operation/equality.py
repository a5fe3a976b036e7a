"""When two values are equal, and what a container holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from windlass.schema.cel.operation.number import is_number
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import Type
from windlass.schema.cel.value import ABSENT, Duration, Optional, Timestamp, Uint

if TYPE_CHECKING:
    from windlass.schema.cel.value import Value

_COMPARABLE: Final = frozenset({str, int, bool, bytes, float, type(None), Uint, Duration, Timestamp})
"""Types of which Python and CEL agree what is equal."""

KEYS: Final = frozenset({str, int, Uint, bool, float, type(None), Timestamp, Duration, Type})
"""Python's types of what can be a key of a map."""


class Comparing(Protocol):
    """A value that has an opinion of its own about what it is equal to."""

    def equals(self, other: Value) -> bool:
        """Whether it is equal to another.

        Raises:
            EvaluationError: the two cannot be compared.
        """


class Finding(Protocol):
    """A map that looks up keys in its own way."""

    def lookup(self, key: Value) -> Value:
        """What the map has at a key; `ABSENT` if nothing.

        Raises:
            EvaluationError: there can be no such key, or the value is broken.
        """


def equal(left: Value, right: Value) -> bool:
    """Whether two values are equal; values of different types are not, but for numbers.

    Raises:
        EvaluationError: the left one cannot be compared with the right one.
    """
    kind: type = type(left)
    if kind in _COMPARABLE:
        if kind is type(right):
            return bool(left == right)
        return is_number(left) and is_number(right) and _equal_numbers(left, right)
    if right is None:
        return False
    own: Comparing | None = left if hasattr(left, "equals") else None
    return own.equals(right) if own is not None else _equal_structures(left, right)


def _equal_numbers(left: Value, right: Value) -> bool:
    if isinstance(left, float) or isinstance(right, float):
        return float(left) == float(right)
    return bool(left == right)


def _equal_structures(left: Value, right: Value) -> bool:
    match left:
        case Type():
            return isinstance(right, Type) and left.name == right.name
        case Optional():
            return isinstance(right, Optional) and _equal_optionals(left, right)
        case Mapping():
            return isinstance(right, Mapping) and _equal_maps(left, right)
        case Sequence():
            return is_list(right) and len(left) == len(right) and all(map(equal, left, right))
    return bool(left == right)


def _equal_optionals(left: Optional, right: Optional) -> bool:
    if left.is_present and right.is_present:
        return equal(left.value, right.value)
    return left.is_present == right.is_present


def _equal_maps(left: Mapping[Any, Any], right: Mapping[Any, Any]) -> bool:
    if len(left) != len(right):
        return False
    for key, value in left.items():
        other = find(right, key)
        if other is ABSENT or not equal(value, other):
            return False
    return True


def is_list(value: Value) -> bool:
    """Whether a value is a list."""
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def find(container: Mapping[Any, Any], key: Value) -> Value:
    """What a map has at a key; `ABSENT` if nothing. `1`, `1u` and `1.0` are the same key, `true` is another.

    Raises:
        EvaluationError: the map says that there can be no such key.
    """
    if type(container) is not dict and (own := getattr(container, "lookup", None)) is not None:
        return own(key)
    if type(key) is str:
        return container.get(key, ABSENT)
    if type(key) not in KEYS or key not in container:
        return ABSENT
    # Python takes True and 1 for the same key.
    if key in (0, 1) and all((type(has) is bool) != (type(key) is bool) for has in container if has == key):
        return ABSENT
    return container[key]


def contains(container: Value, sought: Value) -> bool:
    """Whether a list has an element, or a map a key.

    Raises:
        EvaluationError: it is neither.
    """
    if isinstance(container, Mapping):
        return find(container, sought) is not ABSENT
    if not is_list(container):
        raise EvaluationError("no such overload")
    return _asking(container, sought) if hasattr(container, "equals") else _asked(sought, container)


def _asked(sought: Value, values: Sequence[Value]) -> bool:
    """Whether a value says that it is equal to one of a list; what it cannot be compared with it is not."""
    for each in values:
        try:
            if equal(sought, each):
                return True
        except EvaluationError:
            continue
    return False


def _asking(values: Sequence[Value], sought: Value) -> bool:
    """Whether one of a list says that it is equal to a value; they complain if it is none of theirs."""
    refused = None
    for each in values:
        try:
            if equal(each, sought):
                return True
        except EvaluationError as error:
            refused = refused or error
    if refused is not None:
        raise refused
    return False
