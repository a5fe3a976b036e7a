"""Kinds on a real API server: installed, served, and removed afterwards."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING, Any

from real import settled
from windlass.api import Untyped
from windlass.client import Request, WatchOptions, connect, load_config
from windlass.codegen import custom_resource_definitions
from windlass.errors import NotFound
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.api import Json, Resource
    from windlass.client import Client
    from windlass.testing import Access

PATIENCE = 20.0


@asynccontextmanager
async def installed(access: Access, *kinds: type[Resource]) -> AsyncIterator[Client]:
    """A client, while the definitions of these kinds are installed and served.

    The server refuses a definition with a field that it does not know. Later writes are not so strict, so
    that a test can see what is pruned.
    """
    definitions = custom_resource_definitions(kinds)
    async with settled(), connect(load_config(access.kubeconfig)) as client:
        try:
            for definition in definitions:
                await install(client, definition)
            yield client
        finally:
            for definition in definitions:
                await remove(client, definition["metadata"]["name"])


async def install(client: Client, definition: Json) -> None:
    """Create a definition, or change it, and wait until what it defines is served."""
    async with asyncio.timeout(PATIENCE):
        strict = client.using(field_validation="Strict")
        made = await strict.apply(CustomResourceDefinition.from_wire(definition))
        await _established(client, made.metadata.name)
        spec = definition["spec"]
        for version in spec["versions"]:
            if version["served"]:
                await _served(client, f"/apis/{spec['group']}/{version['name']}/{spec['names']['plural']}")


async def remove(client: Client, name: str) -> None:
    """Delete a definition, if it is there."""
    try:
        await client.delete(CustomResourceDefinition, name)
    except NotFound:
        return


async def _established(client: Client, name: str) -> None:
    options = WatchOptions(initial_events=True)
    changes = client.watch(CustomResourceDefinition, fields=f"metadata.name={name}", options=options)
    async with aclosing(changes):
        async for event in changes:
            conditions = {each.type: each for each in event.object.status.conditions}
            accepted = conditions.get("NamesAccepted")
            assert accepted is None or accepted.status == "True", accepted
            if "Established" in conditions and conditions["Established"].status == "True":
                return
    raise AssertionError(f"the watch ended before {name} was established")


async def _served(client: Client, path: str) -> None:
    """The part of the server that serves custom resources learns of a definition a moment later."""
    while True:
        try:
            await client.json(Request(method="GET", path=path, query=(("limit", "1"),)))
        except NotFound:
            await asyncio.sleep(0.02)
        else:
            return


def raw(kind: type[Resource], namespace: str, name: str = "a", **fields: Any) -> Untyped:
    """An object of a kind, as free of types as the wire is."""
    metadata = {"name": name, "namespace": namespace} if kind.__kind__.namespaced else {"name": name}
    return Untyped.of(kind.__kind__).from_wire({"metadata": metadata, **fields})
