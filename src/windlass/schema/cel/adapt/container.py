"""Objects and maps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from typing_extensions import override

from windlass.schema.cel.operation import equal, find
from windlass.schema.cel.problem import EvaluationError
from windlass.schema.cel.type import DYN, Type, map_of, opaque
from windlass.schema.cel.value import ABSENT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from windlass.schema.cel.value import Value


def raw(value: Value) -> Any:
    """The JSON value behind a value."""
    return getattr(value, "raw", value)


class Unknown:
    """A value that a schema preserves without describing it: it can be compared, and nothing else."""

    __slots__ = ("raw",)

    cel_type: ClassVar[Type] = opaque("unknown")

    def __init__(self, value: Any) -> None:
        self.raw = value

    def equals(self, other: Value) -> bool:
        """Whether the JSON values are the same."""
        return bool(self.raw == raw(other))


class AdaptedMap(Mapping[Any, Any]):
    """A map from texts to values of one schema."""

    __slots__ = ("_adapt", "raw")

    cel_type: ClassVar[Type] = map_of(DYN, DYN)
    go_name: ClassVar[str] = "*common.unstructuredMap"

    def __init__(self, value: dict[str, Any], adapt: Callable[[Any], Value]) -> None:
        self.raw = value
        self._adapt = adapt

    def lookup(self, key: Value) -> Value:
        """The value of a key; `ABSENT` if it has none.

        Raises:
            EvaluationError: the key is no text, or the value is broken.
        """
        if type(key) is not str:
            raise EvaluationError("no such overload")
        value = self.raw.get(key, ABSENT)
        return value if value is ABSENT else self._adapt(value)

    def equals(self, other: Value) -> bool:
        """Whether another map has the same keys and values.

        Raises:
            EvaluationError: it is no map.
        """
        if not isinstance(other, Mapping):
            raise EvaluationError("no such overload")
        return len(self.raw) == len(other) and all(self._agrees(name, other) for name in self.raw)

    def _agrees(self, name: str, other: Mapping[Any, Any]) -> bool:
        value, theirs = self.lookup(name), find(other, name)
        if value is ABSENT or theirs is ABSENT:
            return value is theirs
        return equal(value, theirs)

    @override
    def __getitem__(self, key: Any) -> Any:
        found = self.lookup(key)
        if found is ABSENT:
            raise KeyError(key)
        return found

    @override
    def __contains__(self, key: Any) -> bool:
        return self.lookup(key) is not ABSENT

    @override
    def __iter__(self) -> Iterator[Any]:
        return iter(self.raw)

    @override
    def __len__(self) -> int:
        return len(self.raw)


class Lazy:
    """Has what adapts values, and makes it when it is first needed.

    Most fields of a large schema are never looked at, and a schema may contain itself.
    """

    __slots__ = ("_make", "adapt")

    def __init__(self, make: Callable[[], Callable[[Any], Value]]) -> None:
        self._make = make
        self.adapt: Callable[[Any], Value] = self._first

    def _first(self, value: Any) -> Value:
        if self.adapt == self._first:
            self.adapt = self._make()
        return self.adapt(value)


class Field(Lazy):
    """A field of an object: its name in JSON, its spelling in expressions, and what adapts its value."""

    __slots__ = ("name", "spelling")

    def __init__(self, name: str, spelling: str, make: Callable[[], Callable[[Any], Value]]) -> None:
        super().__init__(make)
        self.name = name
        self.spelling = spelling


class AdaptedObject(AdaptedMap):
    """An object with named fields. A field that is null is not there, nor one that the schema lacks.

    `fields` has each field by its name and by its spelling.
    """

    __slots__ = ("_fields",)

    def __init__(self, value: dict[str, Any], fields: Mapping[str, Field]) -> None:
        self.raw = value
        self._fields = fields

    @override
    def lookup(self, key: Value) -> Value:
        try:
            field = self._fields.get(key)
        except TypeError:
            field = None
        if field is None:
            if type(key) is str:
                return ABSENT
            raise EvaluationError("no such overload")
        value = self.raw.get(field.name)
        return ABSENT if value is None else field.adapt(value)

    @override
    def _agrees(self, name: str, other: Mapping[Any, Any]) -> bool:
        if name in self._fields:
            return super()._agrees(name, other)
        if not isinstance(other, AdaptedMap):
            raise EvaluationError("no such overload")
        return name not in other.raw or bool(self.raw[name] == other.raw[name])

    @override
    def __iter__(self) -> Iterator[Any]:
        # Only what can be looked up in turn.
        fields = self._fields
        return iter(
            [
                fields[name].spelling
                for name, value in self.raw.items()
                if value is not None and name in fields
            ]
        )
