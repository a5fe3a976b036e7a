from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Phase(StrEnum):
    """How far an informer is."""

    STARTING = "starting"
    SYNCED = "synced"
    WAITING = "waiting for the kind"
    BEHIND = "behind"
    REDUCED = "reduced"
    """In step with the server, but past the memory budget: metadata alone is kept."""


@dataclass(frozen=True, slots=True)
class State:
    """How far an informer is, why, and since when by the monotonic clock."""

    phase: Phase
    reason: str
    since: float

    @property
    def in_sync(self) -> bool:
        """Whether what is kept is what the server has, but for the time that news take to travel."""
        return self.phase in (Phase.SYNCED, Phase.REDUCED)

    def __str__(self) -> str:
        """As messages say it: `behind: GET …: connection refused`."""
        return f"{self.phase}: {self.reason}" if self.reason else str(self.phase)
