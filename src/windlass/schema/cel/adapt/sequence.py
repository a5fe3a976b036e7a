"""Lists, of which some are sets and some are maps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from typing_extensions import override

from windlass.schema.cel.adapt.container import raw
from windlass.schema.cel.operation import equal, find, is_list
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import DYN, Type, list_of
from windlass.schema.cel.value import ABSENT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from windlass.schema.cel.value import Value


class AdaptedList(Sequence[Any]):
    """A list of values of one schema."""

    __slots__ = ("_adapt", "raw")

    cel_type: ClassVar[Type] = list_of(DYN)

    def __init__(self, values: list[Any], adapt: Callable[[Any], Value]) -> None:
        self.raw = values
        self._adapt = adapt

    def equals(self, other: Value) -> bool:
        """Whether another list has the same elements, as the type of this list sees it.

        Raises:
            EvaluationError: it is no list.
        """
        if not is_list(other):
            raise EvaluationError("no such overload")
        return len(self) == len(other) and self._agrees(other)

    def _agrees(self, other: Sequence[Value]) -> bool:
        return all(map(equal, self, other))

    def joined(self, other: Sequence[Value]) -> Value:
        """This list and another one, as the type of this list puts them together."""
        return [*self, *other]

    @override
    def __getitem__(self, index: Any) -> Any:
        if type(index) is slice:
            return [*map(self._adapt, self.raw[index])]
        return self._adapt(self.raw[index])

    @override
    def __iter__(self) -> Iterator[Any]:
        return map(self._adapt, self.raw)

    @override
    def __len__(self) -> int:
        return len(self.raw)


class KeyedList(AdaptedList):
    """A list whose elements are told apart by a key: the order does not matter, and no key comes twice."""

    __slots__ = ()

    def _key(self, value: Value) -> Any:
        """What tells an element from others."""
        return frozen(raw(value))

    @override
    def _agrees(self, other: Sequence[Value]) -> bool:
        own = {self._key(each): each for each in self}
        return all(self._same(own.get(self._key(each), ABSENT), each) for each in other)

    def _same(self, own: Value, other: Value) -> bool:
        return own is not ABSENT and equal(own, other)

    @override
    def joined(self, other: Sequence[Value]) -> Self:
        """Those of the other list take the places of those with the same key, or follow."""
        together = {self._key(each): each for each in self}
        together.update((self._key(each), each) for each in other)
        return self._made(list(together.values()))

    def _made(self, values: list[Value]) -> Self:
        """Such a list of values that are adapted already."""
        return type(self)(values, _same)


class AdaptedSet(KeyedList):
    """A list of type `set`."""

    __slots__ = ()


class AdaptedMapList(KeyedList):
    """A list of type `map`, whose elements are told apart by some of their fields."""

    __slots__ = ("_names",)

    def __init__(self, values: list[Any], adapt: Callable[[Any], Value], names: tuple[str, ...] = ()) -> None:
        super().__init__(values, adapt)
        self._names = names

    @override
    def _key(self, value: Value) -> Any:
        if not isinstance(value, Mapping):
            return frozen(raw(value))
        return tuple(None if (part := find(value, name)) is ABSENT else frozen(part) for name in self._names)

    @override
    def _made(self, values: list[Value]) -> Self:
        return type(self)(values, _same, self._names)


def frozen(value: Any) -> Any:
    """Something that is hashed and compared as a JSON value is; `true` is not 1."""
    if isinstance(value, Mapping):
        return frozenset((key, frozen(each)) for key, each in value.items())
    if is_list(value):
        return tuple(map(frozen, value))
    return (type(value) is bool, value)


def _same(value: Any) -> Any:
    return value
