from __future__ import annotations

import asyncio

from sink import RecordingSink, running, turns
from windlass.api import Key
from windlass.reconcile import Channel

A, B = Key("default", "a"), Key("default", "b")


async def test_what_is_sent_wakes_the_object_at_once() -> None:
    channel, sink = Channel(), RecordingSink()
    async with running(channel, sink):
        channel.send(A, "push")

        assert sink.woken == [(A, "push")]


async def test_what_is_sent_before_the_controller_runs_is_kept_once_for_each_key() -> None:
    channel, sink = Channel(), RecordingSink()
    channel.send(A, "first")
    channel.send_soon(B)
    channel.send(A, "second")

    async with running(channel, sink):
        assert sink.woken == [(A, "second"), (B, "sent")]


async def test_what_is_sent_between_two_runs_is_kept_for_the_second() -> None:
    channel, first, second = Channel(), RecordingSink(), RecordingSink()
    async with running(channel, first):
        pass
    channel.send(A)
    async with running(channel, second):
        assert (first.woken, second.woken) == ([], [(A, "sent")])


async def test_another_thread_can_wake_an_object() -> None:
    channel, sink = Channel(), RecordingSink()
    async with running(channel, sink):
        await asyncio.to_thread(channel.send_soon, A, "from a thread")
        await turns()

        assert sink.woken == [(A, "from a thread")]


def test_whoever_sends_when_the_event_loop_is_gone_is_not_disturbed() -> None:
    channel, sink = Channel(), RecordingSink()

    async def run() -> None:
        async with running(channel, sink):
            pass

    asyncio.run(run())
    channel.send_soon(A)
    asyncio.run(run())

    assert sink.woken == [(A, "sent")]


async def test_every_controller_that_has_the_channel_is_reached() -> None:
    channel, first, second = Channel(), RecordingSink(), RecordingSink()
    async with running(channel, first), running(channel, second):
        channel.send(A)

        assert first.woken == second.woken == [(A, "sent")]
