"""The fields of a message: one value, several, a map, or a message whose fields JSON has in its place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol

from typing_extensions import override

from windlass.apiserver.protobuf.wire import DELIMITED, VARINT, delimited, entries, read_varint, tag

if TYPE_CHECKING:
    from windlass.apiserver.protobuf.message import Message
    from windlass.apiserver.protobuf.scalar import Codec

Object = dict[str, Any]

_KEY: Final = 1 << 3 | DELIMITED
_VALUE: Final = 2


class Field(Protocol):
    """A field of a message, between the message and the object that JSON has for it.

    `go` is its name in errors.
    """

    number: int
    go: str

    @property
    def wires(self) -> tuple[int, ...]:
        """In which ways its values may be delimited."""
        ...

    def read(self, raw: Any, found: Object) -> None:
        """Put a value into the object."""
        ...

    def write(self, obj: Object) -> bytes:
        """The field of an object with its tag, empty where Go writes none."""
        ...


@dataclass
class Single(Field):
    """A field that has one value.

    Where Go has no pointer it is always written, and its zero is nothing.
    """

    number: int
    go: str
    name: str
    codec: Codec
    pointer: bool

    def __post_init__(self) -> None:
        self._tag = tag(self.number, self.codec.wire)
        self._keeps = self.pointer or self.codec.zero is None

    @property
    @override
    def wires(self) -> tuple[int, ...]:
        return (self.codec.wire,)

    @override
    def read(self, raw: Any, found: Object) -> None:
        value = self.codec.read(raw, found.get(self.name))
        if value or (self._keeps and value is not None):
            found[self.name] = value
        else:
            found.pop(self.name, None)

    @override
    def write(self, obj: Object) -> bytes:
        value = obj.get(self.name)
        return self._absent if value is None else self._tag + self.codec.write(value)

    @cached_property
    def _absent(self) -> bytes:
        # Only now: types refer to each other.
        return b"" if self.pointer or self.codec.nil else self._tag + self.codec.write(self.codec.zero)


@dataclass
class Many(Field):
    """A field that is there once for each item of a list."""

    number: int
    go: str
    name: str
    codec: Codec

    def __post_init__(self) -> None:
        self._tag = tag(self.number, self.codec.wire)

    @property
    @override
    def wires(self) -> tuple[int, ...]:
        return (VARINT, DELIMITED) if self.codec.wire == VARINT else (self.codec.wire,)

    @override
    def read(self, raw: Any, found: Object) -> None:
        items = found.setdefault(self.name, [])
        if self.codec.wire == VARINT and isinstance(raw, bytes):
            self._unpack(raw, items)
        else:
            items.append(self.codec.read(raw, None))

    def _unpack(self, raw: bytes, items: list[Any]) -> None:
        """Numbers may stand in one field, one after the other."""
        at = 0
        while at < len(raw):
            number, at = read_varint(raw, at)
            items.append(self.codec.read(number, None))

    @override
    def write(self, obj: Object) -> bytes:
        items = obj.get(self.name)
        if not items:
            return b""
        before, write = self._tag, self.codec.write
        return b"".join([before + write(item) for item in items])


@dataclass
class Map(Field):
    """A field that is there once for each key of a map; the keys are strings, and written in their order."""

    number: int
    go: str
    name: str
    codec: Codec

    def __post_init__(self) -> None:
        self._tag = tag(self.number, DELIMITED)
        self._value = tag(_VALUE, self.codec.wire)

    @property
    @override
    def wires(self) -> tuple[int, ...]:
        return (DELIMITED,)

    @override
    def read(self, raw: Any, found: Object) -> None:
        key, value = b"", None
        for each, content in entries(raw, self.go):
            if each == _KEY:
                key = content
            elif each == _VALUE << 3 | self.codec.wire:
                value = content
        if value is None:
            value = 0 if self.codec.wire == VARINT else b""
        found.setdefault(self.name, {})[key.decode("utf-8", "replace")] = self.codec.read(value, None)

    @override
    def write(self, obj: Object) -> bytes:
        values = obj.get(self.name)
        if not values:
            return b""
        before, between, write = self._tag, self._value, self.codec.write
        return b"".join(
            [
                before + delimited(b"\n" + delimited(key) + between + write(value))
                for key, value in sorted((key.encode(), value) for key, value in values.items())
            ]
        )


@dataclass
class Inline(Field):
    """A field that holds a message of fields that JSON has beside the others: an embedded struct."""

    number: int
    go: str
    message: Message

    def __post_init__(self) -> None:
        self._tag = tag(self.number, DELIMITED)

    @property
    @override
    def wires(self) -> tuple[int, ...]:
        return (DELIMITED,)

    @override
    def read(self, raw: Any, found: Object) -> None:
        self.message.read(raw, found)

    @override
    def write(self, obj: Object) -> bytes:
        return self._tag + self.message.write(obj)
