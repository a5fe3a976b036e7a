from __future__ import annotations

import asyncio
import logging
from collections import deque
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from windlass.aio import within
from windlass.errors import Conflict, WindlassError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from random import Random
    from typing import Any

    from windlass.aio import Clock

_log = logging.getLogger("windlass.webhook")

_LIMIT: Final = timedelta(seconds=30)
_FIRST: Final = timedelta(milliseconds=100)
_LONGEST: Final = timedelta(minutes=1)
_MOST_IN_A_MINUTE: Final = 60
_MINUTE: Final = timedelta(minutes=1)


class Rounds:
    """Does something whenever it is woken, whenever its time has come, and again after a failure.

    There are at most 60 rounds in a minute: who wants something else than we do, such as another version of
    the same operator, is woken by what we write, and wakes us.

    `problem` is why the last round failed, empty if it did not.
    """

    def __init__(self, what: str, clock: Clock, random: Random) -> None:
        self.problem = ""
        self._what = what
        self._clock = clock
        self._random = random
        self._woken = asyncio.Event()
        self._failures = 0
        self._begun: deque[float] = deque(maxlen=_MOST_IN_A_MINUTE)

    def wake(self) -> None:
        """Have the next round begin at once."""
        self._woken.set()

    async def run(self, work: Callable[[], Coroutine[Any, Any, timedelta]]) -> None:
        """Do the work until cancelled; it returns how long it can wait until the next time."""
        while True:
            await self._pace()
            self._woken.clear()
            pause = await self._once(work)
            with suppress(TimeoutError):
                await within(self._clock, pause, self._woken.wait())

    async def _pace(self) -> None:
        """Wait until there may be another round."""
        if len(self._begun) == _MOST_IN_A_MINUTE:
            left = _MINUTE - timedelta(seconds=self._clock.monotonic() - self._begun[0])
            if left > timedelta():
                await self._clock.sleep(left)
        self._begun.append(self._clock.monotonic())

    async def _once(self, work: Callable[[], Coroutine[Any, Any, timedelta]]) -> timedelta:
        try:
            pause = await within(self._clock, _LIMIT, work())
        except (WindlassError, TimeoutError) as error:
            self._complain(error)
            longest: timedelta = min(_LONGEST, _FIRST * 2 ** min(self._failures, 16))
            self._failures += 1
            return longest * (1 - self._random.random() / 2)
        self.problem, self._failures = "", 0
        return pause

    def _complain(self, error: WindlassError | TimeoutError) -> None:
        if not isinstance(error, Conflict) and str(error) != self.problem:  # else another was faster
            _log.warning("%s: %s", self._what, error)
        self.problem = str(error)
