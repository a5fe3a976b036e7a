"""Commands in containers and logs of containers, over the API as kubectl asks for them."""

from __future__ import annotations

import json
import ssl
from typing import TYPE_CHECKING, NamedTuple

import aiohttp

from windlass.client import Request

if TYPE_CHECKING:
    from windlass.client import Client
    from windlass.testing import Access

_STDOUT, _STDERR, _ERROR = 1, 2, 3


class Executed(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


async def execute(access: Access, namespace: str, pod: str, *argv: str) -> Executed:
    """Run a command in the first container of a pod."""
    path = f"{access.server}/api/v1/namespaces/{namespace}/pods/{pod}/exec"
    query = [("stdout", "true"), ("stderr", "true"), *(("command", each) for each in argv)]
    said = {_STDOUT: b"", _STDERR: b"", _ERROR: b""}
    trust = ssl.create_default_context(cadata=access.ca)
    headers = {"Authorization": f"Bearer {access.token()}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.ws_connect(path, params=query, ssl=trust, protocols=["v5.channel.k8s.io"]) as socket,
    ):
        async for message in socket:
            if message.type is aiohttp.WSMsgType.BINARY and message.data:
                said[message.data[0]] += message.data[1:]
    status = json.loads(said[_ERROR])
    causes = status.get("details", {}).get("causes", [])
    code = next((int(each["message"]) for each in causes if each["reason"] == "ExitCode"), 0)
    return Executed(code, said[_STDOUT].decode(), said[_STDERR].decode())


async def logs(client: Client, pod: str, **query: str) -> str:
    """What the first container of a pod wrote."""
    path = f"/api/v1/namespaces/{client.options.namespace}/pods/{pod}/log"
    answer = await client.transport.send(Request(method="GET", path=path, query=tuple(query.items())))
    return answer.body.decode()
