"""Protobuf: every field of every kind is written and read as the Go types of Kubernetes do it."""

from __future__ import annotations

from base64 import b64decode
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from contract_protobuf import kind_of, received, sent
from filled import filled, kinds_by_definition
from oracle import SOURCE, ask, build
from windlass.apiserver.decode import builtin_types, complete, read

if TYPE_CHECKING:
    from contract import Object

KINDS = [name for name in kinds_by_definition() if not name.endswith(".WatchEvent")]
PARTS = (0.0, 0.3, 0.6, 1.0)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Object, Any]]:
    """Objects of every kind, from empty to full, each with what Go makes of it."""
    program = build(tmp_path_factory.mktemp("oracle"), SOURCE / "protobuf")
    objects = _objects()
    return list(zip(objects, ask(program, objects), strict=True))


def test_our_bytes_are_those_of_go(samples: list[tuple[Object, Any]]) -> None:
    different = [obj["kind"] for obj, answer in samples if sent(obj) != b64decode(answer["protobuf"])]

    assert not different


def test_we_read_the_bytes_of_go_as_go_writes_json(samples: list[tuple[Object, Any]]) -> None:
    different = [
        obj["kind"] for obj, answer in samples if received(b64decode(answer["protobuf"])) != answer["object"]
    ]

    assert not different


def test_an_object_in_protobuf_is_read_as_the_same_in_json(samples: list[tuple[Object, Any]]) -> None:
    different = [
        obj["kind"] for obj, answer in samples if received(b64decode(answer["protobuf"])) != _decoded(obj)
    ]

    assert not different


@cache
def _objects() -> list[Object]:
    chance = Random(1)
    return [filled(name, chance, part) for name in KINDS for part in PARTS]


def _decoded(obj: Object) -> Object:
    kind = kind_of(obj["apiVersion"], obj["kind"])
    found, _ = read(orjson.loads(orjson.dumps(obj)), kind, builtin_types())
    complete(found, kind, builtin_types())
    return found
