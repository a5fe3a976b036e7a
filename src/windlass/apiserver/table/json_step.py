"""The JSONPath of `kubectl`, as far as a column of a custom resource may use it: walking it."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

_COMPARISONS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_EQUALITY: Final = frozenset({"==", "!="})


class NotFoundError(LookupError):
    """A path leads nowhere in an object, or cannot be walked in it."""


class Step(Protocol):
    """A part of a path: from the values that were found so far to those below them."""

    def walk(self, values: list[Any]) -> list[Any]:
        """The values that the step leads to.

        Raises:
            NotFoundError: the values are not of a form that the step could be taken in.
        """


@dataclass(frozen=True, slots=True)
class Steps:
    """Steps one after the other."""

    steps: tuple[Step, ...]

    def walk(self, values: list[Any]) -> list[Any]:
        """The values at the end."""
        for step in self.steps:
            values = step.walk(values)
        return values


@dataclass(frozen=True, slots=True)
class Field:
    """`.name`: a member of each object; what has no such member is passed over."""

    name: str

    def walk(self, values: list[Any]) -> list[Any]:
        """The members."""
        return [value[self.name] for value in values if isinstance(value, dict) and self.name in value]


@dataclass(frozen=True, slots=True)
class Wildcard:
    """`.*`: everything right inside."""

    def walk(self, values: list[Any]) -> list[Any]:
        """Members by their names, and items."""
        return [inside for value in values for inside in _inside(value)]


@dataclass(frozen=True, slots=True)
class Descend:
    """`..`: objects and lists at any depth, each before what is in it."""

    def walk(self, values: list[Any]) -> list[Any]:
        """The values themselves and all below them that hold anything."""
        found: list[Any] = []
        for value in values:
            inside = _inside(value)
            if inside:
                found += [value, *self.walk(inside)]
        return found


@dataclass(frozen=True, slots=True)
class Items:
    """`[1]`, `[-1]`, `[1:3]`, `[*]`: items of each list."""

    start: int | None
    stop: int | None
    step: int | None = None
    single: bool = False

    def walk(self, values: list[Any]) -> list[Any]:
        """The items; a position beyond the list is a fault, as in Go."""
        found: list[Any] = []
        for value in values:
            if value is None:
                continue
            if not isinstance(value, list):
                raise NotFoundError
            found += self._of(value)
        return found

    def _of(self, items: list[Any]) -> list[Any]:
        length = len(items)
        start = _position(self.start or 0, length)
        stop = length if self.stop is None else _position(self.stop, length)
        if self.single:
            stop = start + 1
        if start == stop:
            return []
        step = 1 if self.step is None else self.step
        if not 0 <= start < stop <= length or step <= 0:
            raise NotFoundError
        return items[start:stop:step]


@dataclass(frozen=True, slots=True)
class Filter:
    """`[?(@.type=="Ready")]`: the items of each list for which a comparison holds."""

    left: Steps
    operator: str
    right: Steps

    def walk(self, values: list[Any]) -> list[Any]:
        """The items."""
        found: list[Any] = []
        for value in values:
            if not isinstance(value, list):
                raise NotFoundError
            found += [item for item in value if self._holds(item)]
        return found

    def _holds(self, item: Any) -> bool:
        if self.operator == "exists":
            return self._exists(item)
        left, right = self.left.walk([item]), self.right.walk([item])
        if not left or not right:
            return False
        if len(left) > 1 or len(right) > 1:
            raise NotFoundError
        return _compare(self.operator, left[0], right[0])

    def _exists(self, item: Any) -> bool:
        try:
            return bool(self.left.walk([item]))
        except NotFoundError:
            return False


@dataclass(frozen=True, slots=True)
class Union:
    """`[0,2]`: what several steps find, one after the other."""

    paths: tuple[Steps, ...]

    def walk(self, values: list[Any]) -> list[Any]:
        """The values of the first, then those of the second, and so on."""
        return [found for path in self.paths for found in path.walk(values)]


@dataclass(frozen=True, slots=True)
class Literal:
    """A value that stands in the path itself."""

    value: Any

    def walk(self, _values: list[Any]) -> list[Any]:
        """The value."""
        return [self.value]


@dataclass(frozen=True, slots=True)
class Nowhere:
    """A word that means nothing in the path of a column."""

    def walk(self, _values: list[Any]) -> list[Any]:
        """Nothing, ever."""
        raise NotFoundError


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [value[key] for key in sorted(value)]
    return value if isinstance(value, list) else []


def _position(index: int, length: int) -> int:
    return index + length if index < 0 else index


def _compare(name: str, left: Any, right: Any) -> bool:
    """Compare as Go's templates do: only values of one type, and truth values for equality alone."""
    comparable = type(left) is type(right) and isinstance(left, str | bool | int | float)
    if not comparable or name not in _COMPARISONS or (isinstance(left, bool) and name not in _EQUALITY):
        raise NotFoundError
    return _COMPARISONS[name](left, right)
