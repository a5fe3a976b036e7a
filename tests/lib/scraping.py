"""Metrics of a deployed operator, read as Prometheus reads them: through the Service, with a token."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import aiohttp

from kubectl import end
from windlass.api import ObjectMeta
from windlass.client import request_token
from windlass.kinds.core.v1 import ServiceAccount
from windlass.kinds.rbac.v1 import ClusterRoleBinding, RoleRef, Subject

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from kubectl import Tool
    from windlass.client import Client

PATIENCE = 30.0


@asynccontextmanager
async def reader(client: Client, role: str) -> AsyncIterator[str]:
    """The token of a new account that a role is bound to for the length of the block."""
    namespace = client.options.namespace
    await client.create(ServiceAccount(metadata=ObjectMeta(name="reader")))
    reference = RoleRef(api_group="rbac.authorization.k8s.io", kind="ClusterRole", name=role)
    subject = Subject(kind="ServiceAccount", name="reader", namespace=namespace)
    metadata = ObjectMeta(name=f"{namespace}-reader")
    await client.create(ClusterRoleBinding(metadata=metadata, role_ref=reference, subjects=[subject]))
    yield (await request_token(client, "reader")).token
    await client.delete(ClusterRoleBinding, metadata.name)


@asynccontextmanager
async def forwarded(kubectl: Tool, service: str, port: int) -> AsyncIterator[int]:
    """A port of this machine that leads to one of a Service, for the length of the block."""
    process = await kubectl.start(("port-forward", f"service/{service}", f":{port}"), {})
    assert process.stdout
    try:
        async with asyncio.timeout(PATIENCE):
            while not (line := await process.stdout.readline()).startswith(b"Forwarding from 127.0.0.1"):
                assert line, "kubectl ended"
        yield int(line.split()[2].rpartition(b":")[2])
    finally:
        await end(process)


async def scraped(port: int, token: str) -> tuple[int, str]:
    """What `/metrics` answers on a port of this machine."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        aiohttp.ClientSession() as web,
        web.get(f"https://127.0.0.1:{port}/metrics", headers=headers, ssl=False) as answer,
    ):
        return answer.status, await answer.text()
