from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from typing_extensions import override

from windlass.aio import Clock

if TYPE_CHECKING:
    from windlass.testing.simulation.loop import SimulatedLoop

# On a real clock some time has passed after every sleep. Who sleeps until a moment that is a rounding error
# away would otherwise sleep for nothing without end.
_LEAST = 1e-6

START = datetime(2026, 1, 1, tzinfo=UTC)


class SimulatedClock(Clock):
    """The virtual time of a loop; the wall time may be wrong by `skew`."""

    def __init__(self, loop: SimulatedLoop, skew: timedelta = timedelta()) -> None:
        self._loop = loop
        self._start = START + skew

    @override
    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._loop.time())

    @override
    def monotonic(self) -> float:
        return self._loop.time()

    @override
    def elapsed(self) -> float:
        return self._loop.time()

    @override
    async def sleep(self, delay: timedelta) -> None:
        await asyncio.sleep(max(delay.total_seconds(), _LEAST))
