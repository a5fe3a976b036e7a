from __future__ import annotations

import asyncio
import logging
import threading
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from logged import logged
from windlass.aio import ManualClock, SystemClock
from windlass.manager import HealthLimits, Heartbeat

if TYPE_CHECKING:
    from windlass.manager.heartbeat import Block


class Awaited(logging.Handler):
    """Keeps records, and lets another thread wait for one."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []
        self.came = threading.Semaphore(0)

    @override
    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)
        self.came.release()

    def wait_for_one(self) -> None:
        """Block this very thread, and with it whatever loop it runs."""
        assert self.came.acquire(timeout=50)


@pytest.fixture
def log() -> Awaited:
    return Awaited()


async def test_what_blocks_the_loop_is_named_in_the_log(log: Awaited) -> None:
    logger = logging.getLogger("windlass.manager.health")
    logger.addHandler(log)
    limits = HealthLimits(blocked=timedelta(milliseconds=20))
    beat = asyncio.ensure_future(Heartbeat(SystemClock(), limits, every=timedelta(milliseconds=1)).run())
    await asyncio.sleep(0)
    try:
        log.wait_for_one()
    finally:
        logger.removeHandler(log)
        beat.cancel()
        await asyncio.gather(beat, return_exceptions=True)

    fields = vars(log.records[0])["windlass"]
    assert log.records[0].getMessage().startswith("The event loop is blocked")
    assert fields["reason"].startswith("the event loop is blocked, for ")
    assert "wait_for_one" in fields["stacktrace"]
    assert not [each for each in threading.enumerate() if each.name == "windlass-heartbeat"]


async def test_a_block_is_reported_with_its_task_and_its_place() -> None:
    reported: asyncio.Future[Block] = asyncio.get_running_loop().create_future()
    limits = HealthLimits(slow=timedelta(milliseconds=20))
    heartbeat = Heartbeat(SystemClock(), limits, timedelta(milliseconds=1), reported.set_result)
    beat = asyncio.ensure_future(heartbeat.run())
    await asyncio.sleep(0)
    log = Awaited()
    logger = logging.getLogger("windlass.manager.health")
    logger.addHandler(log)

    async def blocking() -> None:
        log.wait_for_one()

    culprit = asyncio.ensure_future(blocking())
    try:
        await culprit
        block = await reported
    finally:
        logger.removeHandler(log)
        beat.cancel()
        await asyncio.gather(beat, return_exceptions=True)

    assert block.task is culprit
    assert block.took >= limits.slow
    assert "threading.py" in block.place
    assert log.records[0].getMessage().startswith("The event loop has been blocked for more than 0.02 s, at ")
    assert "wait_for_one" in vars(log.records[0])["windlass"]["stacktrace"]


def test_a_process_that_was_suspended_accuses_nobody(caplog: pytest.LogCaptureFixture) -> None:
    clock = Suspended()
    heartbeat = Heartbeat(clock, HealthLimits())
    heartbeat._watch(threading.get_ident(), clock.suspending(times=1))

    assert heartbeat.check() is not None
    assert not logged(caplog)


class Suspended(ManualClock):
    """A clock that goes on for a minute while a thread waits for a second."""

    def suspending(self, times: int) -> threading.Event:
        clock = self

        class Stop(threading.Event):
            left = times

            @override
            def wait(self, timeout: float | None = None) -> bool:
                clock._elapsed += timedelta(minutes=1)
                self.left -= 1
                return self.left < 0

        return Stop()


async def test_a_loop_that_comes_round_is_alive_for_hours() -> None:
    clock = ManualClock()
    heartbeat = Heartbeat(clock, HealthLimits())
    beat = asyncio.ensure_future(heartbeat.run())
    await asyncio.sleep(0)
    await clock.advance(timedelta(hours=1))
    alive = heartbeat.check()
    beat.cancel()
    await asyncio.gather(beat, return_exceptions=True)
    await clock.advance(timedelta(seconds=20))

    assert alive is None
    assert heartbeat.check() == "the event loop is blocked, for 20 s now"
