"""How structs, lists and maps are read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver.decode.node import Bytes, Node, sort
from windlass.apiserver.decode.problem import DecodeError
from windlass.apiserver.go_json import Repeated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from windlass.apiserver.decode.problem import Notes, Path

_NUMBER: Final = attrgetter("number")


@dataclass(slots=True, frozen=True)
class Field:
    """A field of a struct.

    `shown` is its name as errors have it, with the embedded struct that it comes from; `pointer` tells that
    its zero is not nothing; `kept` that it is written though it is nothing. `number` is its number in
    protobuf, in whose order Go mostly has the fields too.
    """

    name: str
    struct: str
    shown: str
    node: Node
    plain: type | None
    pointer: bool
    kept: bool
    number: int = 0


class Struct(Node):
    """An object whose fields have names. Fields that are nothing are left out of what is read."""

    plain = None
    flat = False

    def __init__(self, go: str, fields: Callable[[], Iterable[Field]]) -> None:
        self._go = go
        self._compile = fields

    @property
    def zero(self) -> dict[str, Any]:
        """A new object each time."""
        return {}

    @cached_property
    def fields(self) -> dict[str, Field]:
        """The fields by name, made when they are first asked for, since types refer to each other."""
        return {field.name: field for field in self._compile()}

    @override
    def read(self, value: Any, path: Path, notes: Notes) -> Any:
        if type(value) is not dict:
            return self._read_unusual(value, path, notes)
        fields, found = self.fields, {}
        for name, item in value.items():
            field = fields.get(name)
            if field is None:
                notes.unknown(path, name)
            elif type(item) is field.plain:
                if item or field.pointer:
                    found[name] = item
            elif item is not None:
                read = field.node.read(item, (path, field), notes)
                if read or (field.pointer and read is not None):
                    found[name] = read
        return found

    def _read_unusual(self, value: Any, path: Path, notes: Notes) -> Any:
        """What is no object, and an object with repeated fields: a later object is merged into an earlier."""
        if not isinstance(value, Repeated):
            notes.mismatch(path, value, self._go)
            return None
        found: dict[str, Any] = {}
        seen: set[str] = set()
        for name, item in value.pairs:
            if name in seen and name in self.fields:
                notes.repeated(path, name)
            seen.add(name)
            if item is None:
                self._forget(name, found)
            read = self.read({name: item}, path, notes)
            found |= {key: _merged(found.get(key), each) for key, each in read.items()}
        return found

    def _forget(self, name: str, found: dict[str, Any]) -> None:
        """A later `null` takes away what Go has a pointer to; other values it leaves as they are."""
        field = self.fields.get(name)
        if field is not None and (field.pointer or field.node.zero is None or isinstance(field.node, Bytes)):
            found.pop(name, None)

    @cached_property
    def _kept(self) -> list[Field]:
        return [field for field in self.fields.values() if field.kept]

    @cached_property
    def _inner(self) -> list[tuple[str, Node]]:
        return [(field.name, field.node) for field in self.fields.values() if not field.node.flat]

    @override
    def complete(self, value: Any) -> None:
        for field in self._kept:
            if field.name not in value:
                value[field.name] = None if field.pointer else field.node.zero
        for name, node in self._inner:
            inner = value.get(name)
            if inner is not None:
                node.complete(inner)

    @override
    def convert(self, value: Any) -> Any:
        if not isinstance(value, dict):
            raise DecodeError(f"cannot restore struct from: {sort(value)}")
        converted = {
            field.name: field.node.convert(value[field.name])
            for field in sorted(self.fields.values(), key=_NUMBER)
            if value.get(field.name) is not None
        }
        return value | converted


class ListOf(Node):
    """A list."""

    zero: Any = None
    plain = None

    def __init__(self, go: str, item: Node) -> None:
        self._go = go
        self._item = item
        self.flat = item.flat

    @override
    def read(self, value: Any, path: Path, notes: Notes) -> Any:
        if type(value) is not list:
            notes.mismatch(path, value, self._go)
            return None
        node, found = self._item, value
        kind = node.plain
        for place, item in enumerate(value):
            if type(item) is not kind:
                if found is value:  # which a refusal shows as it was
                    found = value.copy()
                found[place] = node.zero if item is None else node.read(item, (path, place), notes)
        return found

    @override
    def complete(self, value: Any) -> None:
        for item in value:
            self._item.complete(item)

    @override
    def convert(self, value: Any) -> Any:
        if not isinstance(value, list):
            raise DecodeError(f"cannot restore slice from {sort(value)}")
        return [None if item is None else self._item.convert(item) for item in value]


class MapOf(Node):
    """An object with keys of one's own."""

    zero: Any = None
    plain = None

    def __init__(self, go: str, value: Node) -> None:
        self._go = go
        self._value = value
        self.flat = value.flat

    @override
    def read(self, value: Any, path: Path, notes: Notes) -> Any:
        if type(value) is not dict:
            return self._read_unusual(value, path, notes)
        node, found = self._value, value
        kind, zero = node.plain, None if isinstance(node, Bytes) else node.zero
        for key, item in value.items():
            if type(item) is not kind:
                if found is value:
                    found = value.copy()
                found[key] = zero if item is None else node.read(item, (path, key), notes)
        return found

    def _read_unusual(self, value: Any, path: Path, notes: Notes) -> Any:
        if not isinstance(value, Repeated):
            notes.mismatch(path, value, self._go)
            return None
        found: dict[str, Any] = {}
        for key, item in value.pairs:
            if key in found:
                notes.repeated(path, key)
            found |= self.read({key: item}, path, notes)
        return found

    @override
    def complete(self, value: Any) -> None:
        for item in value.values():
            self._value.complete(item)

    @override
    def convert(self, value: Any) -> Any:
        if not isinstance(value, dict):
            raise DecodeError(f"cannot restore map from {sort(value)}")
        return {key: None if item is None else self._value.convert(item) for key, item in value.items()}


def _merged(old: Any, new: Any) -> Any:
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    return old | {name: _merged(old.get(name), item) for name, item in new.items()}
