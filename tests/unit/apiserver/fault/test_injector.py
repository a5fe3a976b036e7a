"""What goes wrong in the server is met by clients alike, in this process and over HTTPS."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from polling import soon
from windlass.aio import ManualClock
from windlass.api import ObjectMeta
from windlass.apiserver import World
from windlass.client import (
    NO_RETRY,
    Client,
    ClientOptions,
    HttpTransport,
    MergePatch,
    Request,
    WatchOptions,
    load_config,
)
from windlass.cluster import Cluster, ClusterOptions
from windlass.errors import (
    ApiError,
    ConfigError,
    Conflict,
    ConnectionFailedError,
    Gone,
    ServerError,
    ServerTimeout,
    ServiceUnavailable,
    TooManyRequests,
)
from windlass.kinds.core.v1 import ConfigMap
from windlass.testing import Faults, Scope

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Transport

A_SECOND = timedelta(seconds=1)
WATCHES = Scope(verbs=frozenset({"watch"}))
CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"


@dataclass
class Way:
    """A cluster that things can go wrong in, a client who meets that, and an observer who does not."""

    cluster: Cluster
    transport: Transport
    observer: Client
    clock: ManualClock

    @property
    def client(self) -> Client:
        return Client(self.transport, ClientOptions(retry=NO_RETRY))

    async def names(self) -> list[str]:
        found = [each.metadata.name for each in await self.observer.list(ConfigMap, "default")]
        return [name for name in found if name != "kube-root-ca.crt"]

    async def make(self, *names: str) -> None:
        for name in names:
            await self.observer.create(config_map(name))


def config_map(name: str = "c") -> ConfigMap:
    return ConfigMap(metadata=ObjectMeta(name=name, namespace="default"))


def of_clients(**faults: Any) -> Faults:
    """Faults that the observer does not meet."""
    only = faults.pop("only", Scope())
    named = {name: getattr(only, name) for name in ("verbs", "resource", "subresource", "namespace", "name")}
    return Faults(**faults, only=Scope(**named, user="admin"))


@asynccontextmanager
async def a_way(kind: str = "in-process") -> AsyncIterator[Way]:
    clock = ManualClock()
    port = 0 if kind == "HTTPS" else None
    options = ClusterOptions(port=port, world=World(clock=clock), users={"observer": ("system:masters",)})
    async with Cluster(options) as cluster:
        over = HttpTransport(load_config(cluster.access.kubeconfig)) if port == 0 else cluster.transport()
        try:
            yield Way(cluster, over, Client(cluster.transport("observer")), clock)
        finally:
            cluster.faults.clear()
            await over.close()


@pytest.fixture(params=["in-process", "HTTPS"])
async def way(request: pytest.FixtureRequest) -> AsyncIterator[Way]:
    async with a_way(request.param) as made:
        yield made


@pytest.fixture
async def near() -> AsyncIterator[Way]:
    async with a_way() as made:
        yield made


class Reading:
    """Reads the changes of ConfigMaps until the stream ends."""

    def __init__(self, way: Way, *query: tuple[str, str], timeout: timedelta | None = None) -> None:
        self.lines: list[bytes] = []
        self.is_open = False
        self._transport = way.transport
        query = (("watch", "true"), *query)
        self._request = Request(method="GET", path=CONFIG_MAPS, query=query, timeout=timeout)
        self.task = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        async with self._transport.stream(self._request) as stream:
            self.is_open = True
            async for line in stream.lines():
                self.lines.append(line)

    async def broken(self) -> None:
        with pytest.raises(ConnectionFailedError) as raised:
            await self.task
        assert raised.value.sent


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
async def test_a_refusal_comes_in_the_place_of_the_write(
    way: Way, fault: Any, error: type[ApiError], reason: str, retry_after: float | None
) -> None:
    await way.make("c")
    with way.cluster.faults.applied(of_clients(**{fault: 1})) as faults:
        with pytest.raises(error) as raised:
            await way.client.patch(ConfigMap, "c", MergePatch({"data": {"a": "b"}}), "default")

        assert (raised.value.answer.reason, raised.value.answer.retry_after) == (reason, retry_after)
        assert (await way.observer.get(ConfigMap, "c", "default")).data == {}
        assert [(each.fault, each.user) for each in faults.log] == [(fault, "admin")]
        assert faults.log[0].request == f"PATCH {CONFIG_MAPS}/c"


@pytest.mark.parametrize(("fault", "happened"), [("dropped", False), ("lost", True)])
async def test_a_connection_breaks_before_or_after_the_write_and_the_client_cannot_tell(
    way: Way, fault: Any, *, happened: bool
) -> None:
    with way.cluster.faults.applied(of_clients(**{fault: 1}, times=1)):
        with pytest.raises(ConnectionFailedError) as raised:
            await way.client.create(config_map())

        assert raised.value.sent
        assert (await way.names() == ["c"]) is happened
        await way.client.list(ConfigMap)  # who comes after finds a server that works


async def test_the_answer_that_is_lost_may_have_been_a_refusal(near: Way) -> None:
    with near.cluster.faults.applied(of_clients(lost=1)), pytest.raises(ConnectionFailedError):
        await near.client.get(ConfigMap, "missing", "default")


async def test_a_server_that_gives_up_may_have_done_it(way: Way) -> None:
    with way.cluster.faults.applied(of_clients(timed_out=1)), pytest.raises(ServerTimeout):
        await way.client.create(config_map())

    assert await way.names() == ["c"]


@pytest.mark.parametrize("seed", range(4))
async def test_what_is_late_waits_by_the_clock_of_the_server(way: Way, seed: int) -> None:
    faults = of_clients(late=1, shortest_delay=A_SECOND, longest_delay=2 * A_SECOND)
    with way.cluster.faults.applied(faults, seed=seed):
        creating = asyncio.ensure_future(way.client.create(config_map()))
        await soon(lambda: any(A_SECOND <= each <= 2 * A_SECOND for each in way.clock.sleeps))
        assert not creating.done()
        await way.clock.advance(2 * A_SECOND)

        assert (await creating).metadata.name == "c"


async def test_who_waits_no_longer_than_a_while_gives_up_on_what_is_late(near: Way) -> None:
    request = Request(method="GET", path=CONFIG_MAPS, timeout=A_SECOND)
    late = of_clients(late=1, shortest_delay=5 * A_SECOND, longest_delay=5 * A_SECOND)
    with near.cluster.faults.applied(late):
        reading = asyncio.ensure_future(near.transport.send(request))
        await soon(lambda: A_SECOND in near.clock.sleeps)
        await near.clock.advance(A_SECOND)

        with pytest.raises(ConnectionFailedError):
            await reading


async def test_a_watch_is_refused_as_any_request_is(way: Way) -> None:
    with (
        way.cluster.faults.applied(of_clients(failed=1)),
        pytest.raises(ServerError),
    ):
        await anext(way.client.watch(ConfigMap, "default"))


@pytest.mark.parametrize("lines", [0, 2])
async def test_a_watch_is_cut_after_so_many_events(way: Way, lines: int) -> None:
    with way.cluster.faults.applied(of_clients(cut_after=lines, only=WATCHES)) as faults:
        await way.make("a", "b", "c")
        reading = Reading(way, ("resourceVersion", "0"), ("fieldSelector", "metadata.name!=kube-root-ca.crt"))

        await reading.broken()

        assert len(reading.lines) == lines
        assert faults.count("cut") == 1


@pytest.mark.parametrize("lines", [0, 2])
async def test_a_watch_ends_in_good_order_after_so_many_events(way: Way, lines: int) -> None:
    with way.cluster.faults.applied(of_clients(end_after=lines, only=WATCHES)) as faults:
        await way.make("a", "b", "c")
        reading = Reading(way, ("resourceVersion", "0"))

        await reading.task

        assert len(reading.lines) == lines
        assert faults.count("ended") == 1


async def test_a_watch_is_cut_before_some_event(way: Way) -> None:
    with way.cluster.faults.applied(of_clients(cut=0.2, only=WATCHES), seed=3):
        reading = Reading(way)
        await soon(lambda: reading.is_open)
        await way.make(*(f"c{number}" for number in range(60)))

        await reading.broken()

        assert len(reading.lines) < 60


async def test_a_watch_lasts_no_longer_than_it_may(way: Way) -> None:
    with way.cluster.faults.applied(of_clients(cut_every=A_SECOND)):
        reading = Reading(way)
        await soon(lambda: A_SECOND in way.clock.sleeps)
        await way.clock.advance(A_SECOND / 2)
        assert not reading.task.done()

        await way.clock.advance(A_SECOND / 2)

        await reading.broken()


async def test_a_silent_watch_stays_open_and_breaks_when_the_faults_end(way: Way) -> None:
    with way.cluster.faults.applied(of_clients(silent=1)) as faults:
        reading = Reading(way)
        await soon(lambda: reading.is_open)
        await way.make(*(f"c{number}" for number in range(20)))
        await soon(lambda: faults.count("silent"))

        assert len(reading.lines) < 20
        assert not reading.task.done()

    await reading.broken()


async def test_a_watch_goes_on_undisturbed_when_the_faults_end(near: Way) -> None:
    hour = timedelta(hours=1)
    faults = of_clients(cut_every=A_SECOND, cut_after=1, delayed=1, shortest_delay=hour, longest_delay=hour)
    with near.cluster.faults.applied(faults):
        reading = Reading(near, ("resourceVersion", str(near.cluster.server.world.store.revision)))
        await soon(lambda: A_SECOND in near.clock.sleeps)

    await near.clock.advance(A_SECOND)
    await near.make("a", "b", "c")
    await soon(lambda: len(reading.lines) == 3)
    reading.task.cancel()


async def test_a_refusal_is_late_too(near: Way) -> None:
    late = of_clients(failed=1, late=1, shortest_delay=A_SECOND, longest_delay=A_SECOND)
    for seed in range(6):
        with near.cluster.faults.applied(late, seed=seed):
            asking = asyncio.ensure_future(near.transport.send(Request(method="GET", path=CONFIG_MAPS)))
            for _ in range(10):
                await asyncio.sleep(0)
            assert not asking.done()
            await near.clock.advance(A_SECOND)
            assert (await asking).status == 500


async def test_a_silent_watch_breaks_with_the_server() -> None:
    async with a_way() as way:
        way.cluster.faults.add(of_clients(silent=1), seed=2)
        reading = Reading(way)
        await soon(lambda: reading.is_open)
        await way.make(*(f"c{number}" for number in range(20)))
        await soon(lambda: way.cluster.faults.count("silent"))
        way.cluster.server.close()

        await reading.broken()


async def test_a_silent_watch_ends_when_its_reader_has_waited_long_enough(near: Way) -> None:
    with near.cluster.faults.applied(of_clients(silent=1), seed=2) as faults:
        reading = Reading(near, timeout=A_SECOND)
        await soon(lambda: reading.is_open)
        await near.make(*(f"c{number}" for number in range(20)))
        await soon(lambda: faults.count("silent"))

        await near.clock.advance(A_SECOND)

        await reading.broken()


async def test_delayed_events_come_late_all_of_them_and_in_order(way: Way) -> None:
    faults = of_clients(delayed=1, shortest_delay=A_SECOND, longest_delay=A_SECOND)
    with way.cluster.faults.applied(faults):
        reading = Reading(way, ("resourceVersion", str(way.cluster.server.world.store.revision)))
        await soon(lambda: reading.is_open and way.clock.sleeps)
        await way.make("a", "b", "c")
        await soon(lambda: A_SECOND in way.clock.sleeps)
        assert reading.lines == []

        async def come() -> None:
            while len(reading.lines) < 3:
                await way.clock.advance(A_SECOND)
                await asyncio.sleep(0)

        await asyncio.wait_for(come(), 10)
        assert [line.partition(b'"name":"')[2][:1] for line in reading.lines] == [b"a", b"b", b"c"]
        reading.task.cancel()


async def test_whoever_is_behind_a_compaction_is_told_so(way: Way) -> None:
    await way.make("a")
    version = (await way.observer.list(ConfigMap, "default")).resource_version
    await way.make("b")
    with way.cluster.faults.applied(of_clients(compacted=1, times=1)), pytest.raises(Gone):
        await anext(way.client.watch(ConfigMap, options=WatchOptions(resource_version=version)))


async def test_faults_befall_those_who_are_meant_and_so_often_as_is_said(near: Way) -> None:
    only = Scope(verbs=frozenset({"create"}), resource="configmaps", namespace="default")
    with near.cluster.faults.applied(Faults(failed=1, times=2, only=only)) as faults:
        assert (await near.transport.send(Request(method="GET", path=CONFIG_MAPS))).status == 200
        for _ in range(2):
            with pytest.raises(ServerError):
                await near.client.create(config_map())
        await near.client.create(config_map())

        assert faults.count("failed") == 2


async def test_the_first_of_several_faults_has_its_way_and_times_are_counted_by_each(near: Way) -> None:
    with (
        near.cluster.faults.applied(Faults(failed=1, times=1)),
        near.cluster.faults.applied(Faults(unavailable=1, times=2)),
    ):
        said = [(await near.transport.send(Request(method="GET", path=CONFIG_MAPS))).status for _ in range(3)]

    assert said == [500, 503, 200]


async def befallen(seed: int) -> list[str]:
    faults = Faults(busy=0.1, failed=0.2, stale=0.3, late=0.1, longest_delay=timedelta(microseconds=1))
    async with Cluster() as cluster:
        transport = cluster.transport()
        with cluster.faults.applied(faults, seed=seed) as applied:
            for _ in range(500):
                await transport.send(Request(method="GET", path=CONFIG_MAPS))
            return [each.fault for each in applied.log]


async def test_the_seed_decides_what_happens_to_which_request() -> None:
    first = await befallen(1)

    counts = Counter(first)
    assert 20 < counts["busy"] < 80
    assert 50 < counts["failed"] < 150
    assert await befallen(1) == first
    assert await befallen(2) != first


async def test_a_server_that_nobody_disturbs_knows_nothing_of_faults(near: Way) -> None:
    async with Cluster() as cluster:
        await Client(cluster.transport()).create(config_map())

        assert cluster.server._faults is None
    near.cluster.faults.add(Faults(failed=1))
    near.cluster.faults.clear()
    assert not near.cluster.server.is_faulty


async def test_what_a_server_cannot_do_is_refused_and_changes_nothing(near: Way) -> None:
    near.cluster.faults.set(Faults(failed=1))
    with pytest.raises(ConfigError, match="refused: a server"):
        near.cluster.faults.set(Faults(refused=1))

    assert near.cluster.faults.faults == (Faults(failed=1),)


async def test_who_reaches_the_server_can_have_it_fail_and_be_well_again(way: Way) -> None:
    body = b'{"faults": [{"dropped": 1, "only": {"resource": "configmaps"}}]}'
    control = Request(method="PUT", path="/windlass/faults", body=body)
    listing = Request(method="GET", path=CONFIG_MAPS)

    assert (await way.transport.send(control)).status == 200
    with pytest.raises(ConnectionFailedError):
        await way.transport.send(listing)
    assert (await way.transport.send(Request(method="DELETE", path="/windlass/faults"))).status == 200
    assert (await way.transport.send(listing)).status == 200
