from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING

import pytest

from caching import turns
from windlass.aio import ManualClock
from windlass.errors import Answer, Conflict, ConnectionFailedError
from windlass.webhook.rounds import Rounds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)


class Work:
    """Something that is done in rounds; `failure` is raised while there is one."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.rounds = Rounds("The work", self.clock, Random(1))
        self.begun = 0
        self.failure: Exception | None = None
        self.hangs = False

    async def do(self) -> timedelta:
        self.begun += 1
        if self.hangs:
            await asyncio.Event().wait()
        if self.failure is not None:
            raise self.failure
        return HOUR

    async def elapse(self, time: timedelta) -> None:
        await self.clock.advance(time)
        await turns()


@pytest.fixture
async def work() -> AsyncIterator[Work]:
    work = Work()
    task = asyncio.create_task(work.rounds.run(work.do))
    await turns()
    yield work
    task.cancel()
    await asyncio.wait((task,))


async def test_a_round_begins_when_its_time_has_come_or_when_it_is_woken(work: Work) -> None:
    await work.elapse(HOUR - SECOND)
    assert work.begun == 1
    await work.elapse(SECOND)
    assert work.begun == 2

    work.rounds.wake()
    await turns()
    assert work.begun == 3


async def test_who_is_woken_without_end_does_no_more_than_sixty_rounds_in_a_minute(work: Work) -> None:
    async def fight() -> None:
        while True:
            work.rounds.wake()
            await asyncio.sleep(0)

    fighting = asyncio.create_task(fight())
    await turns(2000)
    assert work.begun == 60
    await work.elapse(timedelta(minutes=1))
    await turns(2000)
    assert work.begun == 120
    fighting.cancel()
    await asyncio.wait((fighting,))


async def test_after_failures_it_is_tried_again_ever_more_slowly_and_at_least_once_a_minute(
    work: Work,
) -> None:
    work.failure = ConnectionFailedError("refused")
    work.rounds.wake()
    await turns()
    work.clock.sleeps.clear()
    await work.elapse(HOUR)

    pauses = [each for each in work.clock.sleeps if each != timedelta(seconds=30)]  # those limit a round
    assert pauses[0] < SECOND
    assert timedelta(seconds=30) < max(pauses[10:]) <= timedelta(minutes=1)
    assert work.rounds.problem == "refused"

    work.failure = None
    await work.elapse(timedelta(minutes=1))
    assert work.rounds.problem == ""


async def test_a_round_that_hangs_is_given_up_and_tried_again(work: Work) -> None:
    work.hangs = True
    work.rounds.wake()
    await turns()
    assert work.begun == 2

    await work.elapse(timedelta(seconds=31))

    assert work.begun == 3


async def test_a_failure_is_said_once_and_that_another_was_faster_is_not(
    work: Work, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "windlass.webhook"):
        for failure in (Conflict(Answer(code=409)), ConnectionFailedError("refused")):
            work.failure = failure
            work.rounds.wake()
            await turns()
            await work.elapse(10 * SECOND)

    assert caplog.messages == ["The work: refused"]
