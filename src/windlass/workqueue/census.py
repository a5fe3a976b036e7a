"""What can be told of a queue from outside."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Generic, TypeVar

from windlass.workqueue.agenda import Agenda
from windlass.workqueue.entry import Entry, State
from windlass.workqueue.lane import Lane
from windlass.workqueue.line import Line
from windlass.workqueue.ranked import RankedLane

if TYPE_CHECKING:
    from windlass.aio import Clock
    from windlass.workqueue.entry import Priority

K = TypeVar("K")
C = TypeVar("C")

Lanes = tuple[Lane[K, C] | RankedLane[K, C], ...]


class Census(Generic[K, C]):
    """The keys of a queue, where each of them is, and how many there are of which."""

    def __init__(self, clock: Clock, lanes: Lanes[K, C]) -> None:
        self._clock = clock
        self._waiting: dict[K, Entry[K, C]] = {}
        self._running: dict[K, float] = {}
        self._agenda: Agenda[K, C] = Agenda()
        self._lanes = lanes
        self._line = Line(clock)

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
    def idle(self) -> int:
        """How many workers wait in `take` for something to do."""
        return len(self._line)

    @property
    def oldest(self) -> timedelta:
        """For how long the first of the ready keys has been ready; it looks at each of them."""
        now = self._clock.monotonic()
        self._bring_due(now)
        since = (entry.at for entry in self._waiting.values() if entry.state is State.READY)
        return timedelta(seconds=now - min(since, default=now))

    def _make_ready(self, entry: Entry[K, C], since: float) -> None:
        entry.state = State.READY
        entry.at = since
        self._lanes[entry.priority].push(entry)
        self._line.wake()

    def _bring_due(self, now: float) -> None:
        for entry in self._agenda.due(now):
            if entry.key in self._running:
                entry.state = State.BLOCKED
            else:
                self._make_ready(entry, min(entry.at, now))
