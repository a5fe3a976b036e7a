"""Whom the server reaches in this process, or at another address."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from polling import soon
from windlass.aio import ManualClock
from windlass.apiserver import World
from windlass.apiserver.outside import Answer, Network, Target, Unreachable

SERVICE = Target.of({"service": {"namespace": "a", "name": "hook", "path": "/check"}})
LIMIT = timedelta(seconds=10)


async def echo(path: str, body: bytes) -> Answer:
    return Answer(200, path.encode() + b" " + body)


async def failing(_path: str, _body: bytes) -> Answer:
    raise KeyError("x")


async def test_an_address_can_be_a_function() -> None:
    network = Network()
    network.lead("hook.a.svc:443", echo)

    assert (await network.post(SERVICE, b"x", LIMIT, World())).body == b"/check x"


async def test_a_function_that_fails_hangs_up_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    network = Network()
    network.lead("hook.a.svc:443", failing)

    with pytest.raises(Unreachable, match=r'^Post "https://hook\.a\.svc:443/check": EOF$'):
        await network.post(SERVICE, b"x", LIMIT, World())
    assert caplog.messages == ["the function that is hook.a.svc:443 failed"]


async def test_who_takes_too_long_is_not_waited_for() -> None:
    network, clock = Network(), ManualClock()
    forever = asyncio.Event()

    async def slow(_path: str, _body: bytes) -> Answer:
        await forever.wait()
        return Answer(200, b"")

    network.lead("hook.a.svc:443", slow)
    asking = asyncio.ensure_future(network.post(SERVICE, b"x", LIMIT, World(clock=clock)))
    await soon(lambda: clock.sleeps)
    await clock.advance(LIMIT)

    with pytest.raises(Unreachable, match=r'^Post ".*timeout=10s": context deadline exceeded$'):
        await asking


async def test_another_address_is_asked_in_the_place_of_the_first() -> None:
    network = Network()
    network.lead("hook.a.svc:443", "127.0.0.1:1")

    with pytest.raises(Unreachable, match=r"dial tcp 127\.0\.0\.1:1: connect: connection refused$"):
        await network.post(SERVICE, b"x", LIMIT, World())
