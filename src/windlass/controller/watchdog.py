from __future__ import annotations

import asyncio
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from windlass.errors import WindlassError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.aio import Clock

_LOOK = timedelta(seconds=1)


class TimeLimitExceededError(WindlassError):
    """A reconcile took longer than it may, and was cancelled."""


class Watchdog:
    """Cancels what takes too long: one look a second at everything that runs, instead of a timer for each."""

    def __init__(self, clock: Clock, limit: timedelta) -> None:
        self._clock = clock
        self._limit = limit
        self._since: dict[asyncio.Task[object], float] = {}
        self._overdue: set[asyncio.Task[object]] = set()

    async def run(self) -> None:
        """Look until cancelled."""
        limit = self._limit.total_seconds()
        while True:
            await self._clock.sleep(min(_LOOK, self._limit / 2))
            now = self._clock.monotonic()
            for task, since in self._since.items():
                if now - since >= limit:
                    self._overdue.add(task)
                    task.cancel()

    @contextmanager
    def limited(self) -> Iterator[None]:
        """Let the present task do what stands in the block for as long as the limit.

        Raises:
            TimeLimitExceededError: it took longer.
        """
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a time limit needs a task to cancel")
        self._since[task] = self._clock.monotonic()
        try:
            yield
        except asyncio.CancelledError:
            if task not in self._overdue or task.uncancel():
                raise
            seconds = self._limit.total_seconds()
            raise TimeLimitExceededError(f"cancelled after {seconds:g} s, the time limit") from None
        finally:
            del self._since[task]
            self._overdue.discard(task)
