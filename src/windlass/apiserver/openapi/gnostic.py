"""The older document as a protobuf message, which is how clients written in Go ask for it.

The messages are those of gnostic's OpenAPIv2: a table says for each what number a member has and how it is
written. Members are written in the order of the document, which protobuf leaves free.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import Any, Final

import orjson

from windlass.apiserver.protobuf.wire import DELIMITED, FIXED64, VARINT, delimited, tag, varint

Write = Callable[[int, Any], bytes]
Members = Mapping[str, tuple[int, Write]]

_EXTENSION: Final = "x-"


def write_document(document: Mapping[str, Any]) -> bytes:
    """A document of OpenAPI v2 as a message."""
    return _members(_DOCUMENT, document)


def _members(members: Members, value: Mapping[str, Any]) -> bytes:
    """A message; extensions go into the member of that name, unknown members are left out."""
    written = []
    for key, inner in value.items():
        if key in members:
            number, write = members[key]
            written.append(write(number, inner))
        elif key.startswith(_EXTENSION) and _EXTENSION in members:
            number, write = members[_EXTENSION]
            written.append(write(number, (key, inner)))
    return b"".join(written)


def _content(number: int, content: bytes) -> bytes:
    return tag(number, DELIMITED) + delimited(content)


def _text(number: int, value: str) -> bytes:
    return _content(number, value.encode())


def _texts(number: int, values: list[str]) -> bytes:
    return b"".join(_text(number, value) for value in values)


def _flag(number: int, value: bool) -> bytes:  # noqa: FBT001 - a value like any other
    return tag(number, VARINT) + varint(int(value))


def _integer(number: int, value: float) -> bytes:
    return tag(number, VARINT) + varint(int(value))


def _double(number: int, value: float) -> bytes:
    return tag(number, FIXED64) + struct.pack("<d", value)


def _anything(number: int, value: Any) -> bytes:
    """A value of no fixed type is YAML in there, and JSON is YAML."""
    return _content(number, _content(2, orjson.dumps(value)))


def _extension(number: int, named: tuple[str, Any]) -> bytes:
    name, value = named
    return _content(number, _text(1, name) + _anything(2, value))


def _one(members: Members, *inside: int) -> Write:
    """A message, within messages that hold nothing else, each by its number, the outermost first."""

    def write(number: int, value: Mapping[str, Any]) -> bytes:
        content = _members(members, value)
        for outer in reversed(inside):
            content = _content(outer, content)
        return _content(number, content)

    return write


def _many(write: Write) -> Write:
    return lambda number, values: b"".join(write(number, value) for value in values)


def _named(write: Write) -> Write:
    """A map: one message for each name and its value."""

    def write_all(number: int, values: Mapping[str, Any]) -> bytes:
        return b"".join(_content(number, _text(1, name) + write(2, value)) for name, value in values.items())

    return write_all


def _properties(number: int, values: Mapping[str, Any]) -> bytes:
    return _content(number, _named(_schema)(1, values))


def _additional(number: int, value: Any) -> bytes:
    return _content(number, _flag(2, value) if isinstance(value, bool) else _schema(1, value))


def _items(number: int, value: Any) -> bytes:
    return _content(number, _schema(1, value))


def _type(number: int, value: str | list[str]) -> bytes:
    return _content(number, _texts(1, [value] if isinstance(value, str) else value))


def _parameter(number: int, value: Mapping[str, Any]) -> bytes:
    """A parameter is in one of four places besides the body, and is another message in each."""
    place = value["in"]
    if place == "body":
        return _one(_BODY, 1, 1)(number, value)
    members, kind = (_QUERY, 3) if place == "query" else (_PATH, 4 if place == "path" else 1)
    return _one(members, 1, 2, kind)(number, value)


def _answers(number: int, values: Mapping[str, Any]) -> bytes:
    return _content(number, _named(_one(_ANSWER, 1))(1, values))


def _paths(number: int, values: Mapping[str, Any]) -> bytes:
    return _content(number, _named(_one(_PATH_ITEM))(2, values))


_LIMITS: Final[tuple[tuple[str, Write], ...]] = (
    ("default", _anything),
    ("maximum", _double),
    ("exclusiveMaximum", _flag),
    ("minimum", _double),
    ("exclusiveMinimum", _flag),
    ("maxLength", _integer),
    ("minLength", _integer),
    ("pattern", _text),
    ("maxItems", _integer),
    ("minItems", _integer),
    ("uniqueItems", _flag),
    ("enum", _many(_anything)),
    ("multipleOf", _double),
    (_EXTENSION, _extension),
)


def _limited(first: int) -> dict[str, tuple[int, Write]]:
    """The members that limit a simple value, which have consecutive numbers."""
    return {name: (number, write) for number, (name, write) in enumerate(_LIMITS, first)}


_SCHEMA: Final[dict[str, tuple[int, Write]]] = {
    "$ref": (1, _text),
    "format": (2, _text),
    "title": (3, _text),
    "description": (4, _text),
    "default": (5, _anything),
    "multipleOf": (6, _double),
    "maximum": (7, _double),
    "exclusiveMaximum": (8, _flag),
    "minimum": (9, _double),
    "exclusiveMinimum": (10, _flag),
    "maxLength": (11, _integer),
    "minLength": (12, _integer),
    "pattern": (13, _text),
    "maxItems": (14, _integer),
    "minItems": (15, _integer),
    "uniqueItems": (16, _flag),
    "maxProperties": (17, _integer),
    "minProperties": (18, _integer),
    "required": (19, _texts),
    "enum": (20, _many(_anything)),
    "additionalProperties": (21, _additional),
    "type": (22, _type),
    "items": (23, _items),
    "properties": (25, _properties),
    "externalDocs": (29, _one({"description": (1, _text), "url": (2, _text)})),
    "example": (30, _anything),
    _EXTENSION: (31, _extension),
}
_schema: Final = _one(_SCHEMA)
_BODY: Final[Members] = {
    "description": (1, _text),
    "name": (2, _text),
    "in": (3, _text),
    "required": (4, _flag),
    "schema": (5, _schema),
    _EXTENSION: (6, _extension),
}
_PLACED: Final[Members] = {
    "required": (1, _flag),
    "in": (2, _text),
    "description": (3, _text),
    "name": (4, _text),
}
_PATH: Final[Members] = {**_PLACED, "type": (5, _text), "format": (6, _text), **_limited(9)}
_QUERY: Final[Members] = {**_PLACED, "type": (6, _text), "format": (7, _text), **_limited(10)}
_ANSWER: Final[Members] = {"description": (1, _text), "schema": (2, _one(_SCHEMA, 1))}
_OPERATION: Final[Members] = {
    "tags": (1, _texts),
    "summary": (2, _text),
    "description": (3, _text),
    "operationId": (5, _text),
    "produces": (6, _texts),
    "consumes": (7, _texts),
    "parameters": (8, _many(_parameter)),
    "responses": (9, _answers),
    "schemes": (10, _texts),
    "deprecated": (11, _flag),
    _EXTENSION: (13, _extension),
}
_operation: Final = _one(_OPERATION)
_PATH_ITEM: Final[Members] = {
    "get": (2, _operation),
    "put": (3, _operation),
    "post": (4, _operation),
    "delete": (5, _operation),
    "options": (6, _operation),
    "head": (7, _operation),
    "patch": (8, _operation),
    "parameters": (9, _many(_parameter)),
    _EXTENSION: (10, _extension),
}
_DOCUMENT: Final[Members] = {
    "swagger": (1, _text),
    "info": (2, _one({"title": (1, _text), "version": (2, _text), "description": (3, _text)})),
    "paths": (8, _paths),
    "definitions": (9, lambda number, values: _content(number, _named(_schema)(1, values))),
}
