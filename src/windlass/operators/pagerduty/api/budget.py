"""How many requests a token may make, shared by all who use it."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from windlass.aio import Clock
    from windlass.operators.pagerduty.api.wire import Reply

_JITTER = 0.1
_UNSAID = 30.0  # seconds to wait after a refusal that does not say how long


@dataclass(frozen=True, kw_only=True)
class BudgetOptions:
    """What PagerDuty allows to one token: `limit` requests in each `window`.

    `floor` of these are left to others who use the token, such as people and other tools.
    """

    limit: int = 960
    floor: int = 60
    window: timedelta = timedelta(minutes=1)

    def __post_init__(self) -> None:
        if not 0 <= self.floor < self.limit:
            raise ValueError(f"a floor of {self.floor} leaves nothing of {self.limit} requests")
        if self.window <= timedelta():
            raise ValueError(f"{self.window} is no time in which requests could be counted")


@dataclass
class _Said:
    """What PagerDuty last said about the present window, and when that ends."""

    left: int
    ends: float


class Budget:
    """Hands out turns: in any window at most the limit less the floor, and what PagerDuty says is left.

    Who waits longest in the namespace that was served least goes first. A process that starts cannot know
    what its predecessor used, so the first turn is handed out alone, and its answer tells.
    """

    def __init__(self, options: BudgetOptions, *, clock: Clock, random: Random) -> None:
        self._options = options
        self._limit = options.limit
        self._clock = clock
        self._random = random
        self._order = count()
        self._lines: dict[str, deque[tuple[int, asyncio.Future[None]]]] = {}
        self._taken: deque[tuple[float, str]] = deque()
        self._served: Counter[str] = Counter()
        self._flying = 0
        self._answered = False
        self._said: _Said | None = None
        self._closed_until = 0.0
        self._timer: asyncio.Task[None] | None = None

    @property
    def left(self) -> int:
        """How many requests could be made now, as far as is known."""
        now = self._clock.monotonic()
        self._forget(now)
        own = self._limit - self._floor - len(self._taken)
        said = [self._said.left - self._floor] if self._said else []
        return max(0, min([own, *said])) if now >= self._closed_until else 0

    async def turn(self, namespace: str) -> None:
        """Wait until one more request may be made for a namespace; `heard` has to be told how it went."""
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        entry = (next(self._order), place)
        self._lines.setdefault(namespace, deque()).append(entry)
        self._serve()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():  # it was our turn already, and nobody will take it
                self._flying -= 1
            else:
                self._leave(namespace, entry)
            self._serve()
            raise

    def heard(self, reply: Reply | None) -> None:
        """A turn has ended: with this answer, or with none."""
        self._flying -= 1
        if reply is not None:
            self._answered = True
            self._learn(reply)
        self._serve()

    @property
    def _floor(self) -> int:
        return min(self._options.floor, self._limit // 8)

    def _learn(self, reply: Reply) -> None:
        now = self._clock.monotonic()
        limit = _number(reply.headers, "ratelimit-limit")
        left = _number(reply.headers, "ratelimit-remaining")
        reset = _number(reply.headers, "ratelimit-reset")
        if limit:
            self._limit = min(self._options.limit, int(limit))
        if left is not None and reset is not None:
            self._said = _Said(int(left) - self._flying, now + reset)
        if reply.status == HTTPStatus.TOO_MANY_REQUESTS:
            wait = reset if reset is not None else _UNSAID
            until = now + max(wait, 1.0) * (1 + _JITTER * self._random.random())
            self._closed_until = max(self._closed_until, until)

    def _serve(self) -> None:
        """Hand out what can be handed out, and see that somebody looks again when the next turn falls due."""
        while self._lines and (delay := self._delay()) == 0:
            self._call_next()
        if not self._lines:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
        elif delay is not None and (self._timer is None or self._timer.done()):
            self._timer = asyncio.get_running_loop().create_task(self._look_again(delay))

    async def _look_again(self, delay: float) -> None:
        await self._clock.sleep(timedelta(seconds=delay))
        self._timer = None
        self._serve()

    def _delay(self) -> float | None:
        """Seconds until a turn can be handed out; None if an answer has to come first."""
        now = self._clock.monotonic()
        self._forget(now)
        due = self._closed_until
        if not self._answered and self._flying:
            return None
        if len(self._taken) >= self._limit - self._floor:
            due = max(due, self._taken[0][0] + self._options.window.total_seconds())
        if self._said is not None and self._said.left <= self._floor:
            due = max(due, self._said.ends)
        return 0 if due <= now else max(due - now, 0.001)

    def _call_next(self) -> None:
        namespace = min(self._lines, key=lambda name: (self._served[name], self._lines[name][0][0]))
        _, place = self._lines[namespace].popleft()
        if not self._lines[namespace]:
            del self._lines[namespace]
        if place.cancelled():
            return
        place.set_result(None)
        self._flying += 1
        self._taken.append((self._clock.monotonic(), namespace))
        self._served[namespace] += 1
        if self._said is not None:
            self._said.left -= 1

    def _leave(self, namespace: str, entry: tuple[int, asyncio.Future[None]]) -> None:
        line = self._lines.get(namespace)
        if line is not None and entry in line:
            line.remove(entry)
            if not line:
                del self._lines[namespace]

    def _forget(self, now: float) -> None:
        """Let go of what no longer counts."""
        while self._taken and self._taken[0][0] + self._options.window.total_seconds() <= now:
            _, namespace = self._taken.popleft()
            self._served[namespace] -= 1
            if not self._served[namespace]:
                del self._served[namespace]
        if self._said is not None and self._said.ends <= now:
            self._said = None


def _number(headers: Mapping[str, str], name: str) -> float | None:
    try:
        return float(headers[name])
    except (KeyError, ValueError):
        return None
