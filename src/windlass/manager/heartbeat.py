from __future__ import annotations

import asyncio
import logging
import sys
import threading
import traceback
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from windlass.manager.health import HealthLimits, late_beat

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from windlass.aio import Clock

_BEATS = 4
"""So many beats come in the time after which a block is reported."""

_log = logging.getLogger("windlass.manager.health")


class Block(NamedTuple):
    """A time for which the event loop was blocked: by which task, at which place of the code."""

    task: asyncio.Task[Any] | None
    took: timedelta
    place: str


class Heartbeat:
    """Notice an event loop that is blocked, and log by what.

    Health is served in the loop itself: while that is blocked a probe gets no answer, which kubelet
    understands well. What it cannot tell is why; so a thread looks after the beat, and logs the stack of the
    loop's own thread. `on_block` is called in the loop as soon as it runs again.
    """

    def __init__(
        self,
        clock: Clock,
        limits: HealthLimits,
        every: timedelta | None = None,
        on_block: Callable[[Block], None] = lambda _: None,
    ) -> None:
        self._clock = clock
        self._limits = limits
        self._every = every or limits.slow / _BEATS
        self._on_block = on_block
        self._last = clock.monotonic()
        self._noticed = False
        self._reported = False

    async def run(self) -> None:
        """Beat until cancelled."""
        loop, stop = asyncio.get_running_loop(), threading.Event()
        self._last = self._clock.monotonic()
        watcher = threading.Thread(
            target=self._watch,
            args=(threading.get_ident(), stop, loop),
            name="windlass-heartbeat",
            daemon=True,
        )
        watcher.start()
        try:
            while True:
                self._last = self._clock.monotonic()
                await self._clock.sleep(self._every)
        finally:
            stop.set()
            watcher.join()  # it waits for nothing but this event

    def check(self) -> str | None:
        """Return why the loop cannot be called alive; None when it can."""
        return late_beat(self._silence(), self._limits)

    def _watch(
        self, loop_thread: int, stop: threading.Event, loop: asyncio.AbstractEventLoop | None = None
    ) -> None:
        while True:
            before = self._clock.monotonic()
            if stop.wait(self._every.total_seconds()):
                return
            slept = timedelta(seconds=self._clock.monotonic() - before)
            # If this thread slept too long as well, the process was suspended, and no code blocked.
            if slept <= self._limits.slow and loop is not None:
                self._notice(loop_thread, loop)
            if slept <= self._limits.blocked:
                self._look(loop_thread)

    def _notice(self, loop_thread: int, loop: asyncio.AbstractEventLoop) -> None:
        """Log the first time in each block that it takes longer than it may."""
        is_slow = self._silence() > self._limits.slow
        if is_slow and not self._noticed:
            frame = sys._current_frames().get(loop_thread)  # noqa: SLF001 - there is no other way to see it
            task, since, place = asyncio.current_task(loop), self._last, _place_of(frame)
            _log.warning(
                "The event loop has been blocked for more than %g s, at %s: call what blocks with ctx.thread",
                self._limits.slow.total_seconds(),
                place or "an unknown place",
                extra={"windlass": {"stacktrace": _stack_of(frame)}},
            )
            loop.call_soon_threadsafe(self._report, task, since, place)
        self._noticed = is_slow

    def _report(self, task: asyncio.Task[Any] | None, since: float, place: str) -> None:
        """Report a block that is over."""
        self._on_block(Block(task, timedelta(seconds=self._clock.monotonic() - since), place))

    def _look(self, loop_thread: int) -> None:
        why = self.check()
        if bool(why) == self._reported:
            return
        self._reported = bool(why)
        if not why:
            _log.info("The event loop runs again")
            return
        frame = sys._current_frames().get(loop_thread)  # noqa: SLF001 - there is no other way to see it
        _log.error(
            "The event loop is blocked: call what blocks with ctx.thread",
            extra={"windlass": {"reason": why, "stacktrace": _stack_of(frame)}},
        )

    def _silence(self) -> timedelta:
        return timedelta(seconds=self._clock.monotonic() - self._last)


def _stack_of(frame: FrameType | None) -> str:
    return "".join(traceback.format_stack(frame)) if frame else ""


def _place_of(frame: FrameType | None) -> str:
    """Return the file, line and function that is running; empty if that is not known."""
    if frame is None:
        return ""
    return f"{frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_qualname}"
