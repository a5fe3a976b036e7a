"""Follows how the statuses of Widgets become fresh, from the events of a watch."""

import asyncio
import time
from typing import Any


class Freshness:
    """Which Widgets have a status of this seed, and since when a status knows of a generation."""

    def __init__(self, seed: str, count: int) -> None:
        self.all_fresh = asyncio.Event()
        self._prefix = f"{seed}:"
        self._stale = count
        self._fresh: set[str] = set()
        self._seen: dict[str, tuple[int, float]] = {}
        self._awaited: dict[str, tuple[int, asyncio.Future[float]]] = {}

    @property
    def remaining(self) -> int:
        """How many are stale."""
        return self._stale - len(self._fresh)

    def see(self, widget: dict[str, Any]) -> None:
        """Take a Widget from the watch."""
        status = widget.get("status", {})
        if not status.get("digest", "").startswith(self._prefix):
            return
        name, observed = widget["metadata"]["name"], status["observedGeneration"]
        now = time.perf_counter()
        self._fresh.add(name)
        if self._seen.get(name, (0, 0.0))[0] < observed:
            self._seen[name] = observed, now
        generation, found = self._awaited.get(name, (0, None))
        if found and not found.done() and observed >= generation:
            found.set_result(now)
        if not self.remaining:
            self.all_fresh.set()

    async def knows(self, name: str, generation: int) -> float:
        """When the status of a Widget was first seen to know of a generation."""
        observed, when = self._seen.get(name, (0, 0.0))
        if observed >= generation:
            return when
        found: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._awaited[name] = generation, found
        return await found
