"""The real side of the seam, against the simulator's own server on this machine."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, cast

import pytest

from on_call import TOKEN, an_account, policy
from windlass.errors import ConnectionFailedError
from windlass.operators.pagerduty import EscalationPolicy, PagerDutyOptions, add_to
from windlass.operators.pagerduty.api import Call, Connection, HttpWire
from windlass.operators.pagerduty.simulator import Fault
from windlass.operators.pagerduty.simulator.server import serving

if TYPE_CHECKING:
    from windlass.reconcile import Sink
    from windlass.testing import Starter

HEADERS = {"authorization": f"Token token={TOKEN}", "accept": "application/vnd.pagerduty+json;version=2"}


async def test_the_operator_works_over_http_and_closes_its_connections(operator: Starter) -> None:
    account = an_account()
    ada = account.by_hand.add_user("Ada", "ada@example.com")
    async with serving(account) as url:
        options = PagerDutyOptions(token=TOKEN, base_url=url)
        async with operator(lambda manager: add_to(manager, options)) as trial:
            await trial.client.create(policy("p", ada))
            made = await trial.ready(EscalationPolicy, "p")

    assert made.status.url.startswith(url)
    assert len(account.books.policies) == 1


async def test_an_answer_comes_with_its_headers_in_small_letters() -> None:
    async with serving(an_account()) as url:
        wire = HttpWire(url)
        reply = await wire.send(Call(method="GET", path="/users", query=(("limit", "1"),), headers=HEADERS))
        await wire.close()

    assert reply.status == 200
    assert reply.headers["ratelimit-remaining"] == "959"
    assert b'"users"' in reply.body


async def test_a_cut_connection_may_have_done_it() -> None:
    account = an_account()
    account.faults.plant(Fault(cut=True), times=2)
    async with serving(account) as url:
        wire = HttpWire(url)
        with pytest.raises(ConnectionFailedError) as failed:
            await wire.send(Call(method="POST", path="/services", body={}, headers=HEADERS))
        await wire.close()

    assert failed.value.sent
    assert TOKEN not in str(failed.value)


async def test_a_refused_connection_has_done_nothing() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens
        wire = HttpWire(f"http://127.0.0.1:{taken.getsockname()[1]}")
        with pytest.raises(ConnectionFailedError) as failed:
            await wire.send(Call(method="POST", path="/services", body={}))
        await wire.close()

    assert not failed.value.sent


class Closing(HttpWire):
    """Counts how often it was closed."""

    closed = 0

    async def close(self) -> None:
        self.closed += 1
        await super().close()


async def test_connections_are_closed_when_the_last_controller_has_ended() -> None:
    wire = Closing("http://127.0.0.1:1")
    connection = Connection(wire)
    first, second = (asyncio.ensure_future(connection.run(cast("Sink", None))) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.wait([first])
    assert wire.closed == 0
    second.cancel()
    await asyncio.wait([second])

    assert wire.closed == 1
