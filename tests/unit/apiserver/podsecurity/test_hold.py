from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pytest

from contract import deployment, pod
from windlass.apiserver import ApiServer, Call, ServerOptions, User

if TYPE_CHECKING:
    from windlass.apiserver import Reply

PREFIX = "pod-security.kubernetes.io/"
HEADERS = {"authorization": "Bearer secret", "content-type": "application/json"}


class Server:
    """A server with one namespace, and what was noted of its last request."""

    def __init__(self) -> None:
        self._server = ApiServer(ServerOptions(tokens={"secret": User("admin", ("system:masters",))}))
        self.noted: dict[str, str] = {}

    async def create(self, path: str, body: dict[str, Any]) -> Reply:
        call = Call(method="POST", path=path, headers=HEADERS, body=orjson.dumps(body))
        reply = await self._server.handle(call)
        self.noted = {key.removeprefix(PREFIX): value for key, value in call.annotations.items()}
        return reply


@pytest.fixture
async def server() -> Server:
    found = Server()
    labels = {f"{PREFIX}enforce": "baseline", f"{PREFIX}audit": "restricted", f"{PREFIX}warn": "privileged"}
    body = {"metadata": {"name": "held", "labels": labels}}
    assert (await found.create("/api/v1/namespaces", body)).status == 201
    return found


async def test_what_is_enforced_and_what_is_to_be_audited_is_noted(server: Server) -> None:
    reply = await server.create("/api/v1/namespaces/held/pods", pod("a"))

    assert (reply.status, list(reply.warnings)) == (201, [])
    assert server.noted["enforce-policy"] == "baseline:latest"
    assert server.noted["audit-violations"].startswith('would violate PodSecurity "restricted:latest": allow')


async def test_what_is_refused_is_noted_too(server: Server) -> None:
    reply = await server.create("/api/v1/namespaces/held/pods", pod("a", hostPID=True))

    assert reply.status == 403
    assert "host namespaces (hostPID=true)" in server.noted["audit-violations"]


async def test_of_what_makes_pods_is_noted_what_is_to_be_audited(server: Server) -> None:
    reply = await server.create("/apis/apps/v1/namespaces/held/deployments", deployment("a"))

    assert (reply.status, list(reply.warnings)) == (201, [])
    assert server.noted.keys() == {"audit-violations"}


async def test_elsewhere_nothing_is_noted(server: Server) -> None:
    assert (await server.create("/api/v1/namespaces/default/pods", pod("a"))).status == 201

    assert server.noted == {}
