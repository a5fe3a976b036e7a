from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, kw_only=True)
class QueueOptions:
    """How a queue backs off, shares and remembers; the figures of back-off are controller-runtime's.

    `shortest`, `longest`: the wait before the first retry of a key, which doubles up to the other.
    `jitter`: the part of each such wait that is left to chance, 0 for none; waits only get shorter by it.
    `rate`, `burst`: how many retries of all keys together fall due each second, after so many at once.
    `background_every`: every so many takes is one from the background, if there is anything.
    `rank`: which of two ready keys of one priority goes first, the one with the smaller; None for turns.
    `causes`: how many of its causes a waiting key keeps, the first ones; of the others it keeps the number.
    """

    shortest: timedelta = timedelta(milliseconds=5)
    longest: timedelta = timedelta(seconds=1000)
    jitter: float = 0.1
    rate: float = 10.0
    burst: int = 100
    background_every: int = 16
    causes: int = 50
    rank: Callable[[Any], float] | None = None

    def starting_at(self, first: timedelta) -> QueueOptions:
        """Return options whose first retry waits at least `first`, jitter included."""
        first /= 1 - self.jitter
        if first <= self.shortest:
            return self
        return replace(self, shortest=first, longest=max(first, self.longest))

    def __post_init__(self) -> None:
        if not timedelta() < self.shortest <= self.longest:
            raise ValueError(f"QueueOptions: {self.shortest} to {self.longest} is no range of waits")
        if not 0 <= self.jitter < 1:
            raise ValueError(f"QueueOptions: jitter={self.jitter} is not in [0, 1)")
        if self.rate <= 0 or self.burst < 1:
            raise ValueError(f"QueueOptions: rate={self.rate}, burst={self.burst} would let nothing through")
        if self.background_every < 2 or self.causes < 1:  # noqa: PLR2004 - at 1, nothing fresh would be taken
            raise ValueError("QueueOptions: background_every is at least 2, causes at least 1")
