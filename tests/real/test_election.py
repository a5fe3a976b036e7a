"""Real processes stand for election: stopped, continued, ended and killed, on the embedded server and the real one."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from contextlib import asynccontextmanager
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import pytest

import elected
from elected import COUNTER, Mode, Settings
from program import running
from real import administrator, settled
from servers import embedded_fixture, server_fixture
from windlass.api import ObjectMeta
from windlass.client import WatchOptions
from windlass.kinds.coordination.v1 import Lease
from windlass.kinds.core.v1 import ConfigMap

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager

    from program import Program
    from servers import Server
    from windlass.client import Client

embedded = embedded_fixture
server = server_fixture

_PATIENCE = 40.0
SELF_STOPPING = [mode for mode in get_args(Mode) if "stopping" in mode]


class History:
    """Every write to the counter, in the order in which the server took them."""

    def __init__(self) -> None:
        self.writers: list[str] = []
        self.versions: list[int] = []
        self._changed = asyncio.Condition()

    @property
    def turns(self) -> list[str]:
        """Who wrote, one after the other."""
        return [writer for writer, _ in groupby(self.writers)]

    async def has(self, writer: str, more: int) -> None:
        """Wait for so many further writes of one writer."""
        wanted = self.writers.count(writer) + more
        async with asyncio.timeout(_PATIENCE), self._changed:
            await self._changed.wait_for(lambda: self.writers.count(writer) >= wanted)

    async def follow(self, client: Client, version: str) -> None:
        """Watch, until cancelled."""
        options = WatchOptions(resource_version=version, bookmarks=False)
        async for event in client.watch(ConfigMap, client_namespace(client), options=options):
            seen = event.object
            if seen.metadata.name != COUNTER:
                continue
            self.writers.append(seen.data["writer"])
            self.versions.append(int(seen.metadata.resource_version))
            async with self._changed:
                self._changed.notify_all()


def client_namespace(client: Client) -> str:
    return client._session.options.namespace


@pytest.fixture
async def client(server: Server) -> AsyncIterator[Client]:
    async with settled(), administrator(server.access, server.namespace) as client:
        yield client


@pytest.fixture
async def history(client: Client) -> AsyncIterator[History]:
    """The counter, not written yet, and what will be."""
    made = await client.create(ConfigMap(metadata=ObjectMeta(name=COUNTER)))
    history = History()
    following = asyncio.create_task(history.follow(client, made.metadata.resource_version))
    yield history
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)
    assert history.versions == sorted(history.versions)


def operator(server: Server, identity: str, **settings: Any) -> AbstractAsyncContextManager[Program]:
    """A process that counts while it leads."""
    given = Settings(str(server.access.kubeconfig), server.namespace, identity, **settings)
    return running(sys.executable, str(Path(elected.__file__)), json.dumps(asdict(given)))


@asynccontextmanager
async def leader_and_standby(server: Server, **settings: Any) -> AsyncIterator[tuple[Program, Program]]:
    """Two processes, of which `a` leads and `b` has seen that it does."""
    async with operator(server, "a", **settings) as a:
        await a.says("leading")
        async with operator(server, "b", **{**settings, "mode": "update"}) as b:
            await b.says("leader a")
            yield a, b


async def test_who_is_stopped_past_expiry_and_continued_writes_nothing_more(
    server: Server, history: History
) -> None:
    async with leader_and_standby(server) as (a, b):
        await history.has("a", 20)
        a.kill(signal.SIGSTOP)
        await b.says("leading")
        await history.has("b", 20)
        a.kill(signal.SIGCONT)
        await a.says("stopped")
        await a.says("leader b")
        await history.has("b", 20)

        b.kill(signal.SIGTERM)
        assert await b.ended() == 0
        await a.says("leading")
        await history.has("a", 5)
    assert history.turns == ["a", "b", "a"]


@pytest.mark.parametrize("mode", SELF_STOPPING)
async def test_who_is_stopped_in_the_middle_of_a_write_does_not_finish_it(
    server: Server, history: History, mode: Mode
) -> None:
    async with leader_and_standby(server, mode=mode) as (a, b):
        await a.is_stopped()
        await b.says("leading")
        await history.has("b", 20)
        a.kill(signal.SIGCONT)
        await a.says("refused")
        await a.says("leader b")
        await history.has("b", 20)
    assert history.turns == ["a", "b"]
    assert history.writers.count("a") == 9, "the tenth is the one that was refused"


async def test_who_is_told_to_end_hands_over_without_anybody_waiting_for_expiry(
    server: Server, client: Client, history: History
) -> None:
    # Whoever waited for this lease to expire would wait for longer than a test may take.
    durations = {"duration": 600, "deadline": 400, "retry": 0.5}
    async with leader_and_standby(server, **durations) as (a, b):
        await history.has("a", 20)
        a.kill(signal.SIGTERM)
        assert await a.ended() == 0
        await b.says("leading")
        await history.has("b", 20)
        b.kill(signal.SIGTERM)
        assert await b.ended() == 0
    assert history.turns == ["a", "b"]
    spec = (await client.get(Lease, "election")).spec
    assert (spec.holder_identity, spec.lease_duration_seconds, spec.lease_transitions) == ("", 1, 1)


async def test_who_is_killed_is_followed_when_the_lease_has_expired(
    server: Server, client: Client, history: History
) -> None:
    async with leader_and_standby(server) as (a, b):
        await history.has("a", 20)
        a.kill(signal.SIGKILL)
        await a.ended()
        last = (await client.get(Lease, "election")).spec
        await b.says("leading")
        await history.has("b", 20)
        taken = (await client.get(Lease, "election")).spec
    assert history.turns == ["a", "b"]
    assert last.renew_time is not None
    assert taken.acquire_time is not None
    assert (taken.acquire_time - last.renew_time).total_seconds() >= 4
    assert taken.lease_transitions == 1


async def test_a_standby_that_is_told_to_end_leaves_the_leader_alone(
    server: Server, history: History
) -> None:
    async with leader_and_standby(server) as (_a, b):
        b.kill(signal.SIGTERM)
        assert await b.ended() == 0
        await history.has("a", 20)
    assert history.turns == ["a"]
