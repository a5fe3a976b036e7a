from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Generic, TypeVar

from windlass.errors import QueueClosed
from windlass.workqueue.agenda import TOLERANCE, Agenda
from windlass.workqueue.backoff import Backoff
from windlass.workqueue.entry import Entry, Item, Priority, State
from windlass.workqueue.lane import Lane
from windlass.workqueue.line import Line
from windlass.workqueue.options import QueueOptions
from windlass.workqueue.ranked import RankedLane

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from random import Random

    from windlass.aio import Clock
    from windlass.workqueue.observer import QueueObserver

K = TypeVar("K")
C = TypeVar("C")

_AT_ONCE = timedelta()


def _one_group(_: object) -> Hashable:
    return None


class WorkQueue(Generic[K, C]):
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
        self._clock = clock
        self._observer = observer
        self._waiting: dict[K, Entry[K, C]] = {}
        self._running: dict[K, float] = {}
        self._agenda: Agenda[K, C] = Agenda()
        rank = self._options.rank
        self._lanes: tuple[Lane[K, C] | RankedLane[K, C], ...] = tuple(
            RankedLane(priority, rank) if rank else Lane(priority, group) for priority in Priority
        )
        self._backoff: Backoff[K] = Backoff(self._options, random)
        self._line = Line(clock)
        self._passed_over = 0
        self._closed = False

    def __len__(self) -> int:
        """How many keys could be taken now."""
        self._bring_due(self._clock.monotonic())
        return sum(map(len, self._lanes))

    def depth(self, priority: Priority) -> int:
        """How many keys of a priority could be taken now."""
        self._bring_due(self._clock.monotonic())
        return len(self._lanes[priority])

    @property
    def delayed(self) -> int:
        """How many keys wait for their time."""
        self._bring_due(self._clock.monotonic())
        return len(self._agenda)

    @property
    def running(self) -> int:
        """How many keys are being worked on."""
        return len(self._running)

    @property
    def oldest(self) -> timedelta:
        """For how long the first of the ready keys has been ready; it looks at each of them."""
        now = self._clock.monotonic()
        self._bring_due(now)
        since = (entry.at for entry in self._waiting.values() if entry.state is State.READY)
        return timedelta(seconds=now - min(since, default=now))

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

    def _make_ready(self, entry: Entry[K, C], since: float) -> None:
        entry.state = State.READY
        entry.at = since
        self._lanes[entry.priority].push(entry)
        self._line.wake()

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

    def _bring_due(self, now: float) -> None:
        for entry in self._agenda.due(now):
            if entry.key in self._running:
                entry.state = State.BLOCKED
            else:
                self._make_ready(entry, min(entry.at, now))

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
        entry.state = State.TAKEN
        key = entry.key
        del self._waiting[key]
        self._running[key] = now
        waited = timedelta(seconds=now - entry.at)
        if self._observer:
            self._observer.taken(waited)
        attempt = self._backoff.failures(key) + 1
        return Item(key, entry.causes, entry.dropped, waited, entry.priority, attempt)
