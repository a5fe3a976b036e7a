"""The messages of a library of definitions, compiled for reading and writing."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.protobuf.field import Inline, Many, Map, Single
from windlass.apiserver.protobuf.message import Message, SchemaOrFlag, SchemaOrList, TextList
from windlass.apiserver.protobuf.scalar import Bytes, Codec, Flag, Real, Text, Whole
from windlass.apiserver.protobuf.special import SPECIAL
from windlass.apiserver.protobuf.undefined import UNDEFINED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from windlass.apiserver.protobuf.field import Field
    from windlass.schema import Library

    Schema = Mapping[str, Any]
    Members = Sequence[tuple[Sequence[int], str, Schema]]
    """Fields, each with the numbers that lead to it, its name in JSON, and its schema."""

_SCHEMA: Final = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps"
_SIMPLE: Final[Mapping[tuple[str, str], Callable[[], Codec]]] = {
    ("array", ""): TextList,
    ("boolean", ""): Flag,
    ("integer", "int32"): lambda: Whole(32),
    ("integer", "int64"): lambda: Whole(64),
    ("number", "double"): Real,
    ("string", ""): Text,
    ("string", "byte"): Bytes,
}
_TEXT_LISTS: Final = frozenset({"v1.ExtraValue", "v1.Verbs"})
_EMBEDDED: Final = frozenset({"v1.ObjectMeta", "v1.ListMeta"})


class Messages:
    """The messages of definitions by their names, made as they are asked for and kept.

    The definitions must carry the facts of the Go types, as those of `windlass.apiserver.builtin` do.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._messages: dict[str, Message] = {}

    def message(self, definition: str) -> Message:
        """The message of a definition that is a struct.

        Raises:
            KeyError: there is no such definition.
        """
        found = self._messages.get(definition)
        if found is None:
            schema = UNDEFINED.get(definition) or self._library.shape(definition).schema
            found = Message(schema["x-go-struct"], lambda: self._fields(_members(schema)))
            self._messages[definition] = found
        return found

    def _fields(self, members: Members) -> Iterator[Field]:
        """The fields of a message; those that JSON has from an embedded struct are one field together."""
        inlined: dict[int, list[tuple[Sequence[int], str, Schema]]] = {}
        for (number, *rest), name, schema in members:
            if rest:
                inlined.setdefault(number, []).append((rest, name, schema))
            else:
                yield self._field(number, name, schema)
        for number, inner in inlined.items():
            left, _, schema = inner[0]
            go = schema["x-go-embedded"].split(".")[-len(left)]
            yield Inline(number, go, Message(go, partial(self._fields, inner)))

    def _field(self, number: int, name: str, schema: Schema) -> Field:
        go = schema["x-go"]
        shown = go.removeprefix("v1.") if go in _EMBEDDED else name[:1].upper() + name[1:]
        kind = schema.get("type")
        if kind == "array" and go not in _TEXT_LISTS:
            return Many(number, shown, name, self._codec(schema["items"]))
        if kind == "object" and "$ref" not in schema:
            return Map(number, shown, name, self._codec(schema["additionalProperties"]))
        return Single(number, shown, name, self._codec(schema), pointer=go.startswith("*"))

    def _codec(self, schema: Schema) -> Codec:
        if "$ref" in schema:
            return self._referred(schema["$ref"])
        return _SIMPLE[schema["type"], schema.get("format", "")]()

    def _referred(self, definition: str) -> Codec:
        if definition in SPECIAL:
            return SPECIAL[definition]()
        schema = partial(self.message, _SCHEMA)
        match definition.removeprefix(_SCHEMA):
            case "OrBool":
                return SchemaOrFlag(schema)
            case "OrArray":
                return SchemaOrList(schema, schema)
            case "OrStringArray":
                return SchemaOrList(schema, Text)
        return self.message(definition)


@cache
def builtin_messages() -> Messages:
    """The messages of the built-in kinds."""
    from windlass.apiserver.builtin import library

    return Messages(library())


def _members(schema: Schema) -> Members:
    """The fields that are in the message: the kind is not, its envelope has it."""
    return [
        (number if isinstance(number, list) else [number], name, inner)
        for name, inner in schema.get("properties", {}).items()
        if (number := inner.get("x-proto")) is not None
    ]
