from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from windlass.errors import CancelledWithinError, TimeLimitExceededError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.aio import Clock

_LOOK = timedelta(seconds=1)


class Watchdog:
    """Cancels what takes too long: one look a second at everything that runs, instead of a timer for each.

    While nothing runs nobody looks: an operator at rest sleeps, and hours that a test lets pass cost nothing.
    """

    def __init__(self, clock: Clock, limit: timedelta) -> None:
        self._clock = clock
        self._limit = limit
        self._since: dict[asyncio.Task[object], float] = {}
        self._requests: Counter[asyncio.Task[object]] = Counter()
        self._busy = asyncio.Event()

    async def run(self) -> None:
        """Look until cancelled."""
        limit = self._limit.total_seconds()
        while True:
            await self._busy.wait()
            await self._clock.sleep(min(_LOOK, self._limit / 2))
            if not self._since:
                self._busy.clear()
            now = self._clock.monotonic()
            for task, since in self._since.items():
                if now - since >= limit:
                    self._since[task] = now  # its way out may take as long again
                    self._requests[task] += 1
                    task.cancel()

    @contextmanager
    def limited(self) -> Iterator[None]:
        """Let the present task do what stands in the block for as long as the limit.

        Raises:
            TimeLimitExceededError: it took longer.
            CancelledWithinError: it was cancelled, and nobody had asked this task to stop.
        """
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a time limit needs a task to cancel")
        before = task.cancelling()
        self._since[task] = self._clock.monotonic()
        self._busy.set()
        try:
            yield
        except asyncio.CancelledError as error:
            is_overdue = self._take_back(task)
            if task.cancelling() > before:
                raise
            if is_overdue:
                seconds = self._limit.total_seconds()
                raise TimeLimitExceededError(f"cancelled after {seconds:g} s, the time limit") from None
            raise CancelledWithinError("what it waited for was cancelled") from error
        finally:
            self._take_back(task)
            del self._since[task]

    def _take_back(self, task: asyncio.Task[object]) -> bool:
        """Undo our own requests to stop, since the task goes on to its next object; were there any?"""
        requests = self._requests.pop(task, 0)
        for _ in range(requests):
            task.uncancel()
        return requests > 0
