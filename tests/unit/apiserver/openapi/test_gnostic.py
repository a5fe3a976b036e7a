"""The messages are compared with their bytes as gnostic's OpenAPIv2.proto gives them."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from windlass.apiserver.openapi.gnostic import write_document


def field(number: int, *content: bytes | str) -> bytes:
    """A member that is a text or a message, short enough for one byte of length."""
    joined = b"".join(each.encode() if isinstance(each, str) else each for each in content)
    assert number < 16
    assert len(joined) < 128
    return bytes([number << 3 | 2, len(joined)]) + joined


def late(number: int, *content: bytes | str) -> bytes:
    """The same with a number from 16 on, which takes two bytes."""
    return bytes([(number << 3 | 2) & 127 | 128, number >> 4]) + field(1, *content)[1:]


def described(schema: dict[str, Any]) -> bytes:
    return write_document({"definitions": {"A": schema}})


def definition(*schema: bytes) -> bytes:
    return field(9, field(1, field(1, "A"), field(2, *schema)))


def test_a_document_says_what_it_is() -> None:
    document = {"swagger": "2.0", "info": {"title": "T", "version": "1"}}

    assert write_document(document) == field(1, "2.0") + field(2, field(1, "T"), field(2, "1"))


SCHEMAS: dict[str, tuple[dict[str, Any], bytes]] = {
    "reference": ({"$ref": "#/definitions/B"}, field(1, "#/definitions/B")),
    "type": ({"type": "string", "format": "byte"}, late(22, field(1, "string")) + field(2, "byte")),
    "types": ({"type": ["string", "null"]}, late(22, field(1, "string"), field(1, "null"))),
    "items": ({"items": {"format": "x"}}, late(23, field(1, field(2, "x")))),
    "properties": (
        {"properties": {"a": {"format": "x"}, "b": {}}},
        late(25, field(1, field(1, "a"), field(2, field(2, "x"))), field(1, field(1, "b"), field(2))),
    ),
    "map": ({"additionalProperties": {"format": "x"}}, late(21, field(1, field(2, "x")))),
    "open": ({"additionalProperties": True}, late(21, bytes([2 << 3, 1]))),
    "required": ({"required": ["a", "b"]}, late(19, "a") + late(19, "b")),
    "enum": ({"enum": ["a", 1]}, late(20, field(2, '"a"')) + late(20, field(2, "1"))),
    "minimum": ({"minimum": 1.5}, bytes([9 << 3 | 1]) + struct.pack("<d", 1.5)),
    "length": ({"maxLength": 300}, bytes([11 << 3, 0xAC, 2])),
    "extension": (
        {"x-kubernetes-list-type": "map"},
        late(31, field(1, "x-kubernetes-list-type"), field(2, field(2, '"map"'))),
    ),
    "unknown": ({"nullable": True}, b""),
}


@pytest.mark.parametrize(("schema", "written"), SCHEMAS.values(), ids=list(SCHEMAS))
def test_a_schema_is_written_by_its_members(schema: dict[str, Any], written: bytes) -> None:
    assert described(schema) == definition(written)


@pytest.mark.parametrize(
    ("parameter", "written"),
    [
        ({"in": "body", "name": "b"}, field(1, field(1, field(3, "body"), field(2, "b")))),
        ({"in": "query", "name": "q"}, field(1, field(2, field(3, field(2, "query"), field(4, "q"))))),
        ({"in": "path", "name": "p"}, field(1, field(2, field(4, field(2, "path"), field(4, "p"))))),
        (
            {"in": "path", "uniqueItems": True},
            field(1, field(2, field(4, field(2, "path"), bytes([0x98, 1, 1])))),
        ),
        (
            {"in": "query", "uniqueItems": True},
            field(1, field(2, field(3, field(2, "query"), bytes([0xA0, 1, 1])))),
        ),
    ],
)
def test_a_parameter_is_written_by_its_place(parameter: dict[str, Any], written: bytes) -> None:
    document = write_document({"paths": {"/a": {"parameters": [parameter]}}})

    assert document == field(8, field(2, field(1, "/a"), field(2, field(9, written))))


def test_an_operation_names_its_answers() -> None:
    operation = {"operationId": "get", "responses": {"200": {"description": "OK", "schema": {"format": "x"}}}}

    answer = field(1, field(1, "OK"), field(2, field(1, field(2, "x"))))
    written = field(5, "get") + field(9, field(1, field(1, "200"), field(2, answer)))
    expected = field(8, field(2, field(1, "/a"), field(2, field(2, written))))
    assert write_document({"paths": {"/a": {"get": operation}}}) == expected
