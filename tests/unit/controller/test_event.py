from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from windlass.aio import ManualClock
from windlass.client import NO_RETRY, Client, ClientOptions, Transport
from windlass.cluster import Cluster
from windlass.controller.event import EventOptions, EventRecorder
from windlass.errors import ConnectionFailedError
from windlass.kinds.core.v1 import ConfigMap, Namespace
from windlass.kinds.events.v1 import Event

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Request, Response

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)


class Line(Transport):
    """A way to the server that can be cut, or hold requests up, and counts them."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.is_cut = False
        self.open = asyncio.Event()
        self.open.set()
        self.requests: list[str] = []

    @override
    async def send(self, request: Request) -> Response:
        self.requests.append(request.method)
        if self.is_cut:
            raise ConnectionFailedError("cut", sent=True)
        response = await self._transport.send(request)
        await self.open.wait()
        return response

    @override
    def stream(self, request: Request) -> Any:
        return self._transport.stream(request)

    @override
    async def close(self) -> None:
        await self._transport.close()


@dataclass
class Desk:
    """A recorder at work on an embedded cluster."""

    client: Client
    line: Line
    clock: ManualClock
    recorder: EventRecorder
    task: asyncio.Task[None]

    def say(self, message: str, reason: str = "Said", name: str = "web", **more: Any) -> None:
        about = {"metadata": {"name": name, "namespace": "default", "uid": f"uid-of-{name}"}}
        self.recorder.event(ConfigMap, about, reason, message, **more)

    async def quiet(self) -> None:
        """Wait until nothing is on its way."""
        for _ in range(200):
            await asyncio.sleep(0)

    async def events(self, namespace: str = "default") -> list[Event]:
        await self.quiet()
        return list(await self.client.list(Event, namespace))

    async def stop(self) -> None:
        self.task.cancel()
        await asyncio.wait([self.task])


@asynccontextmanager
async def at_work(options: EventOptions | None = None) -> AsyncIterator[Desk]:
    clock = ManualClock()
    async with Cluster() as cluster, Client(cluster.transport()) as client:
        line = Line(cluster.transport())
        sending = Client(line, ClientOptions(retry=NO_RETRY))
        recorder = EventRecorder(
            sending, "example.com/webapp", clock=clock, random=Random(1), options=options
        )
        async with asyncio.TaskGroup() as group:
            desk = Desk(client, line, clock, recorder, group.create_task(recorder.run()))
            yield desk
            desk.task.cancel()


async def test_an_event_says_what_happened_to_which_object() -> None:
    async with at_work() as desk:
        desk.say("cannot reach the database", "Unreachable", warning=True)
        [event] = await desk.events()

    assert event.regarding is not None
    assert (event.type, event.reason, event.note) == ("Warning", "Unreachable", "cannot reach the database")
    assert (event.regarding.kind, event.regarding.name) == ("ConfigMap", "web")
    assert (event.regarding.api_version, event.regarding.uid) == ("v1", "uid-of-web")
    assert event.reporting_controller == "example.com/webapp"
    assert event.event_time == desk.clock.now()
    assert event.metadata.name.startswith("web.")
    assert event.series is None


async def test_an_event_about_a_cluster_wide_object_lies_in_the_default_namespace() -> None:
    async with at_work() as desk:
        desk.recorder.event(Namespace, {"metadata": {"name": "shop", "uid": "u"}}, "Said", "hello")
        [event] = await desk.events()

    assert event.metadata.namespace == "default"
    assert event.regarding is not None
    assert event.regarding.namespace is None


async def test_what_repeats_is_one_event_with_a_count_that_is_written_once_a_minute() -> None:
    async with at_work() as desk:
        desk.say("hello")
        await desk.quiet()
        for _ in range(30):
            await desk.clock.advance(SECOND)
            desk.say("hello")
        await desk.quiet()
        assert desk.line.requests == ["POST"]

        await desk.clock.advance(MINUTE)
        [event] = await desk.events()

    assert desk.line.requests == ["POST", "PATCH"]
    assert event.series is not None
    assert event.event_time is not None
    assert event.series.count == 31
    assert event.series.last_observed_time == event.event_time + 30 * SECOND


async def test_an_event_that_the_server_forgot_is_made_anew_with_its_count() -> None:
    async with at_work() as desk:
        desk.say("hello")
        [event] = await desk.events()
        await desk.client.delete(Event, event.metadata.name, "default")
        desk.say("hello")
        await desk.clock.advance(MINUTE)
        [again] = await desk.events()

    assert again.metadata.name != event.metadata.name
    assert again.series is not None
    assert again.series.count == 2


async def test_a_server_that_is_away_for_a_while_gets_the_events_later(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with at_work() as desk:
        desk.line.is_cut = True
        for name in ("a", "b", "c"):
            desk.say("hello", name=name)
        await desk.quiet()
        assert await desk.events() == []
        assert [record.levelno for record in caplog.records if record.levelno >= logging.WARNING] == [30]

        desk.line.is_cut = False
        await desk.clock.advance(10 * SECOND)
        assert len(await desk.events()) == 3
        assert desk.recorder.dropped == 0


async def test_an_event_that_is_refused_is_dropped_and_does_not_hold_up_others() -> None:
    async with at_work() as desk:
        about = {"metadata": {"name": "web", "namespace": "missing"}}
        desk.recorder.event(ConfigMap, about, "Said", "hello")
        desk.say("hello")

        assert len(await desk.events()) == 1
        assert desk.recorder.dropped == 1


@pytest.mark.parametrize("note", ["x" * 5000, "ü" * 700, "x" * 1023 + "ü", ""])
async def test_texts_that_are_too_long_or_empty_are_made_to_fit(note: str) -> None:
    async with at_work() as desk:
        desk.say(note, reason="R" * 500 if note else "", name="n" * 253)
        [event] = await desk.events()

    assert len((event.note or "").encode()) <= 1024
    assert 0 < len(event.reason or "") <= 128
    assert note.startswith((event.note or "").rstrip("…"))


async def test_an_object_whose_name_is_cut_at_a_dash_can_be_told_about() -> None:
    async with at_work() as desk:
        desk.say("hello", name="n" * 235 + "-" + "n" * 17)

        assert len(await desk.events()) == 1


async def test_what_is_left_at_the_end_is_sent_also_what_waits_for_its_minute() -> None:
    async with at_work() as desk:
        desk.say("hello")
        await desk.quiet()
        desk.say("hello")
        desk.say("bye")
        await desk.stop()

        counts = {event.note: event.series.count if event.series else 1 for event in await desk.events()}
        assert counts == {"hello": 2, "bye": 1}


async def test_an_event_cut_short_by_the_end_is_neither_lost_nor_doubled() -> None:
    async with at_work() as desk:
        desk.line.open.clear()
        desk.say("hello")
        await desk.quiet()
        desk.task.cancel()
        desk.line.open.set()
        await asyncio.wait([desk.task])

        assert [event.note for event in await desk.events()] == ["hello"]
        assert desk.line.requests == ["POST", "POST"]
        assert desk.recorder.dropped == 0


async def test_the_end_takes_no_longer_than_allowed() -> None:
    async with at_work(EventOptions(flush=3 * SECOND)) as desk:
        desk.line.open.clear()
        desk.say("hello")
        await desk.quiet()
        desk.task.cancel()
        await desk.quiet()
        assert not desk.task.done()

        await desk.clock.advance(3 * SECOND)
        await desk.quiet()
        assert desk.task.done()


async def test_the_end_does_not_wait_for_a_server_that_is_away() -> None:
    async with at_work() as desk:
        await desk.quiet()
        desk.line.is_cut = True
        desk.say("hello")
        await desk.stop()

        assert desk.line.requests == ["POST"]
        assert desk.recorder.dropped == 1


async def test_saying_something_waits_for_nobody() -> None:
    async with at_work(EventOptions(waiting=5)) as desk:
        desk.line.open.clear()
        for number in range(20):
            desk.say("hello", name=str(number))

        assert desk.line.requests == []
        assert desk.recorder.dropped == 15
