"""Watches: how long they last, and what a selected name lets through."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import orjson
import pytest

from polling import until
from windlass.aio import ManualClock
from windlass.apiserver import Call, Query, World
from windlass.cluster import Cluster, ClusterOptions

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from contract import Api

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"


async def watching(cluster: Cluster, **query: str) -> AsyncGenerator[bytes, None]:
    """The answer to a watch, which has begun."""
    headers = {"authorization": f"Bearer {cluster.access.token()}"}
    parameters = Query([("watch", "1"), *query.items()])
    reply = await cluster.server.handle(
        Call(method="GET", path=CONFIG_MAPS, query=parameters, headers=headers)
    )
    assert reply.chunks is not None
    assert await anext(reply.chunks) == b""
    return reply.chunks


@pytest.mark.parametrize("seconds", ["-1", "-9223372036854775808", "9223372036854775807"])
async def test_a_time_that_is_over_before_it_began_ends_a_watch_at_once(seconds: str) -> None:
    chunks = await watching(Cluster(), timeoutSeconds=seconds)

    assert [chunk async for chunk in chunks] == []


async def test_a_watch_tells_each_minute_how_far_it_is_and_ends_in_time() -> None:
    clock = ManualClock()
    cluster = Cluster(ClusterOptions(world=World(clock=clock)))
    chunks = await watching(cluster, timeoutSeconds="150", allowWatchBookmarks="1")

    await until(lambda: asyncio.sleep(0, clock.sleeps), bool)
    told = []
    for seconds in (60, 60, 30):
        await clock.advance(timedelta(seconds=seconds))
        told.append(orjson.loads(await anext(chunks))["type"])

    assert told == ["BOOKMARK"] * 3
    assert [chunk async for chunk in chunks] == []


async def test_however_many_watch_each_hears_of_a_change_while_time_stands_still() -> None:
    cluster = Cluster(ClusterOptions(world=World(clock=ManualClock())))
    watches = [await watching(cluster, resourceVersion="1") for _ in range(20)]
    waiting = [asyncio.ensure_future(anext(each)) for each in watches]
    await asyncio.sleep(0)

    cluster.server.world.store.collection("/configmaps").put(
        "default/a", {"metadata": {"name": "a", "namespace": "default"}}, None
    )
    for _ in range(2):  # once to be woken, once to be done
        await asyncio.sleep(0)

    assert [orjson.loads(each.result())["object"]["metadata"]["name"] for each in waiting] == ["a"] * 20
    for each in watches:
        await each.aclose()


async def test_what_exists_is_sent_in_pieces_that_are_worth_sending(cluster: Cluster) -> None:
    collection = cluster.server.world.store.collection("/configmaps")
    for number in range(1500):
        collection.put(f"default/a-{number}", {"metadata": {"name": f"a-{number}"}}, None)

    initial = {"sendInitialEvents": "true", "resourceVersionMatch": "NotOlderThan"}
    chunks = await watching(cluster, allowWatchBookmarks="1", **initial)
    pieces: list[bytes] = []
    while not pieces or b'"BOOKMARK"' not in pieces[-1]:
        pieces.append(await anext(chunks))
    await chunks.aclose()

    assert sum(piece.count(b'"ADDED"') for piece in pieces) == 1500
    assert [piece.count(b'"ADDED"') for piece in pieces] == [1000, 500, 0]


async def test_a_watch_by_name_hears_of_that_object_alone(api: Api, cluster: Cluster) -> None:
    chunks = await watching(cluster, fieldSelector="metadata.name=a")
    for name in ("ab", "a", "b"):
        (await api.send("POST", CONFIG_MAPS, {"metadata": {"name": name}})).ok()
    (await api.send("DELETE", f"{CONFIG_MAPS}/a")).ok()

    heard = [orjson.loads(line) for line in (await anext(chunks)).splitlines()]
    await chunks.aclose()

    assert [(each["type"], each["object"]["metadata"]["name"]) for each in heard] == [
        ("ADDED", "a"),
        ("DELETED", "a"),
    ]


async def test_a_cancellation_that_comes_as_a_watch_ends_is_not_lost(cluster: Cluster) -> None:
    chunks = await watching(cluster, resourceVersion=str(cluster.server.world.store.revision))

    async def read() -> list[bytes]:
        return [chunk async for chunk in chunks]

    reading = asyncio.ensure_future(read())
    for _ in range(10):  # until it waits for a change
        await asyncio.sleep(0)
    cluster.server.close()
    await asyncio.sleep(0)
    reading.cancel()

    with pytest.raises(asyncio.CancelledError):
        await reading
