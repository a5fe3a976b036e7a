from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Generic, TypeVar

from windlass.workqueue.entry import Entry, State

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from windlass.workqueue.entry import Priority

K = TypeVar("K")
C = TypeVar("C")

_SLACK = 64  # leftovers that are not worth a sweep


class Lane(Generic[K, C]):
    """The ready keys of one priority: groups take turns, and inside a group the first to come goes first.

    An entry that rises to a better lane stays here as a leftover until its turn comes or a sweep finds it;
    looking for it in the middle of a line would cost more.
    """

    def __init__(self, priority: Priority, group: Callable[[K], Hashable]) -> None:
        self._priority = priority
        self._group = group
        self._lines: dict[Hashable, deque[Entry[K, C]]] = {}
        self._turns: deque[Hashable] = deque()
        self._leftovers = 0
        self._ready = 0

    def __len__(self) -> int:
        return self._ready

    def push(self, entry: Entry[K, C]) -> None:
        """Put an entry at the end of the line of its group."""
        group = self._group(entry.key)
        line = self._lines.get(group)
        if line is None:
            line = self._lines[group] = deque()
            self._turns.append(group)
        line.append(entry)
        self._ready += 1

    def left(self) -> None:
        """An entry rose to a better lane, or is not wanted any more."""
        self._ready -= 1
        self._leftovers += 1
        if self._leftovers > self._ready + _SLACK:
            self._sweep()

    def pop(self) -> Entry[K, C]:
        """Take the first entry of the group whose turn it is; there must be one."""
        while True:
            group = self._turns.popleft()
            line = self._lines[group]
            entry = self._first(line)
            if line:
                self._turns.append(group)
            else:
                del self._lines[group]
            if entry is not None:
                self._ready -= 1
                return entry

    def _first(self, line: deque[Entry[K, C]]) -> Entry[K, C] | None:
        while line:
            entry = line.popleft()
            if self._is_here(entry):
                return entry
            self._leftovers -= 1
        return None

    def _is_here(self, entry: Entry[K, C]) -> bool:
        return entry.state is State.READY and entry.priority is self._priority

    def _sweep(self) -> None:
        lines = {
            group: deque(entry for entry in self._lines[group] if self._is_here(entry))
            for group in self._turns
        }
        self._lines = {group: line for group, line in lines.items() if line}
        self._turns = deque(self._lines)
        self._leftovers = 0
