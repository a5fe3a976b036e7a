from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import asynccontextmanager
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from polling import soon
from scripted import ScriptedStream, ScriptedTransport, answer
from windlass.aio import ManualClock
from windlass.api import ObjectMeta
from windlass.client import NO_RETRY, Client, ClientOptions, MergePatch, Request
from windlass.cluster import Cluster
from windlass.errors import (
    ApiError,
    ConfigError,
    Conflict,
    ConnectionFailedError,
    NotLeadingError,
    ServerError,
    ServerTimeout,
    ServiceUnavailable,
    TooManyRequests,
)
from windlass.kinds.core.v1 import ConfigMap
from windlass.testing import CALM, Faults, FaultyTransport, Scope

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

GET = Request(method="GET", path="/api/v1/namespaces/default/configmaps/c")
PATCH = Request(method="PATCH", path="/apis/example.com/v1/namespaces/default/widgets/w/status")
POST = Request(method="POST", path="/api/v1/namespaces/default/configmaps")
A_SECOND = timedelta(seconds=1)


def config_map(name: str = "c") -> ConfigMap:
    return ConfigMap(metadata=ObjectMeta(name=name, namespace="default"))


class Reading:
    """Reads the changes of ConfigMaps until the stream ends."""

    def __init__(self, transport: FaultyTransport, timeout: timedelta | None = None) -> None:
        self.lines: list[bytes] = []
        self._transport = transport
        self._timeout = timeout
        self.task = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        path = "/api/v1/namespaces/default/configmaps"
        request = Request(method="GET", path=path, query=(("watch", "true"),), timeout=self._timeout)
        async with self._transport.stream(request) as stream:
            async for line in stream.lines():
                self.lines.append(line)

    async def broken(self) -> None:
        with pytest.raises(ConnectionFailedError) as raised:
            await self.task
        assert raised.value.sent


@asynccontextmanager
async def faulty(**faults: Any) -> AsyncIterator[tuple[FaultyTransport, Client, Client]]:
    """A faulty way to a cluster, a client on it, and one who reaches the cluster undisturbed."""
    async with Cluster() as cluster:
        transport = FaultyTransport(cluster.transport(), Faults(**faults), clock=ManualClock())
        yield transport, Client(transport, ClientOptions(retry=NO_RETRY)), Client(cluster.transport())


@pytest.mark.parametrize(
    ("fault", "error", "reason", "retry_after"),
    [
        ("conflict", Conflict, "Conflict", None),
        ("busy", TooManyRequests, "", 1),
        ("throttled", TooManyRequests, "TooManyRequests", None),
        ("failed", ServerError, "", None),
        ("unavailable", ServiceUnavailable, "ServiceUnavailable", 1),
        ("abandoned", ServerTimeout, "Timeout", None),
    ],
)
async def test_an_answer_in_the_place_of_the_servers_is_told_apart_by_nobody_and_nothing_happens(
    fault: str, error: type[ApiError], reason: str, retry_after: float | None
) -> None:
    async with faulty() as (transport, client, observer):
        await client.create(config_map())
        certain: dict[str, Any] = {fault: 1}
        transport.faults = Faults(**certain)

        with pytest.raises(error) as raised:
            await client.patch(ConfigMap, "c", MergePatch({"data": {"a": "b"}}), "default")

        assert type(raised.value) is error
        said = raised.value.answer
        assert (said.reason, said.retry_after) == (reason, retry_after)
        assert (await observer.get(ConfigMap, "c", "default")).data == {}
        assert [each.fault for each in transport.log] == [fault]


async def test_a_conflict_has_the_words_of_the_server_for_the_same_object() -> None:
    async with faulty() as (transport, client, _):
        stale = await client.create(config_map())
        await client.patch(ConfigMap, "c", MergePatch({"data": {"a": "b"}}), "default")
        with pytest.raises(Conflict) as real:
            await client.update(stale)
        transport.faults = Faults(conflict=1)

        with pytest.raises(Conflict) as made:
            await client.update(stale)

        assert made.value.answer == real.value.answer


@pytest.mark.parametrize("request_", [GET, POST], ids=["a read", "a creation"])
async def test_only_writes_of_an_object_that_is_named_conflict(request_: Request) -> None:
    inner = ScriptedTransport([answer()])
    transport = FaultyTransport(inner, Faults(conflict=1))

    assert (await transport.send(request_)).status == 200
    assert transport.log == []


async def test_a_conflict_names_an_object_of_any_group() -> None:
    response = await FaultyTransport(ScriptedTransport([]), Faults(conflict=1)).send(PATCH)

    assert orjson.loads(response.body)["details"] == {
        "name": "w",
        "group": "example.com",
        "kind": "widgets",
    }


@pytest.mark.parametrize(
    ("fault", "sent", "happened"), [("lost", True, True), ("dropped", True, False), ("refused", False, False)]
)
async def test_a_broken_connection_says_whether_the_request_may_have_arrived(
    fault: str, *, sent: bool, happened: bool
) -> None:
    async with faulty(**{fault: 1}) as (_, client, observer):
        with pytest.raises(ConnectionFailedError) as raised:
            await client.create(config_map())

        assert raised.value.sent is sent
        found = [each.metadata.name for each in await observer.list(ConfigMap, "default")]
        assert ("c" in found) is happened


async def test_a_server_that_gives_up_may_have_done_it() -> None:
    async with faulty(timed_out=1) as (_, client, observer):
        with pytest.raises(ServerTimeout):
            await client.create(config_map())

        await observer.get(ConfigMap, "c", "default")


async def test_the_shares_are_kept_and_the_seed_decides_which() -> None:
    faults = Faults(busy=0.1, failed=0.2)

    async def befallen(seed: int) -> list[str]:
        inner = ScriptedTransport([answer()] * 1000)
        transport = FaultyTransport(inner, faults, random=Random(seed))
        for _ in range(1000):
            await transport.send(GET)
        return [each.fault for each in transport.log]

    first = await befallen(1)
    counts = Counter(first)
    assert set(counts) == {"busy", "failed"}
    assert 50 < counts["busy"] < 150
    assert 120 < counts["failed"] < 280
    assert await befallen(1) == first
    assert await befallen(2) != first


async def test_faults_can_be_limited_to_some_requests_and_end() -> None:
    inner = ScriptedTransport([answer()] * 2)
    transport = FaultyTransport(inner, Faults(failed=1, only=Scope(verbs=frozenset({"create"}))))

    assert (await transport.send(GET)).status == 200
    assert (await transport.send(POST)).status == 500
    transport.faults = CALM
    assert (await transport.send(POST)).status == 200
    assert transport.count("failed") == 1


@pytest.mark.parametrize("seed", range(4))
async def test_a_request_that_is_late_takes_time_and_no_more_than_it_has(seed: int) -> None:
    clock = ManualClock()
    inner = ScriptedTransport([answer()] * 2)
    faults = Faults(late=1, longest_delay=A_SECOND)
    transport = FaultyTransport(inner, faults, clock=clock, random=Random(seed))

    patient = asyncio.ensure_future(transport.send(GET))
    await asyncio.sleep(0)
    assert not patient.done()
    await clock.advance(A_SECOND)
    assert (await patient).status == 200

    limit = timedelta(microseconds=1)
    hurried = asyncio.ensure_future(transport.send(Request(method="GET", path="/", timeout=limit)))
    await asyncio.sleep(0)
    await clock.advance(limit)
    with pytest.raises(ConnectionFailedError) as raised:
        await hurried
    assert raised.value.sent is (len(inner.requests) == 2)


def forbid() -> None:
    raise NotLeadingError("not any more")


@pytest.mark.parametrize("faults", [Faults(failed=1), CALM], ids=["a refusal", "a partition"])
async def test_who_may_no_longer_send_is_not_answered_either(faults: Faults) -> None:
    transport = FaultyTransport(ScriptedTransport([]), faults)
    if faults is CALM:
        transport.partition("silent")

    with pytest.raises(NotLeadingError):
        await transport.send(Request(method="PATCH", path="/", guard=forbid))


async def test_a_stream_is_refused_as_a_request_is() -> None:
    transport = FaultyTransport(ScriptedTransport([]), Faults(failed=1))

    async with transport.stream(GET) as stream:
        lines = [line async for line in stream.lines()]

    assert stream.status == 500
    assert orjson.loads(lines[0])["message"] == "etcdserver: request timed out"


async def test_a_stream_breaks_off_before_some_line() -> None:
    script = ScriptedStream(tuple(b"%d" % number for number in range(1000)))
    transport = FaultyTransport(ScriptedTransport([script]), Faults(cut=0.1), random=Random(1))
    reading = Reading(transport)

    await reading.broken()

    assert 0 < len(reading.lines) < 200
    assert transport.count("cut") == 1


@pytest.mark.parametrize("lines", [0, 3])
async def test_a_stream_breaks_off_after_so_many_lines(lines: int) -> None:
    script = ScriptedStream(tuple(b"%d" % number for number in range(10)))
    reading = Reading(FaultyTransport(ScriptedTransport([script]), Faults(cut_after=lines)))

    await reading.broken()

    assert len(reading.lines) == lines


async def test_faults_happen_so_often_as_is_said() -> None:
    transport = FaultyTransport(ScriptedTransport([answer()]), Faults(failed=1, times=2))

    assert [(await transport.send(GET)).status for _ in range(3)] == [500, 500, 200]


async def test_a_stream_lasts_no_longer_than_it_may() -> None:
    clock = ManualClock()
    async with Cluster() as cluster:
        transport = FaultyTransport(cluster.transport(), Faults(cut_every=A_SECOND), clock=clock)
        reading = Reading(transport)
        await soon(lambda: clock.sleeps == [A_SECOND])
        await clock.advance(A_SECOND / 2)
        assert transport.streams == 1

        await clock.advance(A_SECOND / 2)
        await reading.broken()

        assert transport.streams == 0
        assert transport.count("cut") == 1


async def test_all_streams_can_be_cut_by_hand() -> None:
    async with faulty() as (transport, client, _):
        first, second = Reading(transport), Reading(transport)
        await soon(lambda: transport.streams == 2)
        await client.create(config_map())
        await soon(lambda: first.lines and second.lines)

        transport.cut()

        await first.broken()
        await second.broken()


async def test_a_silent_stream_hears_nothing_more_and_nobody_is_told() -> None:
    async with faulty(silent=1) as (transport, _, observer):
        reading = Reading(transport)
        await soon(lambda: transport.streams == 1)
        for number in range(20):
            await observer.create(config_map(f"c{number}"))
        await soon(lambda: transport.count("silent") == 1)

        assert len(reading.lines) < 20
        assert not reading.task.done()
        transport.cut()
        await reading.broken()


async def test_a_silent_stream_ends_when_its_reader_has_waited_long_enough() -> None:
    clock = ManualClock()
    async with Cluster() as cluster:
        transport = FaultyTransport(cluster.transport(), clock=clock)
        reading = Reading(transport, A_SECOND)
        await soon(lambda: transport.streams == 1)
        transport.partition("silent")
        await Client(cluster.transport()).create(config_map())
        await soon(lambda: clock.sleeps == [A_SECOND])

        await clock.advance(A_SECOND)

        await reading.broken()


@pytest.mark.parametrize(("how", "happened"), [("refused", False), ("silent", False), ("deaf", True)])
async def test_a_partition_lasts_until_it_is_healed(how: Any, *, happened: bool) -> None:
    async with faulty() as (transport, client, observer):
        reading = Reading(transport)
        await soon(lambda: transport.streams == 1)
        transport.partition(how)
        creating = asyncio.ensure_future(client.create(config_map()))
        await soon(lambda: transport.count("partition") == 1)
        await observer.create(config_map("other"))
        assert reading.lines == []
        assert creating.done() is (how == "refused")

        transport.heal()

        with pytest.raises(ConnectionFailedError) as raised:
            await creating
        assert raised.value.sent is (how != "refused")
        await reading.broken()
        found = [each.metadata.name for each in await client.list(ConfigMap, "default")]
        assert ("c" in found) is happened


async def test_a_request_in_a_partition_gives_up_after_its_time() -> None:
    clock = ManualClock()
    transport = FaultyTransport(ScriptedTransport([]), clock=clock)
    transport.partition("silent")
    sending = asyncio.ensure_future(transport.send(Request(method="GET", path="/", timeout=A_SECOND)))
    await soon(lambda: clock.sleeps == [A_SECOND])

    await clock.advance(A_SECOND)

    with pytest.raises(ConnectionFailedError):
        await sending


async def test_an_answer_that_is_on_its_way_when_the_network_splits_is_lost() -> None:
    clock = ManualClock()
    inner = ScriptedTransport([answer()])
    faults = Faults(late=1, longest_delay=A_SECOND)
    transport = FaultyTransport(inner, faults, clock=clock, random=Random(3))
    sending = asyncio.ensure_future(transport.send(POST))
    await soon(lambda: len(clock.sleeps) == 1)
    transport.partition()
    await clock.advance(A_SECOND)

    with pytest.raises(ConnectionFailedError):
        await sending


async def test_closing_it_closes_what_it_wraps() -> None:
    inner = ScriptedTransport([])

    await FaultyTransport(inner).close()

    assert inner.closed == 1


@pytest.mark.parametrize(
    ("faults", "said"),
    [
        ({"busy": 1.5}, "busy is a share"),
        ({"lost": -0.1}, "lost is a share"),
        ({"busy": 0.6, "failed": 0.6}, "1.2 together"),
        ({"cut_every": timedelta()}, "cut_every"),
        ({"cut_after": -1}, "cut_after"),
        ({"times": -1}, "times"),
        ({"shortest_delay": A_SECOND * 2}, "shortest_delay"),
    ],
)
def test_shares_that_are_none_are_refused_by_name(faults: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        Faults(**faults)


@pytest.mark.parametrize(
    ("faults", "said"),
    [
        (Faults(stale=1), "stale: only a server"),
        (Faults(delayed=1), "delayed: only a server"),
        (Faults(compacted=1), "compacted: only a server"),
        (Faults(failed=1, only=Scope(user="jane")), "does not know who asks"),
    ],
)
def test_what_only_a_server_can_do_is_refused_by_name(faults: Faults, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        FaultyTransport(ScriptedTransport([]), faults)
