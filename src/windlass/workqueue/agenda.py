from __future__ import annotations

import heapq
from itertools import count
from typing import TYPE_CHECKING, Generic, TypeVar

from windlass.workqueue.entry import State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.workqueue.entry import Entry

K = TypeVar("K")
C = TypeVar("C")

TOLERANCE = 1e-6
"""Seconds: clocks count in microseconds, and sums of floats miss them by a little."""

_SLACK = 64  # leftovers that are not worth a sweep


class Agenda(Generic[K, C]):
    """The keys whose time has not come, the next one first.

    An entry that falls due earlier is put in anew, and its old place is a leftover that is skipped.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Entry[K, C]]] = []
        self._order = count()
        self._delayed = 0

    def __len__(self) -> int:
        return self._delayed

    @property
    def next(self) -> float | None:
        """When the next one falls due."""
        while self._heap and not _is_here(self._heap[0]):
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def put(self, entry: Entry[K, C]) -> None:
        """Keep an entry until the time that it says."""
        entry.state = State.DELAYED
        heapq.heappush(self._heap, (entry.at, next(self._order), entry))
        self._delayed += 1

    def left(self) -> None:
        """An entry is ready, will be put in anew for an earlier time, or is not wanted any more."""
        self._delayed -= 1
        if len(self._heap) > 2 * self._delayed + _SLACK:
            self._heap = [place for place in self._heap if _is_here(place)]
            heapq.heapify(self._heap)

    def due(self, now: float) -> Iterator[Entry[K, C]]:
        """Take out what is due, in the order of its time; what falls due together in the order it came."""
        while self._heap and self._heap[0][0] <= now + TOLERANCE:
            place = heapq.heappop(self._heap)
            if _is_here(place):
                self._delayed -= 1
                yield place[2]


def _is_here(place: tuple[float, int, Entry[K, C]]) -> bool:
    at, _, entry = place
    return entry.state is State.DELAYED and entry.at == at
