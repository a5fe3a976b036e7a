"""Reading: what the tests of get, list, watch and discovery share."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from contract import JSON
from windlass.client import Request, Response, Stream

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from contract import Api, Object

TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1"
PARTIAL = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
PARTIAL_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
PROTOBUF = "application/vnd.kubernetes.protobuf"
AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"

INITIAL_EVENTS_END = "k8s.io/initial-events-end"
STREAMING_LIST = {
    "sendInitialEvents": True,
    "resourceVersionMatch": "NotOlderThan",
    "allowWatchBookmarks": True,
}

_PATIENCE = 10.0


def names(listing: Object) -> list[str]:
    """The names of a list's items, in its order."""
    return [item["metadata"]["name"] for item in listing["items"]]


def version_of(thing: Object) -> str:
    """The resource version of an object or a list."""
    return str(thing["metadata"]["resourceVersion"])


def revision(thing: Object) -> int:
    """The same as a number: later writes, to whichever object of a kind, have greater ones."""
    return int(version_of(thing))


def summary(event: Object) -> tuple[str, str]:
    """An event in short: its type and the name of its object."""
    return event["type"], event["object"]["metadata"]["name"]


async def raw(
    api: Api, path: str, *, method: str = "GET", query: tuple[tuple[str, str], ...] = (), **headers: str
) -> Response:
    """An answer as it came over the wire; `Accept_Encoding` is Accept-Encoding."""
    named = {"Accept": JSON} | {name.replace("_", "-"): value for name, value in headers.items()}
    return await api.transport.send(Request(method=method, path=path, query=query, headers=named))


@asynccontextmanager
async def opened(api: Api, path: str, *query: tuple[str, str], **headers: str) -> AsyncIterator[Stream]:
    """An answer that is read line by line, whatever its status."""
    named = {"Accept": JSON} | {name.replace("_", "-"): value for name, value in headers.items()}
    async with api.transport.stream(Request(method="GET", path=path, query=query, headers=named)) as stream:
        yield stream


async def current(api: Api, path: str) -> str:
    """The version from which a watch of this collection sees nothing but what happens from now on."""
    return version_of((await api.get(path)).ok())


async def take(events: AsyncIterator[Object], count: int = 1) -> list[Object]:
    """The next events of a watch."""
    async with asyncio.timeout(_PATIENCE):
        return [await anext(events) for _ in range(count)]


async def before(events: AsyncIterator[Object], end: str) -> list[Object]:
    """All events that come before the first one of the object called `end`.

    A server sends events in order, so this is how a test knows, without waiting, that there is no other.
    """
    found: list[Object] = []
    async with asyncio.timeout(_PATIENCE):
        async for event in events:
            if event["object"]["metadata"].get("name") == end:
                return found
            found.append(event)
    raise AssertionError(f"the watch ended before an event of {end}: {found}")


async def history(api: Api, path: str, since: str, end: str, **query: Any) -> list[Object]:
    """What happened in a collection after the version `since`, up to the first event of `end`."""
    async with api.watch(path, resourceVersion=since, **query) as events:
        return await before(events, end)


@asynccontextmanager
async def existing_namespace(api: Api, name: str) -> AsyncIterator[None]:
    """A namespace of this name, for the length of the block."""
    body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    (await api.create("/api/v1/namespaces", body)).ok()
    try:
        yield
    finally:
        await api.delete(f"/api/v1/namespaces/{name}")


@pytest.fixture
async def neighbour_fixture(api: Api, namespace: str) -> AsyncIterator[str]:
    """Another namespace, whose name begins with the name of this test's."""
    name = f"{namespace}-x"
    async with existing_namespace(api, name):
        yield name
