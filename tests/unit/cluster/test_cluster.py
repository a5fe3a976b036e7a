"""An embedded cluster: reached by calls and over HTTPS, as whom one likes, and gone at the end."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import aclosing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from polling import until
from windlass.aio import ManualClock
from windlass.apiserver import World
from windlass.client import (
    NO_RETRY,
    Client,
    ClientOptions,
    Event,
    Request,
    WatchOptions,
    connect,
    load_config,
)
from windlass.cluster import Cluster, ClusterOptions
from windlass.errors import (
    AlreadyExists,
    ConfigError,
    ConnectionFailedError,
    Forbidden,
    Gone,
    NotFound,
    NotLeadingError,
)
from windlass.kinds.core.v1 import ConfigMap, Namespace

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable
    from pathlib import Path


def config_map(name: str, **data: str) -> ConfigMap:
    return ConfigMap(metadata={"name": name, "namespace": "default"}, data=data)  # type: ignore[arg-type]


async def test_a_client_in_the_same_process_needs_no_socket() -> None:
    async with Cluster() as cluster:
        client = Client(cluster.transport())
        created = await client.create(config_map("a", key="value"))

        assert (await client.get(ConfigMap, "a", "default")) == created
        with pytest.raises(AlreadyExists):
            await client.create(config_map("a"))
        with pytest.raises(NotFound):
            await client.get(ConfigMap, "b", "default")


async def test_calls_and_https_reach_the_same_objects() -> None:
    async with Cluster(ClusterOptions(port=0)) as cluster:
        await Client(cluster.transport()).create(config_map("a", key="value"))

        async with connect(load_config(cluster.access.kubeconfig)) as client:
            found = await client.get(ConfigMap, "a", "default")

        assert found.data == {"key": "value"}


async def test_every_cluster_has_its_own_objects_from_the_start() -> None:
    first, second = Client(Cluster().transport()), Client(Cluster().transport())

    await first.create(config_map("a"))

    assert [each.metadata.name for each in await second.list(Namespace)] == [
        "default",
        "kube-node-lease",
        "kube-public",
        "kube-system",
    ]
    assert len(await second.list(ConfigMap)) == 0


async def test_users_have_the_rights_of_their_groups() -> None:
    users = {"ops": ("system:masters",)}
    cluster = Cluster(ClusterOptions(users=users))

    assert await Client(cluster.transport("ops")).list(Namespace)
    with pytest.raises(Forbidden):
        await Client(cluster.transport("nobody")).list(Namespace)
    with pytest.raises(ConfigError, match="no user 'jane'"):
        cluster.transport("jane")


async def test_leaving_ends_the_watches_that_are_being_read() -> None:
    async with Cluster() as cluster:
        client = Client(cluster.transport())
        events = client.watch(ConfigMap, "default")
        reading = asyncio.ensure_future(_all(events))
        await until(_listeners(cluster), lambda count: count == 1)
        await client.create(config_map("a"))

    async with asyncio.timeout(10):
        assert [event.type for event in await reading] == ["BOOKMARK", "ADDED"]


def test_without_a_port_no_certificate_is_made() -> None:
    program = """
import sys
from windlass.cluster import Cluster

cluster = Cluster()
cluster.transport()
assert not {"cryptography", "aiohttp", "yaml"} & sys.modules.keys()
assert cluster.access.ca.startswith("-----BEGIN CERTIFICATE-----")
"""
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")


async def test_answers_have_the_time_of_the_world() -> None:
    clock = ManualClock(datetime(2030, 1, 31, 12, tzinfo=UTC))
    transport = Cluster(ClusterOptions(world=World(clock=clock))).transport()

    answer = await transport.send(Request(method="GET", path="/version"))

    assert answer.headers["date"] == "Thu, 31 Jan 2030 12:00:00 GMT"


async def test_the_kubeconfig_is_for_its_owner_only_and_goes_with_the_cluster() -> None:
    async with Cluster(ClusterOptions(port=0)) as cluster:
        kubeconfig = cluster.access.kubeconfig
        assert _mode(kubeconfig) == 0o600

    assert not _exists(kubeconfig)


async def test_nobody_listens_after_the_end() -> None:
    async with Cluster(ClusterOptions(port=0)) as cluster:
        config = load_config(cluster.access.kubeconfig)

    async with connect(config) as client:
        with pytest.raises(ConnectionFailedError):
            await client.list(Namespace)


async def _all(events: AsyncGenerator[Event[ConfigMap], None]) -> list[Event[ConfigMap]]:
    return [event async for event in events]


def _listeners(cluster: Cluster) -> Callable[[], Awaitable[int]]:
    async def count() -> int:
        return len(cluster.server.world.store.collection("/configmaps")._listeners)

    return count


def _mode(file: Path) -> int:
    return file.stat().st_mode & 0o777


def _exists(file: Path) -> bool:
    return file.exists()


async def test_a_guard_that_refuses_keeps_a_call_from_the_server() -> None:
    def refuse() -> None:
        raise NotLeadingError("no longer")

    async with Cluster() as cluster:
        client = Client(cluster.transport())
        path = "/api/v1/namespaces/default/configmaps"
        body = b'{"metadata": {"name": "a"}}'
        with pytest.raises(NotLeadingError, match="no longer"):
            await client.send(Request(method="POST", path=path, body=body, guard=refuse))
        assert len(await client.list(ConfigMap, "default")) == 0


async def test_a_server_that_is_killed_refuses_and_restarted_has_the_same_objects_on_the_same_port() -> None:
    async with Cluster(ClusterOptions(port=0)) as cluster:
        server = cluster.access.server
        async with connect(load_config(cluster.access.kubeconfig), ClientOptions(retry=NO_RETRY)) as client:
            await client.create(config_map("a"))
            watch = client.watch(ConfigMap, "default", options=WatchOptions(initial_events=True))
            async with aclosing(watch):
                assert (await anext(watch)).object.metadata.name == "a"

                await cluster.kill()

                with pytest.raises(ConnectionFailedError):
                    async for _ in watch:
                        pass
            with pytest.raises(ConnectionFailedError):
                await client.list(ConfigMap, "default")

            await cluster.restart()

            assert (await client.get(ConfigMap, "a", "default")).metadata.name == "a"
            await cluster.restart()
            assert (await client.get(ConfigMap, "a", "default")).metadata.name == "a"
        assert cluster.access.server == server


async def test_after_a_compaction_the_past_is_gone() -> None:
    async with Cluster() as cluster:
        client = Client(cluster.transport())
        first = await client.create(config_map("a"))
        await client.create(config_map("b"))
        cluster.compact()

        options = WatchOptions(resource_version=first.metadata.resource_version)
        with pytest.raises(Gone):
            await anext(client.watch(ConfigMap, "default", options=options))
