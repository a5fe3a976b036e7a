"""A server that only tells what it serves, for tests of those who ask."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from scripted import ScriptedTransport, answer
from windlass.errors import ConnectionFailedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.client import Request, Response

PODS = {
    "resource": "pods", "responseKind": {"kind": "Pod"}, "scope": "Namespaced", "verbs": ["get"],
    "subresources": [{"subresource": "status"}, {"subresource": "log"}],
}  # fmt: skip
NODES = {"resource": "nodes", "responseKind": {"kind": "Node"}, "scope": "Cluster", "verbs": ["get"]}


def version(name: str, *resources: Any, fresh: bool = True) -> dict[str, Any]:
    """One version of a group."""
    freshness = "Current" if fresh else "Stale"
    return {"version": name, "resources": list(resources), "freshness": freshness}


def group(name: str, *versions: Any) -> dict[str, Any]:
    """A group with its versions."""
    return {"metadata": {"name": name}, "versions": list(versions)}


@dataclass
class Discovery(ScriptedTransport):
    """A server that only tells what it serves; `looks` counts how often it was asked for everything."""

    steps: list[Any] = field(default_factory=list)
    groups: list[Any] = field(default_factory=list)
    looks: int = 0
    during: list[Callable[[], None]] = field(default_factory=list)
    failures: int = 0

    @override
    async def send(self, request: Request) -> Response:
        groups = self.groups  # as they were when the request came
        await asyncio.sleep(0)
        if request.path == "/version":
            return answer(body={"gitVersion": "v1.36.3"})
        if request.path == "/api":
            self.looks += 1
            for happen in self.during:
                happen()
            self.during.clear()
            return answer(body={"items": [group("", version("v1", PODS, NODES))]})
        if self.failures:
            self.failures -= 1
            raise ConnectionFailedError("refused", lasting=True)
        return answer(body={"items": groups})


def app(kind: str) -> dict[str, Any]:
    """A resource of the whole cluster."""
    return {**NODES, "resource": f"{kind.lower()}s", "responseKind": {"kind": kind}}
