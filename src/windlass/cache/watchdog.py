from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Self

from windlass.errors import WindlassError

if TYPE_CHECKING:
    from types import TracebackType

    from windlass.aio import Clock


class Silence(WindlassError):
    """Nothing was heard for too long."""


class Watchdog:
    """Ends a block in which nothing is heard for too long, or which is no longer wanted.

    As `asyncio.timeout`, but each sign of life gives it the whole time again, and time is a clock's.
    """

    def __init__(self, clock: Clock, patience: timedelta) -> None:
        self._clock = clock
        self._reason: WindlassError | None = None
        self.patience = patience

    def heard(self) -> None:
        """A sign of life."""
        self._last = self._clock.monotonic()

    def end(self, reason: WindlassError) -> None:
        """End the block with this error; the first reason counts."""
        if self._reason is None:
            self._reason = reason
            self._task.cancel()

    async def __aenter__(self) -> Self:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - for the type checker: there is one wherever something is awaited
        self._task = task
        self._cancelling = task.cancelling()
        self.heard()
        self._guard = asyncio.create_task(self._wait())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._guard.cancel()
        try:
            await asyncio.wait((self._guard,))
        except asyncio.CancelledError as cancelled:
            kind, error = asyncio.CancelledError, cancelled
            if self._reason is None:
                raise
        if self._reason is None:
            return
        # The cancellation was ours if it is the only one: then what it stands for is raised in its place.
        ours = self._task.uncancel() <= self._cancelling
        if ours and (kind is None or kind is asyncio.CancelledError):
            raise self._reason from error
        if error is not None and not ours:
            raise asyncio.CancelledError from error

    async def _wait(self) -> None:
        while (left := self._last + self.patience.total_seconds() - self._clock.monotonic()) > 0:
            await self._clock.sleep(timedelta(seconds=left))
        self.end(Silence(f"nothing was heard for {self.patience.total_seconds():g} s"))
