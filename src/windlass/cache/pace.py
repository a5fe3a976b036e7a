from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import timedelta
    from random import Random

    from windlass.aio import Clock

_TURN: Final = 0.003
_LOOK: Final = 16
_MOST: Final = 256


class Pace:
    """Lets others have the loop after a few milliseconds of work, however much of it there is."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since = clock.monotonic()
        self._done = 0

    def due(self) -> bool:
        """One more piece of work is done: is it time for a break?"""
        self._done += 1
        if self._done % _LOOK:  # the clock is not worth a look each time
            return False
        return self._done >= _MOST or self._clock.monotonic() - self._since >= _TURN

    async def rest(self) -> None:
        """Let others run."""
        await asyncio.sleep(0)
        self._done = 0
        self._since = self._clock.monotonic()


class Backoff:
    """Ever longer pauses, each cut by up to half at random so that not all come back together."""

    def __init__(self, first: timedelta, longest: timedelta, random: Random) -> None:
        self._first = first
        self._longest = longest
        self._random = random
        self._failures = 0

    def next(self) -> timedelta:
        """The pause after one more failure."""
        longest: timedelta = min(self._longest, self._first * 2 ** min(self._failures, 32))
        self._failures += 1
        return longest * (1 - self._random.random() / 2)

    def reset(self) -> None:
        """Something worked."""
        self._failures = 0
