from __future__ import annotations

import logging
import sys
import threading
import traceback
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from windlass.manager.health import HealthLimits, late_beat

if TYPE_CHECKING:
    from windlass.aio import Clock

_EVERY: Final = timedelta(seconds=1)
_log = logging.getLogger("windlass.manager.health")


class Heartbeat:
    """Notices an event loop that is blocked, and says in the log by what.

    Health is served in the loop itself: while that is blocked a probe gets no answer, which kubelet
    understands well. What it cannot tell is why; so a thread looks after the beat, and writes the line at
    which the loop's own thread stands.
    """

    def __init__(self, clock: Clock, limits: HealthLimits, every: timedelta = _EVERY) -> None:
        self._clock = clock
        self._limits = limits
        self._every = every
        self._last = clock.monotonic()
        self._reported = False

    async def run(self) -> None:
        """Beat until cancelled."""
        loop_thread, stop = threading.get_ident(), threading.Event()
        watcher = threading.Thread(
            target=self._watch, args=(loop_thread, stop), name="windlass-heartbeat", daemon=True
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
        """Why the loop cannot be called alive; None when it can."""
        return late_beat(self._silence(), self._limits)

    def _watch(self, loop_thread: int, stop: threading.Event) -> None:
        while True:
            before = self._clock.monotonic()
            if stop.wait(self._every.total_seconds()):
                return
            if self._clock.monotonic() - before <= self._limits.blocked.total_seconds():
                self._look(loop_thread)
            # Else this thread slept too long as well: the process was suspended, and nobody is at fault.

    def _look(self, loop_thread: int) -> None:
        why = self.check()
        if bool(why) == self._reported:
            return
        self._reported = bool(why)
        if not why:
            _log.info("The event loop runs again")
            return
        frame = sys._current_frames().get(loop_thread)  # noqa: SLF001 - there is no other way to see it
        place = "".join(traceback.format_stack(frame)) if frame else ""
        _log.error(
            "The event loop is blocked: call what blocks with ctx.thread",
            extra={"windlass": {"reason": why, "stacktrace": place}},
        )

    def _silence(self) -> timedelta:
        return timedelta(seconds=self._clock.monotonic() - self._last)
