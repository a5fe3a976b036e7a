"""How structs, lists and maps are read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.apiserver.decode.node import Node
from windlass.apiserver.decode.problem import Repeated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from windlass.apiserver.decode.problem import Notes, Path


@dataclass(slots=True, frozen=True)
class Field:
    """A field of a struct.

    `shown` is its name as errors have it, with the embedded struct that it comes from; `pointer` tells that
    its zero is not nothing; `kept` that it is written though it is nothing.
    """

    name: str
    struct: str
    shown: str
    node: Node
    plain: type | None
    pointer: bool
    kept: bool


class Struct(Node):
    """An object whose fields have names. Fields that are nothing are left out of what is read."""

    plain = None

    def __init__(self, go: str, fields: Callable[[], Iterable[Field]]) -> None:
        self._go = go
        self._compile = fields

    @property
    def zero(self) -> dict[str, Any]:  # type: ignore[override]
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
            read = self.read({name: item}, path, notes)
            found |= {key: _merged(found.get(key), each) for key, each in read.items()}
        return found

    @cached_property
    def _kept(self) -> list[tuple[str, Node | None, Any]]:
        """The fields that are always written: those to fill anew each time, and those with a fixed zero."""
        return [
            (field.name, field.node, None)
            if isinstance(field.node, Struct) and not field.pointer
            else (field.name, None, None if field.pointer else field.node.zero)
            for field in self.fields.values()
            if field.kept
        ]

    @cached_property
    def _inner(self) -> list[tuple[str, Node]]:
        """The fields whose values may have fields to fill."""
        return [
            (field.name, field.node)
            for field in self.fields.values()
            if not isinstance(field.node, (ListOf, MapOf)) or not field.node.flat
            if field.node.complete.__func__ is not Node.complete
        ]

    @override
    def complete(self, value: Any) -> None:
        for name, node, zero in self._kept:
            if name not in value:
                if node is None:
                    value[name] = zero
                else:
                    value[name] = node.zero
        for name, node in self._inner:
            inner = value.get(name)
            if inner is not None:
                node.complete(inner)
