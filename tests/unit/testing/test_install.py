"""Installing kinds, on a scripted server."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import orjson
from typing_extensions import override

from scripted import ScriptedStream, ScriptedTransport, answer
from windlass.api import Resource, Spec
from windlass.client import Client
from windlass.codegen import custom_resource_definitions
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from windlass.client import Request, Response


class Gadget(Resource, group="demo.example.com", version="v1"):
    """A kind to install."""

    spec: Spec


@dataclass
class Noting(ScriptedTransport):
    """Also notes how many streams had been left when each request came."""

    left_before: list[int] = field(default_factory=list)

    @override
    async def send(self, request: Request) -> Response:
        self.left_before.append(self.left)
        return await super().send(request)


async def test_the_watch_for_a_definition_is_closed_before_anything_else_is_asked() -> None:
    (definition,) = custom_resource_definitions([Gadget])
    established = definition | {"status": {"conditions": [{"type": "Established", "status": "True"}]}}
    event = orjson.dumps({"type": "ADDED", "object": established})
    listing = {"kind": "GadgetList", "apiVersion": "demo.example.com/v1", "metadata": {}, "items": []}
    transport = Noting([answer(201, definition), ScriptedStream((event, event)), answer(body=listing)])

    await install_kinds(Client(transport), [Gadget])

    apply, watch, listed = transport.requests
    assert (apply.method, dict(watch.query)["watch"], listed.path) == (
        "PATCH", "true", "/apis/demo.example.com/v1/gadgets",
    )  # fmt: skip
    assert transport.left_before == [0, 1]
