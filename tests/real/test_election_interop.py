"""Our elections and those of client-go decide by one lease, and take turns at it."""

from __future__ import annotations

import asyncio
import signal
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from oracle import SOURCE, build
from polling import until
from program import running
from real import administrator, settled
from servers import embedded_fixture, server_fixture
from windlass.client import NO_RETRY
from windlass.errors import NotLeadingError
from windlass.kinds.coordination.v1 import Lease
from windlass.manager import Election, ElectionOptions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from program import Program
    from servers import Server
    from windlass.client import Client
    from windlass.controller import Fence

embedded = embedded_fixture
server = server_fixture

SECONDS = {"lease_duration": 4, "renew_deadline": 3, "retry_period": 0.5}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("election"), SOURCE / "election")


@pytest.fixture
async def client(server: Server) -> AsyncIterator[Client]:
    async with settled(), administrator(server.access, server.namespace, retry=NO_RETRY) as client:
        yield client


class Ours:
    """An election of ours, and what becomes of it."""

    def __init__(self, client: Client) -> None:
        durations: dict[str, Any] = {name: timedelta(seconds=value) for name, value in SECONDS.items()}
        options = ElectionOptions(
            name="election", identity="ours", on_new_leader=self._tell, **durations
        )  # fmt: skip
        self._election = Election(client, options)
        self._changed = asyncio.Event()
        self.leaders: list[str] = []
        self.fences: list[Fence] = []
        self.leading = asyncio.Event()
        self.stopped = asyncio.Event()
        self.task = asyncio.create_task(self._election.run(self._lead))

    async def sees(self, leader: str) -> None:
        async with asyncio.timeout(40):
            while self.leaders[-1:] != [leader]:
                self._changed.clear()
                await self._changed.wait()

    async def leads(self) -> None:
        async with asyncio.timeout(40):
            await self.leading.wait()

    def _tell(self, leader: str) -> None:
        self.leaders.append(leader)
        self._changed.set()

    async def _lead(self, fence: Fence) -> None:
        self.fences.append(fence)
        self.leading.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.stopped.set()


@asynccontextmanager
async def ours(client: Client) -> AsyncIterator[Ours]:
    election = Ours(client)
    try:
        yield election
    finally:
        election.task.cancel()
        await asyncio.gather(election.task, return_exceptions=True)


def theirs(program: Path, server: Server) -> AbstractAsyncContextManager[Program]:
    """A process that stands for election with client-go."""
    durations = {"duration": 4, "deadline": 3, "retry": 0.5}
    return running(
        str(program),
        f"--kubeconfig={server.access.kubeconfig}",
        f"--namespace={server.namespace}",
        "--name=election",
        "--identity=theirs",
        *(f"--{name}={value}s" for name, value in durations.items()),
    )


async def test_each_waits_for_the_other_and_takes_over_what_it_hands_over(
    program: Path, server: Server, client: Client
) -> None:
    async with theirs(program, server) as they:
        await they.says("leading")
        async with ours(client) as we:
            await we.sees("theirs")
            assert not we.leading.is_set()
            they.end_input()
            await they.says("stopped")
            await we.leads()
            async with theirs(program, server) as they_again:
                await they_again.says("leader ours")
                assert "leading" not in they_again.lines
                we.task.cancel()
                await they_again.says("leading")
                assert we.stopped.is_set()
                spec = (await client.get(Lease, "election")).spec
    assert (spec.holder_identity, spec.lease_duration_seconds, spec.lease_transitions) == ("theirs", 4, 2)


async def test_we_follow_one_of_theirs_that_was_killed(program: Path, server: Server, client: Client) -> None:
    async with theirs(program, server) as they:
        await they.says("leading")
        async with ours(client) as we:
            await we.sees("theirs")
            they.kill(signal.SIGKILL)
            await they.ended()
            last = (await client.get(Lease, "election")).spec
            await we.leads()
            taken = (await client.get(Lease, "election")).spec
    assert last.renew_time is not None
    assert taken.acquire_time is not None
    assert (taken.acquire_time - last.renew_time).total_seconds() >= 4


async def test_they_follow_one_of_ours_that_cannot_renew_and_by_then_we_may_not_act(
    program: Path, server: Server, client: Client
) -> None:
    async with administrator(server.access, server.namespace, retry=NO_RETRY) as cut, ours(cut) as we:
        await we.leads()
        async with theirs(program, server) as they:
            await they.says("leader ours")
            await cut.close()  # from now on every request fails
            await they.says("leading")
            [fence] = we.fences
            with pytest.raises(NotLeadingError):
                fence.check()
            async with asyncio.timeout(40):
                await we.stopped.wait()


async def test_neither_takes_a_lease_that_the_other_keeps(
    program: Path, server: Server, client: Client
) -> None:
    async with ours(client) as we:
        await we.leads()
        async with theirs(program, server) as they:
            await they.says("leader ours")
            first = (await client.get(Lease, "election")).spec

            async def renewals() -> float:
                now = (await client.get(Lease, "election")).spec
                assert now.renew_time is not None
                assert first.renew_time is not None
                return (now.renew_time - first.renew_time).total_seconds()

            await until(renewals, lambda seconds: seconds > 6, patience=40, every=0.1)
            assert they.lines == ["leader ours"]
    assert we.leaders == ["ours"]
