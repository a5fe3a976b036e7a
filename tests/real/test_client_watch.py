"""Watches on the real server, and what a broken connection does to them and to the other verbs."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from real import QUICK, Relay, administrator, relayed, settled
from windlass.aio import SystemClock
from windlass.api import ObjectMeta
from windlass.client import NO_RETRY, DeleteOptions, MergePatch, WatchOptions
from windlass.errors import ConnectionFailedError, NotFound
from windlass.kinds.core.v1 import ConfigMap

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from real import Moment
    from windlass.client import Client, Event
    from windlass.testing import Access

MOMENTS: tuple[Moment, Moment] = ("request", "answer")
PRESENT = WatchOptions(initial_events=True)


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


@pytest.fixture
async def far(control_plane: Access, namespace: str, relay: Relay) -> AsyncIterator[Client]:
    """A client who reaches the server by way of the relay only."""
    async with administrator(control_plane, namespace, relay.server, retry=QUICK) as made:
        yield made


def config_map(name: str, **labels: str) -> ConfigMap:
    made = ConfigMap(metadata=ObjectMeta(name=name))
    made.metadata.labels.update(labels)
    return made


def told(event: Event[ConfigMap]) -> tuple[str, str]:
    return event.type, event.object.metadata.name


async def changes(watch: AsyncIterator[Event[ConfigMap]], count: int) -> list[Event[ConfigMap]]:
    """The next events; the server sends bookmarks between them when it pleases."""
    seen: list[Event[ConfigMap]] = []
    while len(seen) < count:
        event = await anext(watch)
        if event.type != "BOOKMARK":
            seen.append(event)
    return seen


async def take(watch: AsyncIterator[Event[ConfigMap]], count: int) -> list[tuple[str, str]]:
    """What the next events tell."""
    return [told(event) for event in await changes(watch, count)]


async def test_a_watch_shows_the_present_first_and_then_each_change(client: Client, namespace: str) -> None:
    await client.create(config_map("a"))
    await client.create(config_map("b"))

    async with aclosing(client.watch(ConfigMap, namespace, options=PRESENT)) as watch:
        present = {told(await anext(watch)) for _ in range(2)}
        end = await anext(watch)
        await client.patch(ConfigMap, "a", MergePatch({"data": {"x": "1"}}))
        await client.delete(ConfigMap, "b")
        await client.create(config_map("c"))
        later = await changes(watch, 3)

    assert present == {("ADDED", "a"), ("ADDED", "b")}
    assert (end.type, end.initial_events_end) == ("BOOKMARK", True)
    assert [told(each) for each in later] == [("MODIFIED", "a"), ("DELETED", "b"), ("ADDED", "c")]
    assert later[0].object.data == {"x": "1"}
    versions = [int(each.resource_version) for each in (end, *later)]
    assert versions == sorted(set(versions))


async def test_a_watch_from_the_version_of_a_list_shows_what_came_after(
    client: Client, namespace: str
) -> None:
    await client.create(config_map("before"))
    version = (await client.list(ConfigMap, namespace)).resource_version
    await client.create(config_map("after"))

    options = WatchOptions(resource_version=version)
    async with aclosing(client.watch(ConfigMap, namespace, options=options)) as watch:
        assert await take(watch, 1) == [("ADDED", "after")]


async def test_a_watch_resumed_from_a_bookmark_misses_nothing(client: Client, namespace: str) -> None:
    await client.create(config_map("a"))
    async with aclosing(client.watch(ConfigMap, namespace, options=PRESENT)) as watch:
        bookmark = [await anext(watch), await anext(watch)][-1]
    assert bookmark.initial_events_end
    await client.create(config_map("b"))
    await client.delete(ConfigMap, "a")

    options = WatchOptions(resource_version=bookmark.resource_version)
    async with aclosing(client.watch(ConfigMap, namespace, options=options)) as watch:
        assert await take(watch, 2) == [("ADDED", "b"), ("DELETED", "a")]


@pytest.mark.parametrize("limit", [timedelta(seconds=1), timedelta(milliseconds=200)], ids=str)
async def test_a_timeout_ends_a_watch_without_an_error(
    client: Client, namespace: str, limit: timedelta
) -> None:
    await client.create(config_map("a"))

    async with asyncio.timeout(20):
        options = replace(PRESENT, timeout=limit)
        seen = [each async for each in client.watch(ConfigMap, namespace, options=options)]

    assert [told(each) for each in seen if each.type != "BOOKMARK"] == [("ADDED", "a")]


async def test_managed_fields_are_left_out_unless_asked_for(client: Client, namespace: str) -> None:
    await client.create(ConfigMap(metadata=ObjectMeta(name="a"), data={"x": "1"}))

    for wanted in (False, True):
        options = replace(PRESENT, managed_fields=wanted)
        async with aclosing(client.watch(ConfigMap, namespace, options=options)) as watch:
            assert bool((await anext(watch)).object.metadata.managed_fields) is wanted


async def test_two_watchers_see_the_same_events_in_the_same_order(client: Client, namespace: str) -> None:
    async with (
        aclosing(client.watch(ConfigMap, namespace, options=PRESENT)) as one,
        aclosing(client.watch(ConfigMap, namespace, options=PRESENT)) as two,
    ):
        for watch in (one, two):
            assert (await anext(watch)).initial_events_end
        takers = [asyncio.ensure_future(take(watch, 30)) for watch in (one, two)]
        await asyncio.gather(*(client.create(config_map(f"c{index}")) for index in range(30)))
        first, second = await asyncio.gather(*takers)

    assert first == second
    assert {name for _, name in first} == {f"c{index}" for index in range(30)}


async def test_an_object_that_comes_to_match_is_added_and_one_that_ceases_is_deleted(
    client: Client, namespace: str
) -> None:
    await client.create(config_map("a", tier="web"))
    await client.create(config_map("b", tier="db"))

    async with aclosing(client.watch(ConfigMap, namespace, labels="tier=web", options=PRESENT)) as watch:
        assert await take(watch, 1) == [("ADDED", "a")]
        await client.patch(ConfigMap, "b", MergePatch({"metadata": {"labels": {"tier": "web"}}}))
        await client.patch(ConfigMap, "a", MergePatch({"metadata": {"labels": {"tier": None}}}))
        assert await take(watch, 2) == [("ADDED", "b"), ("DELETED", "a")]


async def test_a_field_selector_narrows_a_watch_to_one_object(client: Client, namespace: str) -> None:
    async with aclosing(
        client.watch(ConfigMap, namespace, fields="metadata.name=b", options=PRESENT)
    ) as watch:
        assert (await anext(watch)).initial_events_end
        for name in ("a", "b", "c"):
            await client.create(config_map(name))
        await client.delete(ConfigMap, "b")
        assert await take(watch, 2) == [("ADDED", "b"), ("DELETED", "b")]


async def test_a_cut_in_the_middle_is_a_failed_connection(
    far: Client, client: Client, relay: Relay, namespace: str
) -> None:
    await client.create(config_map("a"))
    async with aclosing(far.watch(ConfigMap, namespace, options=PRESENT)) as watch:
        await take(watch, 1)
        relay.cut()
        with pytest.raises(ConnectionFailedError) as error:
            await take(watch, 1)

    assert error.value.sent
    assert relay.server in str(error.value)


async def test_a_watch_resumed_by_version_after_each_cut_sees_everything_exactly_once(
    far: Client, client: Client, relay: Relay, namespace: str
) -> None:
    names = [f"c{index:03}" for index in range(300)]
    seen: list[str] = []
    flowing = asyncio.Event()
    cuts = 0

    async def follow(version: str) -> None:
        nonlocal cuts
        while len(seen) < len(names):
            options = WatchOptions(resource_version=version)
            try:
                async with aclosing(far.watch(ConfigMap, namespace, options=options)) as watch:
                    async for event in watch:
                        version = event.resource_version
                        flowing.set()
                        if event.type != "BOOKMARK":
                            seen.append(event.object.metadata.name)
                        if len(seen) == len(names):
                            return
            except ConnectionFailedError:
                cuts += 1

    async def write() -> None:
        for start in range(0, len(names), 15):
            flowing.clear()
            batch = asyncio.gather(*(client.create(config_map(name)) for name in names[start : start + 15]))
            await flowing.wait()
            relay.cut()
            await batch

    version = (await client.list(ConfigMap, namespace)).resource_version
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(follow(version))
        tasks.create_task(write())

    assert sorted(seen) == names
    assert cuts >= 10  # of twenty; a cut that meets a watch before its answer began is not even noticed


async def test_leaving_a_watch_early_closes_its_connection(
    far: Client, client: Client, relay: Relay, namespace: str
) -> None:
    await client.create(config_map("a"))

    async with aclosing(far.watch(ConfigMap, namespace, options=PRESENT)) as watch:
        async for event in watch:
            assert event.object.metadata.name == "a"
            assert relay.open == 1
            break

    await relay.until(lambda: relay.open == 0)
    assert relay.accepted == 1


async def test_cancelling_a_watch_closes_its_connection(far: Client, relay: Relay, namespace: str) -> None:
    began = asyncio.Event()

    async def follow() -> None:
        async for event in far.watch(ConfigMap, namespace, options=PRESENT):
            if event.initial_events_end:
                began.set()

    task = asyncio.ensure_future(follow())
    await began.wait()
    assert relay.open == 1
    task.cancel()
    await asyncio.wait([task])

    await relay.until(lambda: relay.open == 0)


@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_read_succeeds_across_cuts(far: Client, client: Client, relay: Relay, moment: Moment) -> None:
    await client.create(config_map("a"))
    relay.cut_next("GET", moment, times=3)

    assert (await far.get(ConfigMap, "a")).metadata.name == "a"
    assert relay.requests["GET"] == 4


async def test_many_reads_succeed_while_the_relay_is_cut_again_and_again(
    far: Client, client: Client, relay: Relay, namespace: str
) -> None:
    await client.create(config_map("a"))
    reading = asyncio.gather(*(far.get(ConfigMap, "a") for _ in range(50)))
    for _ in range(5):
        await relay.until(lambda: relay.open > 0 or reading.done())
        relay.cut()

    assert len(await reading) == 50


Write = tuple[str, "Callable[[Client], Awaitable[object]]"]

WRITES: dict[str, Write] = {
    "create": ("POST", lambda client: client.create(config_map("new"))),
    "update": ("PUT", lambda client: client.update(config_map("old", a="b"))),
    "patch": ("PATCH", lambda client: client.patch(ConfigMap, "old", MergePatch({"data": {"a": "b"}}))),
    "apply": ("PATCH", lambda client: client.apply(config_map("new"))),
    "delete": ("DELETE", lambda client: client.delete(ConfigMap, "old")),
    "delete_collection": ("DELETE", lambda client: client.delete_collection(ConfigMap)),
}


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("verb", list(WRITES))
async def test_a_write_whose_answer_was_lost_is_not_sent_again(
    far: Client, client: Client, relay: Relay, verb: str, moment: Moment
) -> None:
    method, write = WRITES[verb]
    await client.create(config_map("old"))
    await far.get(ConfigMap, "old")  # so that the write goes over a kept connection, where libraries repeat
    relay.cut_next(method, moment, times=2)

    with pytest.raises(ConnectionFailedError) as error:
        await write(far)

    assert error.value.sent
    assert relay.requests[method] == 1


async def test_a_create_whose_answer_was_lost_may_have_happened(
    far: Client, client: Client, relay: Relay
) -> None:
    for name, moment in zip(("lost", "made"), MOMENTS, strict=True):
        relay.cut_next("POST", moment)
        with pytest.raises(ConnectionFailedError):
            await far.create(config_map(name))

    assert (await client.get(ConfigMap, "made")).metadata.name == "made"
    with pytest.raises(NotFound):
        await client.get(ConfigMap, "lost")


class OnFirstSleep(SystemClock):
    """A clock with which something happens as soon as someone waits."""

    def __init__(self, happen: Callable[[], Awaitable[None]]) -> None:
        self._happen: Callable[[], Awaitable[None]] | None = happen

    @override
    async def sleep(self, delay: timedelta) -> None:
        if self._happen:
            happen, self._happen = self._happen, None
            await happen()
        await super().sleep(delay)


async def test_a_create_that_found_nobody_listening_is_sent_when_someone_does(
    control_plane: Access, namespace: str, relay: Relay
) -> None:
    await relay.refuse()
    retry = replace(QUICK, clock=OnFirstSleep(relay.listen))

    async with administrator(control_plane, namespace, relay.server, retry=retry) as far:
        made = await far.create(config_map("a"))

    assert made.metadata.uid
    assert relay.requests["POST"] == 1


async def test_without_retries_a_read_is_repeated_once_at_most(
    control_plane: Access, namespace: str, relay: Relay
) -> None:
    relay.cut_next("GET", "answer", times=5)

    async with administrator(control_plane, namespace, relay.server, retry=NO_RETRY) as far:
        with pytest.raises(ConnectionFailedError):
            await far.list(ConfigMap, namespace)

    assert relay.requests["GET"] <= 2  # the HTTP library tries a read again, once


async def test_a_cut_delete_that_happened_can_be_asked_for_again_by_uid(
    far: Client, client: Client, relay: Relay
) -> None:
    made = await client.create(config_map("a"))
    meant = DeleteOptions(uid=made.metadata.uid)
    relay.cut_next("DELETE", "answer")
    with pytest.raises(ConnectionFailedError):
        await far.delete(ConfigMap, "a", options=meant)

    with pytest.raises(NotFound):
        await far.delete(ConfigMap, "a", options=meant)
