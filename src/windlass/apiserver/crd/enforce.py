"""A schema put into force on the objects of its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Call
    from windlass.apiserver.patch import Patched
    from windlass.apiserver.resource import Resource
    from windlass.schema import Shape

Object = dict[str, Any]


def prune(obj: Object, shape: Shape) -> list[str]:
    return []


def fill(obj: Object, shape: Shape) -> None:
    pass


def decode(resource: Resource, body: bytes, call: Call, validation: str) -> Object:
    return orjson.loads(body)


def patched(resource: Resource, outcome: Patched, call: Call, validation: str) -> Object:
    return outcome.document
