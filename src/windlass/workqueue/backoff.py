from __future__ import annotations

import math
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from random import Random

    from windlass.workqueue.options import QueueOptions

K = TypeVar("K")

_DOUBLINGS = 60  # beyond any range of waits, and a float still holds it


class Backoff(Generic[K]):
    """How long a key waits before it is tried again: ever longer by itself, and in a row with all others."""

    def __init__(self, options: QueueOptions, random: Random) -> None:
        self._options = options
        self._random = random
        self._failures: dict[K, int] = {}
        self._paid_until = -math.inf  # nobody owes anything at the start

    def failures(self, key: K) -> int:
        """How often a key was tried again since it was last forgotten."""
        return self._failures.get(key, 0)

    def forget(self, key: K) -> None:
        """Start over with a key."""
        self._failures.pop(key, None)

    def delay(self, key: K, now: float) -> float:
        """Seconds until a key is tried again; each call counts as a failure."""
        failures = self._failures.get(key, 0)
        self._failures[key] = failures + 1
        options = self._options
        alone = options.shortest.total_seconds() * 2.0 ** min(failures, _DOUBLINGS)
        alone = min(alone, options.longest.total_seconds())
        alone *= 1 - options.jitter * self._random.random()
        return max(alone, self._in_a_row(now))

    def _in_a_row(self, now: float) -> float:
        """Seconds until the rate of all retries allows one more: a token bucket, kept as a debt of time."""
        burst, step = self._options.burst, 1 / self._options.rate
        self._paid_until = max(self._paid_until, now - burst * step) + step
        return max(self._paid_until - now, 0.0)
