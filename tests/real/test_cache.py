"""The cache on the real server: its streams, its pages, its expiry, its late kinds."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from caching import Notes, config_map
from polling import until
from real import Relay, administrator, relayed, settled
from unsteady import Unsteady
from windlass.api import Field, Key, ObjectMeta, Resource, Selection, Spec
from windlass.cache import Cache, CacheOptions, Phase
from windlass.client import MergePatch, Request, Response, connect, load_config
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.kinds.core.v1 import ConfigMap, Secret
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from windlass.cache import Informer
    from windlass.client import Client
    from windlass.testing import Access


class SprocketSpec(Spec):
    teeth: int = 1


class Sprocket(Resource, group="late.example.com", version="v1"):
    """A kind that comes late."""

    spec: SprocketSpec = Field(default_factory=SprocketSpec)


@pytest.fixture(autouse=True)
async def quiet() -> AsyncIterator[None]:
    """Each test is over when its connections are."""
    async with settled():
        yield


@pytest.fixture
async def client(control_plane: Access, namespace: str) -> AsyncIterator[Client]:
    """An administrator's client in this test's namespace."""
    async with administrator(control_plane, namespace) as made:
        yield made


@pytest.fixture
async def relay(control_plane: Access, tmp_path: Path) -> AsyncIterator[Relay]:
    """A relay to the server."""
    async with relayed(control_plane, tmp_path) as made:
        yield made


@asynccontextmanager
async def running(cache: Cache) -> AsyncIterator[None]:
    task = asyncio.create_task(cache.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait((task,))


async def eventually(condition: Any) -> None:
    async def ask() -> bool:
        return bool(condition())

    await until(ask, bool, patience=40)


async def fill(client: Client, namespace: str, count: int) -> None:
    for number in range(count):
        await client.create(config_map(f"a{number}", namespace, x="1"))


def names(informer: Informer[Any]) -> set[str]:
    return {each.name for each in informer.keys()} - {"kube-root-ca.crt"}  # noqa: SIM118 - not a dictionary


async def test_a_streamed_list_is_followed_by_every_change(client: Client, namespace: str) -> None:
    await fill(client, namespace, 5)
    cache = Cache(client)
    informer = cache.informer(ConfigMap, Selection(namespace=namespace))
    notes = Notes()
    informer.listen(notes)
    async with running(cache):
        await informer.synced()
        assert names(informer) == {"a0", "a1", "a2", "a3", "a4"}
        assert all(change.listed for change in notes.changes)
        notes.told()

        made = await client.patch(ConfigMap, "a1", MergePatch({"data": {"x": "2"}}), namespace)
        informer.wrote(made.to_wire())
        found = await informer.get(Key(namespace, "a1"))
        assert found is not None
        assert found.data == {"x": "2"}
        uid = informer.snapshot(Key(namespace, "a2")).metadata["uid"]  # type: ignore[union-attr]
        await client.delete(ConfigMap, "a2", namespace)
        informer.deleted(Key(namespace, "a2"), uid)
        assert "a2" not in names(informer)
        await eventually(lambda: len(notes.changes) == 2)

        assert notes.changes[0].paths == (".data.x",)
        assert notes.changes[0].writers == ("windlass",)
        assert notes.changes[0].resource_version == made.metadata.resource_version
        assert int(notes.changes[1].resource_version) > int(made.metadata.resource_version)
        assert notes.told() == [("modified", "a1"), ("deleted", "a2")]


async def test_an_update_takes_the_same_form_by_list_by_watch_and_by_our_own_write(
    client: Client, namespace: str
) -> None:
    cache = Cache(client)
    informer = cache.informer(ConfigMap, Selection(namespace=namespace), keep_manager="windlass")
    key = Key(namespace, "a0")
    async with running(cache):
        await informer.synced()
        await fill(client, namespace, 1)
        await eventually(lambda: informer.snapshot(key))
        watched = informer.snapshot(key)
    again = Cache(client).informer(ConfigMap, Selection(namespace=namespace), keep_manager="windlass")
    again.wrote(await client.json(Request(method="GET", path=ConfigMap.__kind__.path("a0", namespace))))
    other = Cache(client)
    listed = other.informer(ConfigMap, Selection(namespace=namespace), keep_manager="windlass")
    async with running(other):
        await listed.synced()
        assert watched is not None
        assert watched.raw == listed.snapshot(key).raw == again.snapshot(key).raw  # type: ignore[union-attr]
    assert watched.metadata["managedFields"][0]["manager"] == "windlass"


class Unstreamed(Unsteady):
    """Reaches a server as if it knew no streamed lists."""

    @override
    def _refusal(self, request: Request) -> Response | None:
        refused = super()._refusal(request)
        if refused is None and ("sendInitialEvents", "true") in request.query:
            status = b'{"kind":"Status","status":"Failure","reason":"Invalid","code":422}'
            return Response(status=422, headers={}, body=status)
        return refused


async def test_a_list_in_pages_is_followed_by_every_change(
    control_plane: Access, client: Client, namespace: str
) -> None:
    from windlass.client import Client as PlainClient
    from windlass.client import HttpTransport

    await fill(client, namespace, 7)
    transport = Unstreamed(HttpTransport(load_config(control_plane.kubeconfig)))
    async with PlainClient(transport) as reader:
        cache = Cache(reader, CacheOptions(page_size=3))
        informer = cache.informer(ConfigMap, Selection(namespace=namespace))
        notes = Notes()
        informer.listen(notes)
        async with running(cache):
            await informer.synced()
            assert names(informer) == {f"a{number}" for number in range(7)}
            await client.delete(ConfigMap, "a2", namespace)
            await client.create(config_map("b", namespace))
            await eventually(
                lambda: names(informer) == {f"a{number}" for number in range(7)} - {"a2"} | {"b"}
            )

    assert [asked.get("limit") for asked in transport.asked].count("3") >= 3


async def test_a_version_that_is_too_old_is_made_good_by_the_difference(
    control_plane: Access, client: Client, namespace: str
) -> None:
    await fill(client, namespace, 3)
    cache = Cache(client)
    informer = cache.informer(ConfigMap, Selection(namespace=namespace))
    notes = Notes()
    informer.listen(notes)
    async with running(cache):
        await informer.synced()
    notes.told()
    await client.delete(ConfigMap, "a0", namespace)
    await client.patch(ConfigMap, "a1", MergePatch({"data": {"x": "2"}}), namespace)
    await client.create(config_map("b", namespace))
    informer._intake.position = "1"  # long compacted: the server answers that it is too old
    async with running(cache):
        await eventually(lambda: names(informer) == {"a1", "a2", "b"})
        await eventually(lambda: informer.state.phase is Phase.SYNCED)

    assert all(change.listed for change in notes.changes)
    assert sorted(notes.told()) == [("added", "b"), ("deleted", "a0"), ("modified", "a1")]


async def test_a_server_that_is_out_of_reach_for_a_while_loses_nothing(
    control_plane: Access, client: Client, namespace: str, relay: Relay
) -> None:
    config = replace(load_config(control_plane.kubeconfig), server=relay.server)
    async with connect(config) as far:
        cache = Cache(far)
        informer = cache.informer(ConfigMap, Selection(namespace=namespace))
        notes = Notes()
        informer.listen(notes)
        async with running(cache):
            await informer.synced()
            await relay.refuse()
            await eventually(lambda: informer.state.phase is Phase.BEHIND)
            assert list(cache.behind()) == [informer]
            await fill(client, namespace, 3)
            await relay.listen()
            await eventually(lambda: names(informer) == {"a0", "a1", "a2"})
            assert not any(change.listed for change in notes.changes if change.key.name.startswith("a"))
            assert cache.behind() == {}


async def test_a_watch_that_the_server_forgot_is_noticed_by_its_silence(
    client: Client, namespace: str
) -> None:
    cache = Cache(client, CacheOptions(idle=timedelta(milliseconds=300)))
    informer = cache.informer(ConfigMap, Selection(namespace=namespace, labels="app=nobody"))
    async with running(cache):
        await informer.synced()
        begun = informer.last_progress
        await eventually(lambda: informer.last_progress > begun + 0.3)
        assert informer.state.phase is Phase.SYNCED


async def test_a_kind_that_comes_late_is_picked_up_and_one_that_goes_is_told(
    client: Client, namespace: str
) -> None:
    cache = Cache(client)
    informer = cache.informer(Sprocket, Selection(namespace=namespace))
    notes = Notes()
    informer.listen(notes)
    async with running(cache):
        await eventually(lambda: informer.state.phase is Phase.WAITING)
        await install_kinds(client, [Sprocket])
        try:
            await client.create(Sprocket(metadata=ObjectMeta(name="s", namespace=namespace)))
            await eventually(lambda: names(informer) == {"s"} and informer.is_synced)
        finally:
            await client.delete(CustomResourceDefinition, "sprockets.late.example.com")
        await eventually(lambda: informer.state.phase is Phase.WAITING and names(informer) == set())

    assert notes.told() == [("added", "s"), ("deleted", "s")]


async def test_metadata_alone_is_listed_and_watched(client: Client, namespace: str) -> None:
    await fill(client, namespace, 1)
    cache = Cache(client)
    informer = cache.informer(ConfigMap, Selection(namespace=namespace, metadata_only=True))
    async with running(cache):
        await informer.synced()
        await client.create(config_map("b", namespace, x="1"))
        await eventually(lambda: names(informer) == {"a0", "b"})
        for name in ("a0", "b"):
            snapshot = informer.snapshot(Key(namespace, name))
            assert snapshot is not None
            assert snapshot.data.keys() == {"apiVersion", "kind", "metadata"}
            assert snapshot.data["kind"] == "ConfigMap"


async def test_past_the_budget_metadata_is_kept_and_the_rest_is_read_live(
    client: Client, namespace: str
) -> None:
    cache = Cache(client, CacheOptions(budget=100_000))
    informer = cache.informer(ConfigMap, Selection(namespace=namespace))
    async with running(cache):
        await informer.synced()
        for number in range(10):
            await client.create(config_map(f"a{number}", namespace, x="x" * 20_000))
        await eventually(lambda: informer.state.phase is Phase.REDUCED and not informer.is_reducing)
        await client.create(config_map("b", namespace, x="after"))
        await eventually(lambda: "b" in names(informer))

        assert informer.size < 20_000
        found = await informer.get(Key(namespace, "a3"))
        assert found is not None
        assert len(found.data["x"]) == 20_000
        assert {each.metadata.name for each in await informer.list()} >= {"a0", "a9", "b"}
        assert informer.live_reads == 2


async def test_redacted_secrets_compare_with_what_is_wanted(client: Client, namespace: str) -> None:
    wanted = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "s", "namespace": namespace},
        "stringData": {"password": "hunter2"},
    }
    await client.apply(Secret.from_wire(wanted))
    cache = Cache(client)
    informer = cache.informer(Secret, Selection(namespace=namespace))
    async with running(cache):
        await informer.synced()
        snapshot = informer.snapshot(Key(namespace, "s"))
        assert snapshot is not None
        assert snapshot.data["data"] == informer.as_kept(wanted, snapshot.data)["data"]
        assert b"aHVudGVyMg" not in snapshot.raw
