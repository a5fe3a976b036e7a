"""What expressions know of a value is what Kubernetes lets them know; the figures are those of the oracle."""

from __future__ import annotations

from typing import Any

import pytest

from cel_checking import SCHEMA
from windlass.schema.cel.structure import Declared, declare
from windlass.schema.cel.type import (
    BYTES,
    DURATION,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    Type,
    list_of,
    map_of,
    object_type,
)

_LONGEST = 3145726


@pytest.mark.parametrize(
    ("schema", "type_", "least", "most"),
    [
        ({"type": "integer"}, INT, 1, 0),
        ({"type": "string"}, STRING, 2, _LONGEST),
        ({"type": "string", "maxLength": 10}, STRING, 2, 40),
        ({"type": "string", "enum": ["red", "größer"]}, STRING, 2, 8),
        ({"type": "string", "enum": ["red"], "maxLength": 1}, STRING, 2, 4),
        ({"type": "string", "format": "byte", "maxLength": 10}, BYTES, 2, 10),
        ({"type": "string", "format": "duration", "maxLength": 10}, DURATION, 3, 32),
        ({"type": "string", "format": "date"}, TIMESTAMP, 12, 12),
        ({"type": "string", "format": "date-time"}, TIMESTAMP, 21, 32),
        ({"type": "string", "format": "uuid"}, STRING, 2, _LONGEST),
        ({"x-kubernetes-int-or-string": True}, DYN, 1, _LONGEST),
        ({"x-kubernetes-int-or-string": True, "maxLength": 3}, DYN, 1, 12),
    ],
)
def test_a_scalar_has_a_type_and_bounds(schema: Any, type_: Type, least: int, most: int) -> None:
    assert declare(schema) == Declared(type_, least, most)


@pytest.mark.parametrize(
    ("schema", "most"),
    [
        ({"type": "array", "items": {"type": "integer"}}, 1572863),
        ({"type": "array", "items": {"type": "integer"}, "maxItems": 3}, 3),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, 449389),
        ({"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 3}, 3),
    ],
)
def test_what_a_schema_leaves_unbounded_is_bounded_by_a_request(schema: Any, most: int) -> None:
    declared = declare(schema)

    assert declared is not None
    assert declared.most == most
    assert declared.least == 2


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"x-kubernetes-preserve-unknown-fields": True},
        {"type": "array"},
        {"type": "array", "items": {"x-kubernetes-preserve-unknown-fields": True}},
        {"type": "object", "additionalProperties": {}},
    ],
)
def test_expressions_cannot_speak_of_what_has_no_type(schema: Any) -> None:
    assert declare(schema) is None


def test_the_shortest_object_has_its_required_fields_without_defaults() -> None:
    number = {"type": "integer"}
    names = {"a": number, "b": {**number, "default": 1}, "größe": number, "d": number}
    declared = declare({"type": "object", "required": ["a", "b", "größe"], "properties": names})

    assert declared is not None
    assert declared.least == 2 + (1 + 1 + 4) + (7 + 1 + 4)
    assert set(declared.fields or ()) == {"a", "b", "d"}
    assert declared.cardinality == 3 * 1024 * 1024 // 21


def test_a_root_has_its_type_and_name() -> None:
    declared = declare(SCHEMA, root=True)

    assert declared is not None
    scoped = declared.scoped()
    assert scoped.objects["selfType"]["kind"] == STRING
    assert scoped.objects["selfType"]["metadata"] == object_type("selfType.metadata")
    assert scoped.objects["selfType.metadata"] == {"name": STRING, "generateName": STRING}


def test_metadata_that_a_schema_describes_is_kept() -> None:
    text = {"type": "string"}
    metadata = {"type": "object", "properties": {"name": text, "generateName": text, "labels": text}}
    root = {"type": "object", "properties": {"kind": text, "apiVersion": text, "metadata": metadata}}

    declared = declare(root, root=True)

    assert declared is not None
    assert declared.fields is not None
    assert set(declared.fields["metadata"].fields or ()) == {"name", "generateName", "labels"}


def test_objects_are_named_by_their_places() -> None:
    declared = declare(SCHEMA)

    assert declared is not None
    scoped = declared.scoped("it")
    assert scoped.type == object_type("it")
    fields = scoped.objects["it"]
    assert fields["listeners"] == list_of(object_type("it.listeners.@idx"))
    assert fields["pools"] == map_of(STRING, object_type("it.pools.@elem"))
    assert fields["matrix"] == list_of(list_of(INT))
    assert scoped.objects["it.listeners.@idx"]["tls"] == object_type("it.listeners.@idx.tls")
    assert "it.nowhere" not in scoped.objects


def test_a_reserved_word_needs_no_escape_after_a_dot() -> None:
    declared = declare(SCHEMA)

    assert declared is not None
    fields = declared.scoped().objects["selfType"]
    assert fields["namespace"] == fields["__namespace__"] == STRING
    assert "namespace" not in (declared.fields or {})


@pytest.mark.parametrize(
    ("path", "size"),
    [
        ((), 0),
        (("tags",), 10),
        (("tags", "@items"), _LONGEST),
        (("name",), 252),
        (("labels", "@keys"), 0),
        (("labels", "@values"), _LONGEST),
        (("listeners", "@items", "tls", "mode"), _LONGEST),
        (("nowhere",), None),
        (("nowhere", "deeper"), None),
        (("tags", "@keys"), None),
        (("name", "@items"), None),
        (("name", "field"), None),
    ],
)
def test_a_path_leads_to_a_size(path: tuple[str, ...], size: int | None) -> None:
    declared = declare(SCHEMA)

    assert declared is not None
    assert declared.size(path) == size


def test_a_schema_may_be_nested_deeply() -> None:
    schema: dict[str, Any] = {"type": "integer"}
    for _ in range(5000):
        schema = {"type": "object", "properties": {"a": schema}}

    declared = declare(schema)

    assert declared is not None
    assert declared.size(("a",) * 5000) == 0
    assert declared.size(("a",) * 5001) is None
