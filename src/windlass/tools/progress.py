"""Telling how an installation gets on."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

Report = Callable[[str], None]
"""Receives progress, one finished line at a time, without a line end."""


class Progress:
    """Lines stamped with the time since the start, and a sign of life when there was no line for a while."""

    def __init__(
        self,
        report: Report,
        *,
        beat: timedelta = timedelta(seconds=10),
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.beat = beat
        self._report = report
        self._monotonic = monotonic
        self._started = self._spoke = monotonic()

    @property
    def elapsed(self) -> timedelta:
        """The time since the start."""
        return timedelta(seconds=self._monotonic() - self._started)

    def say(self, text: str) -> None:
        """Report a step, now."""
        self._spoke = self._monotonic()
        self._report(f"{self._spoke - self._started:6.1f} s  {text}")

    def still(self, text: str) -> None:
        """Report that a step goes on, unless something was said within the last beat."""
        if self._monotonic() - self._spoke >= self.beat.total_seconds():
            self.say(text)
