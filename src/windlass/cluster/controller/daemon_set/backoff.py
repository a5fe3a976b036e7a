from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from windlass.api import Key

_FIRST = timedelta(seconds=1)
_LONGEST = timedelta(minutes=15)


class _Rest(NamedTuple):
    since: datetime
    length: timedelta


class Backoff:
    """How long each node rests after a pod of a set has failed there: twice as long each time.

    A node that refuses a pod would otherwise be offered one after the other.
    """

    def __init__(self) -> None:
        self._rests: dict[tuple[Key, str], _Rest] = {}

    def failed(self, owner: Key, node: str, now: datetime) -> None:
        """A pod failed on a node, and is to be replaced: the next that fails has to wait."""
        last = self._rests.get((owner, node))
        forgotten = last is None or now - last.since > 2 * _LONGEST
        length = _FIRST if last is None or forgotten else min(2 * last.length, _LONGEST)
        self._rests[owner, node] = _Rest(now, length)

    def resting(self, owner: Key, nodes: Iterable[str], now: datetime) -> dict[str, timedelta]:
        """Which of these nodes rest, and for how long yet."""
        ends = {node: self._end(owner, node, now) for node in nodes}
        return {node: end - now for node, end in ends.items() if end > now}

    def forget(self, owner: Key) -> None:
        """A set is gone."""
        self._rests = {key: rest for key, rest in self._rests.items() if key[0] != owner}

    def _end(self, owner: Key, node: str, now: datetime) -> datetime:
        rest = self._rests.get((owner, node))
        return rest.since + rest.length if rest else now
