from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windlass.aio import Clock


class Line:
    """Workers that wait for something to take. One of them, the timekeeper, watches the clock for all.

    Being woken promises nothing: whoever is looks again, and waits again.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._timekeeper: asyncio.Future[None] | None = None
        self._until = 0.0

    def __len__(self) -> int:
        """How many wait, and have not been woken."""
        return len(self._waiting) + (self._timekeeper is not None and not self._timekeeper.done())

    def wake(self) -> None:
        """Wake one worker; the timekeeper, which has a watch to hand over, only when no other waits."""
        while self._waiting:
            woken = self._waiting.popleft()
            if not woken.done():
                woken.set_result(None)
                return
        self._wake_timekeeper()

    def wake_before(self, due: float) -> None:
        """See that somebody is awake at a moment."""
        if self._timekeeper is None:
            self.wake()
        elif due < self._until:
            self._wake_timekeeper()

    def wake_all(self) -> None:
        """Wake every worker."""
        while self._waiting:
            self.wake()
        self._wake_timekeeper()

    async def wait(self, due: float | None) -> None:
        """Return when woken, or some time after `due` at the latest if nobody else watches the clock."""
        if due is None or self._timekeeper is not None:
            await self._wait_to_be_woken()
        else:
            await self._keep_time(due)

    async def _wait_to_be_woken(self) -> None:
        woken = asyncio.get_running_loop().create_future()
        self._waiting.append(woken)
        try:
            await woken
        except asyncio.CancelledError:
            if woken.cancelled():
                with suppress(ValueError):  # a wake that came between the two has passed it over
                    self._waiting.remove(woken)
            else:
                self.wake()  # it was meant for somebody who can use it
            raise

    async def _keep_time(self, due: float) -> None:
        woken = self._timekeeper = asyncio.get_running_loop().create_future()
        self._until = due
        delay = timedelta(seconds=max(due - self._clock.monotonic(), 0))
        try:
            async with asyncio.TaskGroup() as group:
                sleeping = group.create_task(self._clock.sleep(delay))
                sleeping.add_done_callback(lambda _: None if woken.done() else woken.set_result(None))
                await woken
                sleeping.cancel()
        finally:
            self._timekeeper = None
            self.wake()  # somebody has to watch the clock

    def _wake_timekeeper(self) -> None:
        if self._timekeeper is not None and not self._timekeeper.done():
            self._timekeeper.set_result(None)
