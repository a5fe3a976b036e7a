"""Messages: structs, and what JSON has as a list or as one of several types."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver.decode.problem import DecodeError
from windlass.apiserver.protobuf.scalar import Codec, Text
from windlass.apiserver.protobuf.wire import DELIMITED, VARINT, delimited, entries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from windlass.apiserver.protobuf.field import Field

Object = dict[str, Any]

_FIRST: Final = 1 << 3
_SECOND: Final = 2 << 3


class Message(Codec):
    """A struct. Its fields are made when they are first needed, since types refer to each other."""

    wire = DELIMITED
    nil = False

    def __init__(self, go: str, fields: Callable[[], Iterable[Field]]) -> None:
        self._go = go
        self._compile = fields

    @property
    def zero(self) -> Object:
        """A new object each time."""
        return {}

    @override
    def read(self, raw: Any, before: Any) -> Any:
        found: Object = {} if before is None else before
        readers = self._readers
        for tag, value in entries(raw, self._go):
            reader = readers.get(tag)
            if reader is not None:
                reader(value, found)
            elif tag >> 3 in self._names:
                raise DecodeError(f"proto: wrong wireType = {tag & 7} for field {self._names[tag >> 3]}")
        return found

    @override
    def write(self, value: Any) -> bytes:
        return delimited(self.content(value))

    def content(self, obj: Object) -> bytes:
        """The message of an object, without its length."""
        return b"".join([write(obj) for write in self._writers])

    @cached_property
    def _fields(self) -> list[Field]:
        return sorted(self._compile(), key=lambda field: field.number)

    @cached_property
    def _names(self) -> dict[int, str]:
        return {field.number: field.go for field in self._fields}

    @cached_property
    def _readers(self) -> dict[int, Callable[[Any, Object], None]]:
        return {field.number << 3 | wire: field.read for field in self._fields for wire in field.wires}

    @cached_property
    def _writers(self) -> list[Callable[[Object], bytes]]:
        return [field.write for field in self._fields]


class TextList(Codec):
    """A list of strings that is a message of its own, so that none and empty are different."""

    wire = DELIMITED
    zero = None
    nil = True

    def __init__(self) -> None:
        self._item = Text()

    @override
    def read(self, raw: Any, before: Any) -> Any:
        found = before or []
        found += [
            self._item.read(text, None)
            for tag, text in entries(raw, "ExtraValue")
            if tag == _FIRST | DELIMITED
        ]
        return found

    @override
    def write(self, value: Any) -> bytes:
        return delimited(b"".join([b"\n" + self._item.write(text) for text in value or ()]))


class SchemaOrList(Codec):
    """A schema, or in its place a list: of schemas or of strings."""

    wire = DELIMITED
    zero = None
    nil = False

    def __init__(self, schema: Callable[[], Codec], item: Callable[[], Codec]) -> None:
        self._schema = schema
        self._item = item

    @override
    def read(self, raw: Any, before: Any) -> Any:
        schema, items = None, []
        for tag, value in entries(raw, "JSONSchemaPropsOrArray"):
            if tag == _FIRST | DELIMITED:
                schema = self._schema().read(value, schema)
            elif tag == _SECOND | DELIMITED:
                items.append(self._item().read(value, None))
        return items or schema

    @override
    def write(self, value: Any) -> bytes:
        if isinstance(value, dict):
            return delimited(b"\n" + self._schema().write(value))
        return delimited(b"".join([b"\x12" + self._item().write(item) for item in value or ()]))


class SchemaOrFlag(Codec):
    """A schema, or in its place a boolean."""

    wire = DELIMITED
    zero = False
    nil = False

    def __init__(self, schema: Callable[[], Codec]) -> None:
        self._schema = schema

    @override
    def read(self, raw: Any, before: Any) -> Any:
        allows, schema = False, None
        for tag, value in entries(raw, "JSONSchemaPropsOrBool"):
            if tag == _FIRST | VARINT:
                allows = value != 0
            elif tag == _SECOND | DELIMITED:
                schema = self._schema().read(value, schema)
        return allows if schema is None else schema

    @override
    def write(self, value: Any) -> bytes:
        if isinstance(value, dict):
            return delimited(b"\x08\1\x12" + self._schema().write(value))
        return b"\2\x08\1" if value else b"\2\x08\0"
