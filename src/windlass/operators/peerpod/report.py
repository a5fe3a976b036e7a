"""What a PeerPodConfig says of itself: status and conditions, from what was found and done."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, Literal

from windlass.api import Condition, set_condition
from windlass.operators.peerpod.types import NodeShare
from windlass.reconcile import Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.operators.peerpod.types import PeerPodConfigStatus

SHOWN: Final = 200
"""How many nodes a status shows: with thousands, each change of one would write a quarter of a megabyte."""

_AT_LEAST: Final = timedelta(seconds=1)


class Report:
    """Gathers what is found on the way, and concludes from all of it."""

    def __init__(self, status: PeerPodConfigStatus, now: datetime) -> None:
        self.status = status
        self._now = now
        self._lacking: list[tuple[str, str]] = []
        self._again: timedelta | None = None

    def found(self, type_: str, message: str, *, reason: str = "Found") -> None:
        """Something is as it should be."""
        self._say(type_, "True", reason, message)

    def lacks(self, type_: str, reason: str, message: str) -> None:
        """Something is not as it should be, so that the config is not ready."""
        self._lacking.append((reason, message))
        self._say(type_, "False", reason, message)

    def doubts(self, type_: str, reason: str, message: str) -> bool:
        """Something may be wrong, and holds nothing up; whether that is new."""
        return self._say(type_, "Unknown", reason, message)

    def turned_off(self, *types: str) -> None:
        """Something is not wanted, so that there is nothing to say of it."""
        self.status.conditions = [each for each in self.status.conditions if each.type not in types]

    def warns(self, type_: str, reason: str, message: str) -> bool:
        """Something is so that should not be, and holds nothing up; whether that is new."""
        return self._say(type_, "True", reason, message)

    def clears(self, type_: str, reason: str) -> None:
        """Something is not so that should not be."""
        self._say(type_, "False", reason, "")

    def shares(self, shares: Mapping[str, int], used: Mapping[str, int]) -> None:
        """Note what each node offers, and what pods take of it."""
        self.status.node_count = len(shares)
        self.status.total_advertised = sum(shares.values())
        self.status.total_used = sum(used[name] for name in shares)
        self.status.nodes = [
            NodeShare(name=name, capacity=shares[name], used=used[name]) for name in sorted(shares)[:SHOWN]
        ]

    def look_again(self, when: datetime) -> None:
        """Have the config looked at again at a moment, even if nothing changes."""
        self._again = max(when - self._now, _AT_LEAST)

    def conclude(self) -> Result[PeerPodConfigStatus]:
        """How it ended: with the first thing that is lacking, if there is one."""
        self.status.setup_completed = not self._lacking
        for reason, message in self._lacking:
            return Result.waiting(reason, message, self.status, again=self._again)
        message = f"{self.status.node_count} nodes offer {self.status.total_advertised} virtual machines"
        return Result.ready(self.status, message=message, again=self._again)

    def fail(self, error: Exception, reason: str) -> Result[PeerPodConfigStatus]:
        """A step failed."""
        self.status.setup_completed = False
        return Result.failed(error, self.status, reason=reason)

    def _say(self, type_: str, holds: Literal["True", "False", "Unknown"], reason: str, message: str) -> bool:
        condition = Condition(type=type_, status=holds, reason=reason, message=message)
        return set_condition(self.status.conditions, condition, self._now)
