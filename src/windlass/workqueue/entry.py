from __future__ import annotations

from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from datetime import timedelta

K = TypeVar("K")
C = TypeVar("C")


class Priority(IntEnum):
    """Which of two ready keys goes first."""

    FRESH = 0
    """Something changed, and somebody may be waiting for the answer."""

    BACKGROUND = 1
    """It can wait: the first list, a periodic look."""


class Item(NamedTuple, Generic[K, C]):
    """A key to work on, and why.

    `causes` are in the order in which they were added; `dropped_causes` counts those beyond the limit.
    `waited` is the time from when it could have been taken. `attempt` is 1, and one more after each `retry`
    until `forget`.
    """

    key: K
    causes: tuple[C, ...]
    dropped_causes: int
    waited: timedelta
    priority: Priority
    attempt: int


class State(Enum):
    """Where a waiting key is."""

    DELAYED = "its time has not come"
    BLOCKED = "its time has come, but it is being worked on"
    READY = "it can be taken"
    GONE = "it was taken, or is not wanted any more"


class Entry(Generic[K, C]):
    """A key that waits. Most have one cause, so a second one is what makes a list."""

    __slots__ = ("at", "cause", "dropped", "key", "more", "priority", "state")

    def __init__(self, key: K, cause: C, priority: Priority, at: float) -> None:
        self.key = key
        self.cause = cause
        self.more: list[C] | None = None
        self.dropped = 0
        self.priority = priority
        self.at = at
        """When it may be taken at the earliest; once it is ready, since when it is."""
        self.state = State.DELAYED

    def note(self, cause: C, limit: int) -> None:
        """Keep one more cause, or count it where there are `limit` already."""
        if self.more is None:
            self.more = []
        if len(self.more) + 1 < limit:
            self.more.append(cause)
        else:
            self.dropped += 1

    @property
    def causes(self) -> tuple[C, ...]:
        """Every cause that was kept, in order."""
        return (self.cause, *self.more) if self.more else (self.cause,)
