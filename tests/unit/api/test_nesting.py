"""Objects that nest more deeply than can be kept."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from windlass.api import Resource, read_json, write_json
from windlass.api.nesting import UNREADABLE
from windlass.errors import UndecodableError


class Box(Resource, group="nesting.example.com", version="v1"):
    """A kind with anything in it."""

    spec: dict[str, Any]


def box(levels: int, name: str = "a") -> bytes:
    """A box whose spec has so many levels, as text; its strings look like JSON."""
    metadata = b'{"name":"%s","labels":{"quoted":"\\\\\\"[{"}}' % name.encode()
    spec = b'{"a":' * levels + b'"]}"' + b"}" * levels
    return b'{"metadata":%s,"spec":%s}' % (metadata, spec)


def depth(value: Any) -> int:
    found = 0
    while isinstance(value, dict):
        value, found = value.get("a"), found + 1
    return found


def test_text_that_can_be_read_is_read_as_it_is() -> None:
    assert read_json(box(200)) == orjson.loads(box(200))


@pytest.mark.parametrize("levels", [1024, 1500, 9000])
def test_an_object_that_cannot_be_read_lacks_the_field_that_nests_too_deeply(levels: int) -> None:
    read = read_json(box(levels))

    assert read["metadata"] == {"name": "a", "labels": {"quoted": '\\"[{'}}
    assert "spec" not in read
    assert read[UNREADABLE].startswith("spec of")


def test_other_objects_of_a_list_are_complete() -> None:
    text = b'{"metadata":{"resourceVersion":"1"},"items":[%s,%s,%s]}'

    before, deep, after = read_json(text % (box(3, "b"), box(1500), box(4, "c")))["items"]

    assert (depth(before["spec"]), depth(after["spec"])) == (3, 4)
    assert UNREADABLE not in before
    assert UNREADABLE in deep


def test_the_object_of_an_event_is_trimmed() -> None:
    said = read_json(b'{"type":"ADDED","object":%s}' % box(1500))

    assert said["type"] == "ADDED"
    assert UNREADABLE in said["object"]


@pytest.mark.parametrize("text", [b"[" * 2000, b'{"a":' * 2000 + b'"', b"[" * 2000 + b"]" * 1999, b"{"])
def test_text_that_is_cut_off_is_an_error(text: bytes) -> None:
    with pytest.raises(orjson.JSONDecodeError):
        read_json(text)


@pytest.mark.parametrize(("levels", "kept"), [(252, True), (300, False), (1000, False)])
def test_what_cannot_be_written_is_removed(levels: int, *, kept: bool) -> None:
    obj = orjson.loads(box(levels))

    written = orjson.loads(write_json(obj))

    assert ("spec" in written) is kept
    assert (UNREADABLE in written) is not kept
    assert written["metadata"]["name"] == "a"


def test_the_managers_of_fields_are_removed_from_metadata_that_nests_too_deeply() -> None:
    obj = orjson.loads(box(300))
    managed = [{"manager": "us", "fieldsV1": obj["spec"]}]

    written = orjson.loads(write_json({"metadata": {**obj["metadata"], "managedFields": managed}}))

    assert written["metadata"] == obj["metadata"]
    assert UNREADABLE in written


def test_such_an_object_is_undecodable() -> None:
    trimmed = read_json(box(1500))

    with pytest.raises(UndecodableError, match="Box a nests too deeply: spec"):
        Box.from_wire(trimmed)
    with pytest.raises(UndecodableError, match="Box a nests too deeply: spec"):
        Box.from_wire_list([read_json(box(3)), trimmed])
