from __future__ import annotations

import asyncio
import heapq
import time
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Protocol

from typing_extensions import override

_TURNS = 10

# Linux counts the time of a suspension in CLOCK_BOOTTIME alone. macOS counts it in CLOCK_MONOTONIC, although
# not in time.monotonic. Windows has neither name, and counts it in time.monotonic.
_COUNTING_SUSPENSION = ("CLOCK_BOOTTIME", "CLOCK_MONOTONIC")


def _elapsed() -> float:
    for name in _COUNTING_SUSPENSION:
        clock: int | None = getattr(time, name, None)
        if clock is not None:
            return time.clock_gettime(clock)
    return time.monotonic()


class Clock(Protocol):
    """What time it is, and waiting."""

    def now(self) -> datetime:
        """The wall time, in UTC. It may jump."""

    def monotonic(self) -> float:
        """Seconds since some moment. It never jumps, but may stand still while the machine is suspended."""

    def elapsed(self) -> float:
        """Seconds since some moment, those included in which the machine was suspended.

        Sleeping is measured by `monotonic`; what the rest of the world was promised, such as the end of a
        lease, by this.
        """

    async def sleep(self, delay: timedelta) -> None:
        """Return when `delay` has passed."""


class SystemClock(Clock):
    """The machine's own clocks."""

    @override
    def now(self) -> datetime:
        return datetime.now(UTC)

    @override
    def monotonic(self) -> float:
        return time.monotonic()

    @override
    def elapsed(self) -> float:
        return _elapsed()

    @override
    async def sleep(self, delay: timedelta) -> None:
        await asyncio.sleep(delay.total_seconds())


class ManualClock(Clock):
    """A clock that stands still until it is told to move: ten hours pass in a microsecond.

    `sleeps` keeps what was asked for, so that a test can say what it expects of a back-off. `jump` and
    `suspend` are what happens to real clocks.
    """

    def __init__(self, start: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self._start = start
        self._elapsed = timedelta()
        self._suspended = timedelta()
        self._order = count()
        self._waiting: list[tuple[timedelta, int, asyncio.Future[None]]] = []
        self.sleeps: list[timedelta] = []

    @override
    def now(self) -> datetime:
        return self._start + self._elapsed

    @override
    def monotonic(self) -> float:
        return self._elapsed.total_seconds()

    @override
    def elapsed(self) -> float:
        return (self._elapsed + self._suspended).total_seconds()

    @override
    async def sleep(self, delay: timedelta) -> None:
        self.sleeps.append(delay)
        if delay <= timedelta():
            await asyncio.sleep(0)
            return
        done = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (self._elapsed + delay, next(self._order), done))
        await done

    async def advance(self, delay: timedelta) -> None:
        """Move on by `delay`, waking each sleeper at its own moment and letting it run.

        What a sleeper does when it wakes may take a few turns of the event loop, as when it sleeps again
        inside another task; it gets some before time goes on. What waits for the world does not count.
        """
        until = self._elapsed + delay
        while self._waiting and self._waiting[0][0] <= until:
            self._elapsed, _, done = heapq.heappop(self._waiting)
            if not done.done():
                done.set_result(None)
            for _ in range(_TURNS):
                await asyncio.sleep(0)
        self._elapsed = until

    def jump(self, by: timedelta) -> None:
        """Set the wall time forward or back, as a person or a time server does; nobody wakes."""
        self._start += by

    def suspend(self, delay: timedelta) -> None:
        """Let `delay` pass while the machine is suspended: it has gone by, but no sleeper has slept it."""
        self._start += delay
        self._suspended += delay
