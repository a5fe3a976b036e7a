"""The garbage collector when what it was told is late, missing or wrong: it deletes nothing that has an owner."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from typing_extensions import override

from collecting import CONFIG, KINDS, LABEL, SECRET, Acting, ByHand
from family import child, gone, is_there, reference
from windlass.api import Change, Key, Kind, Snapshot, Untyped
from windlass.client import Client, DeleteOptions, MergePatch
from windlass.cluster import Cluster, InProcessTransport
from windlass.cluster.controller.garbage import GarbageCollector
from windlass.kinds.apps.v1 import ReplicaSet
from windlass.kinds.core.v1 import ConfigMap, Secret
from windlass.manager import Manager

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from windlass.api import Resource
    from windlass.client import Request, Response

WIDGET = Kind("example.com", "v1", "Widget", "widgets")
LABELS = {"labels": {LABEL: "test"}}
ORPHAN = DeleteOptions(propagation="Orphan")
FOREGROUND = DeleteOptions(propagation="Foreground")
STRANGER = {"apiVersion": "example.com/v1", "kind": "Widget", "name": "nobody", "uid": "nobody"}


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    """A client of a server without controllers."""
    async with Cluster() as cluster:
        yield Client(cluster.transport())


@pytest.fixture
def hand(client: Client) -> ByHand:
    """A collector that hears what the test lets it hear."""
    return ByHand(client, "test")


async def test_a_dependent_of_which_a_watch_tells_late_is_an_orphan_too(client: Client, hand: ByHand) -> None:
    hand.acting.now = datetime.now(UTC) + timedelta(seconds=1)
    owner = await client.create(Secret.from_wire({"metadata": {"name": "owner", **LABELS}}))
    dependent = await child(client, "dependent", owner, **LABELS)
    await client.delete(Secret, "owner", options=ORPHAN)
    await hand.note()
    while SECRET in hand.untold:
        hand.hear(SECRET)
    await hand.look(Key("default", owner.metadata.uid))
    assert not await is_there(client, owner)
    await hand.settle()
    assert await is_there(client, dependent)
    assert (await client.get(ConfigMap, "dependent")).metadata.owner_references == []


async def test_an_owner_of_a_kind_that_nobody_serves_is_not_absent(client: Client, hand: ByHand) -> None:
    dependent = await child(client, "dependent", STRANGER, **LABELS)
    await hand.settle()
    said = await hand.look(Key("default", dependent.metadata.uid))
    assert said is not None
    assert (said.is_ready, said.message) == (False, "Widget.example.com/v1 is not served")
    assert await is_there(client, dependent)


async def test_an_owner_of_a_kind_that_is_served_no_more_is_not_absent(client: Client, hand: ByHand) -> None:
    hand.ledger.serve([*KINDS, WIDGET])  # as discovery said a moment ago
    dependent = await child(client, "dependent", STRANGER, **LABELS)
    await hand.settle()
    assert await is_there(client, dependent)


async def test_an_object_that_a_list_lacks_is_asked_for_before_its_dependents_go(
    client: Client, hand: ByHand
) -> None:
    owner = await child(client, "owner", **LABELS)
    dependent = await child(client, "dependent", owner, **LABELS)
    await hand.settle()
    old = Snapshot(Untyped.of(CONFIG), orjson.dumps(owner.to_wire()))
    lost = Change(Untyped.of(CONFIG), Key("default", "owner"), (old, None), listed=True)
    (woken,) = hand.ledger.hear(lost)
    await hand.look(Key("default", woken.uid))
    assert await is_there(client, dependent)


@pytest.mark.parametrize("options", [ORPHAN, FOREGROUND])
async def test_no_owner_is_let_go_before_every_kind_was_listed(
    client: Client, hand: ByHand, options: DeleteOptions
) -> None:
    hand.ledger.is_complete = False
    owner = await child(client, "owner", **LABELS)
    await client.delete(ConfigMap, "owner", options=options)
    await hand.settle()
    said = await hand.look(Key("default", owner.metadata.uid))
    assert said is not None
    assert said.again is not None
    assert await is_there(client, owner)
    hand.ledger.is_complete = True
    await hand.look(Key("default", owner.metadata.uid))
    assert not await is_there(client, owner)


class Interfering(Acting):
    """Somebody does something just before the collector deletes."""

    def __init__(self, client: Client, act: Callable[[], Awaitable[Any]]) -> None:
        super().__init__(client)
        self._act: Callable[[], Awaitable[Any]] | None = act

    @override
    async def delete(
        self, kind: type[Resource], name: str, namespace: str = "", *, options: DeleteOptions
    ) -> None:
        act, self._act = self._act, None
        if act is not None:
            await act()
        await super().delete(kind, name, namespace, options=options)


async def test_a_dependent_that_is_adopted_while_it_is_judged_stays(client: Client, hand: ByHand) -> None:
    saviour = await child(client, "saviour", **LABELS)
    dependent = await child(client, "dependent", reference(saviour, uid="nobody"), **LABELS)
    adoption = MergePatch({"metadata": {"ownerReferences": [reference(saviour)]}})
    hand.acting = Interfering(client, lambda: client.patch(ConfigMap, "dependent", adoption))
    await hand.settle()
    assert await is_there(client, dependent)


async def test_a_dependent_that_only_changes_while_it_is_judged_goes(client: Client, hand: ByHand) -> None:
    saviour = await child(client, "saviour", **LABELS)
    dependent = await child(client, "dependent", reference(saviour, uid="nobody"), **LABELS)
    change = MergePatch({"data": {"more": "of it"}})
    hand.acting = Interfering(client, lambda: client.patch(ConfigMap, "dependent", change))
    await hand.settle()
    assert not await is_there(client, dependent)


async def test_who_takes_the_name_of_a_dependent_while_it_is_judged_stays(
    client: Client, hand: ByHand
) -> None:
    saviour = await child(client, "saviour", **LABELS)
    await child(client, "dependent", reference(saviour, uid="nobody"), **LABELS)
    made: list[ConfigMap] = []

    async def replace() -> None:
        await client.delete(ConfigMap, "dependent")
        made.append(await child(client, "dependent", **LABELS))

    hand.acting = Interfering(client, replace)
    await hand.settle()
    assert await is_there(client, made[0])


class Forgetful(InProcessTransport):
    """A server whose discovery does not reach a group for the time being."""

    def __init__(self, cluster: Cluster, group: str, *, stale: bool) -> None:
        super().__init__(cluster.server, _headers(cluster))
        self.group = group
        self._is_stale = stale

    @override
    async def send(self, request: Request) -> Response:
        said = await super().send(request)
        if request.path != "/apis" or not self.group:
            return said
        document = orjson.loads(said.body)
        for item in document["items"]:
            if item["metadata"]["name"] == self.group:
                for version in item["versions"]:
                    version.update(resources=[], freshness="Stale" if self._is_stale else "Current")
        return type(said)(status=200, headers=said.headers, body=orjson.dumps(document))


@asynccontextmanager
async def collecting(transport: InProcessTransport) -> AsyncIterator[Manager]:
    """A manager that collects garbage, and nothing else."""
    manager = Manager(Client(transport))
    manager.add(GarbageCollector.watching(manager.cache, manager.client))
    async with asyncio.TaskGroup() as group:
        running = group.create_task(manager.run())
        yield manager
        running.cancel()


@pytest.mark.parametrize("stale", [True, False])
async def test_a_group_that_cannot_be_discovered_does_not_make_its_owners_absent(*, stale: bool) -> None:
    async with Cluster() as cluster:
        client = Client(cluster.transport())
        template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "a", "image": "a"}]}}
        spec = {"selector": {"matchLabels": {"a": "b"}}, "template": template}
        owner = await client.create(ReplicaSet.from_wire({"metadata": {"name": "owner"}, "spec": spec}))
        dependents = [
            await child(client, "kept", owner),
            await child(client, "lost", reference(owner, uid="nobody")),
        ]
        unrelated = await child(client, "unrelated", reference(dependents[0], uid="nobody"))
        transport = Forgetful(cluster, "apps", stale=stale)
        async with collecting(transport):
            await gone(client, unrelated)
            assert [await is_there(client, each) for each in dependents] == [True, True]
            transport.group = ""
        async with collecting(transport):
            await gone(client, dependents[1])
            assert await is_there(client, dependents[0])


async def test_what_happened_while_nobody_collected_is_found_in_the_lists() -> None:
    async with Cluster() as cluster:
        client = Client(cluster.transport())
        owner = await child(client, "owner")
        waiting = await child(client, "waiting")
        orphaning = await child(client, "orphaning")
        lost, held = await child(client, "lost", owner), await child(client, "held", waiting)
        orphan = await child(client, "orphan", orphaning)
        await client.delete(ConfigMap, "owner")
        await client.delete(ConfigMap, "waiting", options=FOREGROUND)
        await client.delete(ConfigMap, "orphaning", options=ORPHAN)
        async with collecting(InProcessTransport(cluster.server, _headers(cluster))):
            await gone(client, lost, held, waiting, orphaning)
        assert (await client.get(ConfigMap, "orphan")).metadata.owner_references == []
        assert await is_there(client, orphan)


def _headers(cluster: Cluster) -> dict[str, str]:
    return {"authorization": f"Bearer {cluster.access.token()}"}
