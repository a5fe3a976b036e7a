from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from windlass.errors import QueueClosed
from windlass.workqueue.agenda import TOLERANCE
from windlass.workqueue.backoff import Backoff
from windlass.workqueue.census import Census
from windlass.workqueue.entry import Entry, Item, Priority, State
from windlass.workqueue.lane import Lane
from windlass.workqueue.options import QueueOptions
from windlass.workqueue.ranked import RankedLane

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from random import Random

    from windlass.aio import Clock
    from windlass.workqueue.census import Lanes
    from windlass.workqueue.observer import QueueObserver

K = TypeVar("K")
C = TypeVar("C")

_AT_ONCE = timedelta()


def _one_group(_: object) -> Hashable:
    return None


def _lanes(rank: Callable[[Any], float] | None, group: Callable[[K], Hashable]) -> Lanes[K, C]:
    return tuple(RankedLane(priority, rank) if rank else Lane(priority, group) for priority in Priority)


class WorkQueue(Census[K, C]):
    """Keys to work on, each with the causes for it; a key is never with two workers at a time.

    Fresh keys go before background ones, which still get every so many-th take. Among ready keys of one
    priority groups take turns, and inside a group the one that was ready first goes first; where there is a
    rank, the smallest goes first instead, whatever its group. All of it happens in one event loop: nothing
    here may be called from another thread.
    """

    def __init__(
        self,
        options: QueueOptions | None = None,
        *,
        clock: Clock,
        random: Random,
        group: Callable[[K], Hashable] = _one_group,
        observer: QueueObserver | None = None,
    ) -> None:
        self._options = options or QueueOptions()
        super().__init__(clock, _lanes(self._options.rank, group))
        self._observer = observer
        self._backoff: Backoff[K] = Backoff(self._options, random)
        self._passed_over = 0
        self._closed = False

    def add(self, key: K, cause: C, priority: Priority = Priority.FRESH, after: timedelta = _AT_ONCE) -> None:
        """See that a key is taken once `after` has passed, or earlier if it waits for less already.

        A key that is being worked on becomes ready when it is done. After `close` nothing happens.
        """
        if self._closed:
            return
        now = self._clock.monotonic()
        self._bring_due(now)
        at = now + after.total_seconds() if after else now
        entry = self._waiting.get(key)
        if entry is None:
            entry = self._waiting[key] = Entry(key, cause, priority, at)
            self._place(entry, now)
        else:
            entry.note(cause, self._options.causes)
            self._raise(entry, priority)
            self._bring_forward(entry, at, now)
        if self._observer:
            self._observer.added()

    def retry(self, key: K, cause: C, priority: Priority = Priority.FRESH) -> timedelta:
        """Add a key after a wait that doubles with each failure in a row; returns the wait."""
        delay = timedelta(seconds=self._backoff.delay(key, self._clock.monotonic()))
        if self._observer:
            self._observer.retried(delay)
        self.add(key, cause, priority, delay)
        return delay

    def forget(self, key: K) -> None:
        """Let the back-off of a key start over: it succeeded, or is gone."""
        self._backoff.forget(key)

    def withdraw(self, key: K, cause: C) -> bool:
        """Let go of a key that waits, if this was the first of its causes; whether it was."""
        entry = self._waiting.get(key)
        if entry is None or entry.cause is not cause:
            return False
        del self._waiting[key]
        before, entry.state = entry.state, State.GONE
        if before is State.READY:
            self._lanes[entry.priority].left()
        elif before is State.DELAYED:
            self._agenda.left()
        return True

    async def take(self) -> Item[K, C]:
        """Wait for a key that nobody works on, and take it: `done` gives it back.

        A call that is cancelled has taken nothing.

        Raises:
            QueueClosed: the queue is closed, whether or not something is left in it.
        """
        while True:
            if self._closed:
                raise QueueClosed("the queue is closed")
            now = self._clock.monotonic()
            self._bring_due(now)
            entry = self._first()
            if entry is not None:
                return self._hand_out(entry, now)
            await self._line.wait(self._agenda.next)

    def done(self, key: K) -> None:
        """A worker is finished with a key; what was added meanwhile is ready.

        Raises:
            ValueError: nobody works on this key.
        """
        started = self._running.pop(key, None)
        if started is None:
            raise ValueError(f"{key} is done, but was not taken")
        now = self._clock.monotonic()
        entry = self._waiting.get(key)
        if entry is not None and entry.state is State.BLOCKED:
            self._make_ready(entry, now)
        if self._observer:
            self._observer.done(timedelta(seconds=now - started))

    def close(self) -> None:
        """End it: whoever waits in `take` is told so at once, and what is left stays where it is."""
        self._closed = True
        self._line.wake_all()

    def _place(self, entry: Entry[K, C], now: float) -> None:
        if entry.at > now + TOLERANCE:
            self._agenda.put(entry)
            self._line.wake_before(entry.at)
        elif entry.key in self._running:
            entry.state = State.BLOCKED
        else:
            self._make_ready(entry, now)

    def _raise(self, entry: Entry[K, C], priority: Priority) -> None:
        if priority >= entry.priority:
            return
        before, entry.priority = entry.priority, priority
        if entry.state is State.READY:
            self._lanes[before].left()
            self._lanes[priority].push(entry)

    def _bring_forward(self, entry: Entry[K, C], at: float, now: float) -> None:
        if entry.state is State.DELAYED and at < entry.at:
            entry.at = at
            self._agenda.left()
            self._place(entry, now)

    def _first(self) -> Entry[K, C] | None:
        fresh, background = self._lanes
        if background and (not fresh or self._passed_over + 1 >= self._options.background_every):
            self._passed_over = 0
            return background.pop()
        if not fresh:
            return None
        if background:
            self._passed_over += 1
        return fresh.pop()

    def _hand_out(self, entry: Entry[K, C], now: float) -> Item[K, C]:
        entry.state = State.GONE
        key = entry.key
        del self._waiting[key]
        self._running[key] = now
        waited = timedelta(seconds=now - entry.at)
        if self._observer:
            self._observer.taken(waited)
        attempt = self._backoff.failures(key) + 1
        return Item(key, entry.causes, entry.dropped, waited, entry.priority, attempt)
