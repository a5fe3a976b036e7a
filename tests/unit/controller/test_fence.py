"""No write passes a fence that refuses, and none outlives one that passes."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from typing_extensions import override

from scripted import ScriptedStream, ScriptedTransport, answer
from windlass.client import Request, Response
from windlass.controller import NO_FENCE, Fence, FencedTransport
from windlass.errors import ConnectionFailedError, NotLeadingError

WRITES = ("POST", "PUT", "PATCH", "DELETE")
READS = ("GET", "HEAD")
SECOND = timedelta(seconds=1)


class Hand(Fence):
    """A fence that is moved by hand."""

    def __init__(self, left: timedelta) -> None:
        self.remaining = left
        self.doubts = 0

    @override
    def check(self) -> None:
        if not self.remaining:
            raise NotLeadingError("refused")

    @override
    def left(self) -> timedelta:
        return self.remaining

    @override
    def doubt(self) -> None:
        self.doubts += 1


class Hanging(ScriptedTransport):
    """Never answers."""

    @override
    async def send(self, request: Request) -> Response:
        await asyncio.Event().wait()
        raise AssertionError("nobody answers")


def write(method: str = "PUT", timeout: timedelta | None = None) -> Request:
    return Request(method=method, path="/x", query=(("fieldManager", "me"),), body=b"{}", timeout=timeout)


@pytest.mark.parametrize("method", WRITES)
async def test_a_write_is_refused_when_the_fence_is(method: str) -> None:
    transport = ScriptedTransport([answer()])
    with pytest.raises(NotLeadingError):
        await FencedTransport(transport, Hand(timedelta())).send(write(method))
    assert transport.requests == []


@pytest.mark.parametrize("method", READS)
async def test_a_read_passes_as_it_is_whatever_the_fence_says(method: str) -> None:
    transport = ScriptedTransport([answer()])
    request = Request(method=method, path="/x")
    await FencedTransport(transport, Hand(timedelta())).send(request)
    assert transport.requests == [request]


async def test_a_watch_passes_whatever_the_fence_says() -> None:
    transport = ScriptedTransport([ScriptedStream((b"line",))])
    async with FencedTransport(transport, Hand(timedelta())).stream(
        Request(method="GET", path="/x")
    ) as stream:
        assert [line async for line in stream.lines()] == [b"line"]


async def test_a_stream_that_writes_is_refused_when_the_fence_is() -> None:
    transport = ScriptedTransport([ScriptedStream((b"line",))])
    fenced = FencedTransport(transport, Hand(timedelta()))
    with pytest.raises(NotLeadingError):
        async with fenced.stream(Request(method="POST", path="/x")):
            pytest.fail("nothing is to be read")
    assert transport.requests == []


@pytest.mark.parametrize(
    ("left", "wanted", "limit", "said"),
    [
        (10 * SECOND, None, 10 * SECOND, "10000ms"),
        (9.876 * SECOND, None, 9.8 * SECOND, "9800ms"),
        (10 * SECOND, 3 * SECOND, 3 * SECOND, "3000ms"),
        (2 * SECOND, 3 * SECOND, 2 * SECOND, "2000ms"),
        (0.05 * SECOND, None, 0.05 * SECOND, "50ms"),
        (timedelta(microseconds=1), None, timedelta(milliseconds=1), "1ms"),
    ],
)
async def test_a_write_has_no_more_time_than_the_fence_here_and_on_the_server(
    left: timedelta, wanted: timedelta | None, limit: timedelta, said: str
) -> None:
    transport = ScriptedTransport([answer()])
    await FencedTransport(transport, Hand(left)).send(write(timeout=wanted))
    [sent] = transport.requests
    assert sent.timeout == limit
    assert sent.query == (("fieldManager", "me"), ("timeout", said))


async def test_a_write_asks_the_fence_again_when_it_leaves() -> None:
    transport, fence = ScriptedTransport([answer()]), Hand(SECOND)
    await FencedTransport(transport, fence).send(write())
    [sent] = transport.requests
    assert sent.guard is not None
    sent.guard()
    fence.remaining = timedelta()
    with pytest.raises(NotLeadingError):
        sent.guard()


async def test_without_an_election_a_write_passes_as_it_is() -> None:
    transport = ScriptedTransport([answer(500)])
    request = write()
    await FencedTransport(transport, NO_FENCE).send(request)
    assert transport.requests == [request]
    assert transport.requests[0].guard is None


async def test_a_write_that_was_given_up_leaves_a_doubt() -> None:
    fence = Hand(SECOND)
    sending = asyncio.create_task(FencedTransport(Hanging([]), fence).send(write()))
    await asyncio.sleep(0)
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    assert fence.doubts == 1


@pytest.mark.parametrize("method", READS)
async def test_a_read_that_was_given_up_leaves_none(method: str) -> None:
    fence = Hand(SECOND)
    sending = asyncio.create_task(FencedTransport(Hanging([]), fence).send(Request(method=method, path="/x")))
    await asyncio.sleep(0)
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    assert fence.doubts == 0


@pytest.mark.parametrize(("sent", "doubts"), [(True, 1), (False, 0)])
async def test_a_broken_connection_leaves_a_doubt_if_the_write_may_have_arrived(
    sent: bool, doubts: int  # noqa: FBT001
) -> None:  # fmt: skip
    fence = Hand(SECOND)
    transport = FencedTransport(ScriptedTransport([ConnectionFailedError("cut", sent=sent)]), fence)
    with pytest.raises(ConnectionFailedError):
        await transport.send(write())
    assert fence.doubts == doubts


@pytest.mark.parametrize(("status", "doubts"), [(200, 0), (201, 0), (409, 0), (429, 0), (500, 1), (504, 1)])
async def test_an_answer_leaves_a_doubt_if_the_server_itself_does_not_know(status: int, doubts: int) -> None:
    fence = Hand(SECOND)
    await FencedTransport(ScriptedTransport([answer(status)]), fence).send(write())
    assert fence.doubts == doubts


async def test_closing_closes_the_transport() -> None:
    transport = ScriptedTransport([])
    await FencedTransport(transport, NO_FENCE).close()
    assert transport.closed == 1
