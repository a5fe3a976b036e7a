from __future__ import annotations

import heapq
from itertools import count
from typing import TYPE_CHECKING, Generic, TypeVar

from windlass.workqueue.entry import Entry, State

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.workqueue.entry import Priority

K = TypeVar("K")
C = TypeVar("C")

_SLACK = 64  # leftovers that are not worth a sweep


class RankedLane(Generic[K, C]):
    """The ready keys of one priority in the order of a rank: the smallest first, equals as they came.

    A key is ranked when it becomes ready. As in a `Lane`, one that rises to a better lane is a leftover here.
    """

    def __init__(self, priority: Priority, rank: Callable[[K], float]) -> None:
        self._priority = priority
        self._rank = rank
        self._order = count()
        self._heap: list[tuple[float, int, Entry[K, C]]] = []
        self._ready = 0

    def __len__(self) -> int:
        return self._ready

    def push(self, entry: Entry[K, C]) -> None:
        """Put an entry where its rank belongs."""
        heapq.heappush(self._heap, (self._rank(entry.key), next(self._order), entry))
        self._ready += 1

    def left(self) -> None:
        """An entry rose to a better lane, or is not wanted any more."""
        self._ready -= 1
        if len(self._heap) > 2 * self._ready + _SLACK:
            self._heap = [place for place in self._heap if self._is_here(place[2])]
            heapq.heapify(self._heap)

    def pop(self) -> Entry[K, C]:
        """Take the entry of the smallest rank; there must be one."""
        while True:
            entry = heapq.heappop(self._heap)[2]
            if self._is_here(entry):
                self._ready -= 1
                return entry

    def _is_here(self, entry: Entry[K, C]) -> bool:
        return entry.state is State.READY and entry.priority is self._priority
