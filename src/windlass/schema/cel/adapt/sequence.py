"""Lists, of which some are sets and some are maps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from typing_extensions import override

from windlass.schema.cel.adapt.container import raw
from windlass.schema.cel.operation import equal, is_list
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
    go_name: ClassVar[str] = "*common.unstructuredList"

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

    def joined(self, other: Sequence[Value]) -> Self:
        """This list and another one, whose elements become those of this list's schema.

        As on the server, that fails where a schema makes something else of a text: a timestamp is not the
        text that the schema wants, and whoever looks at such an element is told so.
        """
        return self._made([*self.raw, *map(raw, other)])

    def _made(self, values: list[Any]) -> Self:
        """Such a list of other values."""
        return type(self)(values, self._adapt)

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


class AdaptedSet(AdaptedList):
    """A list of type `set`: the order does not matter, and nothing comes twice."""

    __slots__ = ()

    go_name: ClassVar[str] = "*common.unstructuredSetList"

    @override
    def _agrees(self, other: Sequence[Value]) -> bool:
        own = set(map(self._key, self.raw))
        return all(self._key(raw(each)) in own for each in other)

    @override
    def joined(self, other: Sequence[Value]) -> Self:
        """What the other list has besides follows."""
        together = {self._key(each): each for each in self.raw}
        for each in map(raw, other):
            together.setdefault(self._key(each), each)
        return self._made(list(together.values()))

    def _key(self, value: Any) -> Any:
        """What tells a JSON value from others."""
        return frozen(value)


class AdaptedMapList(AdaptedSet):
    """A list of type `map`, whose elements are told apart by some of their fields."""

    __slots__ = ("_names",)

    go_name: ClassVar[str] = "*common.unstructuredMapList"

    def __init__(self, values: list[Any], adapt: Callable[[Any], Value], names: tuple[str, ...]) -> None:
        super().__init__(values, adapt)
        self._names = names

    @override
    def _agrees(self, other: Sequence[Value]) -> bool:
        own = {self._key(each): each for each in self.raw}
        for each in other:
            found = own.get(self._key(raw(each)), ABSENT)
            if found is ABSENT or not equal(self._adapt(found), each):
                return False
        return True

    @override
    def joined(self, other: Sequence[Value]) -> Self:
        """Those of the other list take the places of those with the same key, or follow."""
        together = {self._key(each): each for each in self.raw}
        together.update((self._key(each), each) for each in map(raw, other))
        return self._made(list(together.values()))

    @override
    def _made(self, values: list[Any]) -> Self:
        return type(self)(values, self._adapt, self._names)

    @override
    def _key(self, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return frozen(value)
        return tuple(frozen(value.get(name)) for name in self._names)


def frozen(value: Any) -> Any:
    """Something that is hashed and compared as a JSON value is; `true` is not 1."""
    if isinstance(value, Mapping):
        return frozenset((key, frozen(each)) for key, each in value.items())
    if is_list(value):
        return tuple(map(frozen, value))
    return (type(value) is bool, value)
