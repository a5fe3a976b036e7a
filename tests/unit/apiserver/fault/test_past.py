"""A replica that lags behind shows the past, and never goes back."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from windlass.api import ObjectMeta
from windlass.client import NO_RETRY, Client, ClientOptions, ListOptions, MergePatch, Request, WatchOptions
from windlass.cluster import Cluster
from windlass.errors import NotFound
from windlass.kinds.core.v1 import ConfigMap
from windlass.testing import Faults, Scope

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
READS = Scope(verbs=frozenset({"get", "list", "watch"}))


@asynccontextmanager
async def aged(by: int = 1000, **more: Any) -> AsyncIterator[tuple[Cluster, Client]]:
    """A cluster whose ConfigMap `c` has been written ten times, and where every read lags."""
    async with Cluster() as cluster:
        client = Client(cluster.transport(), ClientOptions(retry=NO_RETRY))
        await client.create(ConfigMap(metadata=ObjectMeta(name="c", namespace="default"), data={"n": "0"}))
        for number in range(1, 10):
            await client.patch(ConfigMap, "c", MergePatch({"data": {"n": str(number)}}), "default")
        with cluster.faults.applied(Faults(stale=1, stale_by=by, only=READS, **more), seed=5):
            yield cluster, client


def another(cluster: Cluster) -> Client:
    """Somebody on a connection of their own."""
    return Client(cluster.transport(), ClientOptions(retry=NO_RETRY))


async def test_reads_show_the_past_and_writes_go_to_the_present() -> None:
    async with aged(by=5) as (cluster, client):
        seen = {(await another(cluster).get(ConfigMap, "c", "default")).data["n"] for _ in range(40)}
        listed = await another(cluster).list(ConfigMap, "default")
        written = await client.patch(ConfigMap, "c", MergePatch({"data": {"new": "1"}}), "default")

        assert seen == {"4", "5", "6", "7", "8"}
        assert listed.items[0].data["n"] in seen
        assert int(listed.resource_version) >= int(listed.items[0].metadata.resource_version)
        assert written.data == {"n": "9", "new": "1"}


async def test_what_did_not_exist_yet_is_not_there() -> None:
    async with aged(by=0) as (cluster, _):
        before = cluster.server.world.store.revision
        cluster.faults.set(Faults(stale=1, stale_by=1))
        make = Client(cluster.transport())
        await make.create(ConfigMap(metadata=ObjectMeta(name="d", namespace="default")))

        with pytest.raises(NotFound):
            await another(cluster).get(ConfigMap, "d", "default")
        listed = await another(cluster).list(ConfigMap, "default")
        assert "d" not in [each.metadata.name for each in listed]
        assert listed.resource_version == str(before)


async def test_a_connection_never_goes_back() -> None:
    async with aged() as (cluster, client):
        reader, versions = another(cluster), []
        for number in range(60):
            await client.patch(ConfigMap, "c", MergePatch({"data": {"n": str(number)}}), "default")
            versions.append(int((await reader.list(ConfigMap, "default")).resource_version))

        assert versions == sorted(versions)
        assert any(version < cluster.server.world.store.revision - 60 for version in versions[:2])


async def test_a_fresh_read_is_not_followed_by_a_stale_one_on_its_connection() -> None:
    async with aged() as (cluster, _):
        cluster.faults.set(Faults(stale=0.5, stale_by=8), seed=1)
        for _ in range(30):
            reader = another(cluster)
            versions = [int((await reader.list(ConfigMap)).resource_version) for _ in range(4)]
            assert versions == sorted(versions)
        assert cluster.faults.count("stale") > 10


async def test_nothing_is_older_than_what_is_asked_for() -> None:
    async with aged() as (cluster, _):
        newest = str(cluster.server.world.store.revision)
        for options in (
            ListOptions(resource_version=newest),
            ListOptions(resource_version=newest, resource_version_match="NotOlderThan"),
            ListOptions(resource_version=newest, resource_version_match="Exact"),
        ):
            listed = await another(cluster).list(ConfigMap, "default", options=options)
            assert listed.resource_version == newest
        request = Request(method="GET", path=f"{CONFIG_MAPS}/c", query=(("resourceVersion", newest),))
        found = await cluster.transport().send(request)
        assert orjson.loads(found.body)["data"]["n"] == "9"


async def test_the_pages_of_a_list_are_of_one_state() -> None:
    async with aged() as (cluster, client):
        for name in ("d", "e"):
            await client.create(ConfigMap(metadata=ObjectMeta(name=name, namespace="default")))
        for _ in range(20):
            pages = [
                page.resource_version
                async for page in another(cluster).pages(ConfigMap, options=ListOptions(page_size=1))
            ]
            assert len(set(pages)) == 1


@pytest.mark.parametrize("initial", [True, False])
async def test_a_watch_begins_in_the_past_and_catches_up(*, initial: bool) -> None:
    async with aged(by=8) as (cluster, _):
        seen = []
        options = WatchOptions(initial_events=initial, resource_version=None if initial else "0")
        async for event in another(cluster).watch(ConfigMap, "default", options=options):
            if event.type == "BOOKMARK":
                seen.append(("BOOKMARK", int(event.object.metadata.resource_version)))
            else:
                seen.append((event.type, int(event.object.data["n"])))
                if event.object.data["n"] == "9":
                    break

        numbers = [number for kind, number in seen if kind != "BOOKMARK"]
        assert seen[0][0] == "ADDED"
        assert 0 < numbers[0] < 9
        assert numbers == list(range(numbers[0], 10))
        if initial:
            assert seen[1][0] == "BOOKMARK"
            assert seen[1][1] < cluster.server.world.store.revision


async def test_a_history_that_is_gone_limits_how_far_behind_it_is() -> None:
    async with aged() as (cluster, _):
        cluster.compact()

        assert (await another(cluster).get(ConfigMap, "c", "default")).data["n"] == "9"
