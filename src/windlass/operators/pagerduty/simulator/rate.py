from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.aio import Clock

_WINDOW = 60.0


@dataclass(frozen=True, kw_only=True)
class Allowance:
    """What is left to a key of its requests of this minute, after the one that was just counted."""

    limit: int
    remaining: int
    reset: int
    exceeded: bool = False

    @property
    def headers(self) -> Mapping[str, str]:
        """The three headers of every answer; `reset` is in seconds from now."""
        return {
            "ratelimit-limit": str(self.limit),
            "ratelimit-remaining": str(self.remaining),
            "ratelimit-reset": str(self.reset),
        }


@dataclass
class _Window:
    since: float
    used: int = 0


@dataclass
class RateLimit:
    """So many requests a minute for each key; the minute of a key begins with its first request."""

    clock: Clock
    limit: int = 960
    exceeded: int = 0
    """How many requests were refused for coming too fast. A client that keeps to the limit leaves it 0."""
    _windows: dict[str, _Window] = field(default_factory=dict, repr=False)

    def count(self, key: str) -> Allowance:
        """Count a request of this key; a refused one uses nothing up."""
        now = self.clock.monotonic()
        window = self._windows.get(key)
        if window is None or now >= window.since + _WINDOW:
            window = self._windows[key] = _Window(now)
        exceeded = window.used >= self.limit
        if exceeded:
            self.exceeded += 1
        else:
            window.used += 1
        return Allowance(
            limit=self.limit,
            remaining=self.limit - window.used,
            reset=max(1, ceil(window.since + _WINDOW - now)),
            exceeded=exceeded,
        )
