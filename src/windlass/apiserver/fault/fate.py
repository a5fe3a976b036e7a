from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from windlass.apiserver.fault.faults import Answer, Faults, Loss
    from windlass.apiserver.route import Route

_CHANGES: Final = frozenset({"update", "patch", "delete"})
_READS: Final = frozenset({"get", "list", "watch"})
_FEW_LINES: Final = 10


class StreamFate:
    """What befalls a stream, decided line by line with chance of its own, whatever happens meanwhile.

    `delay` is how late its lines come, `cut_every` how long it lasts at most.
    """

    def __init__(self, faults: Faults, random: Random) -> None:
        self.cut_every = faults.cut_every
        self.delay = faults.delay(random) if random.random() < faults.delayed else timedelta()
        self._cut_after = faults.cut_after
        self._end_after = faults.end_after
        self._cut = faults.cut
        self._heard = random.randrange(_FEW_LINES) if random.random() < faults.silent else None
        self._random = random
        self._lines = 0

    def at_once(self) -> Literal["cut", "ended"] | None:
        """How it ends here, without waiting for another line."""
        if self._cut_after == self._lines:
            return "cut"
        return "ended" if self._end_after == self._lines else None

    def at_line(self) -> Literal["cut", "silent"] | None:
        """What happens where the next line comes, or the end."""
        if self._heard == self._lines:
            return "silent"
        self._lines += 1
        return "cut" if self._cut and self._random.random() < self._cut else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What befalls one request, decided when it arrives.

    `outcome` comes in the place of the answer. The request is held back for `early` before it is carried out,
    and for `late` before it is answered. `stale_by` is by how many writes the answer is out of date.
    """

    outcome: Answer | Loss | None = None
    early: timedelta = timedelta()
    late: timedelta = timedelta()
    stale_by: int = 0
    compacted: bool = False
    streams: tuple[StreamFate, ...] = ()

    def __add__(self, other: Fate) -> Fate:
        """Both, of which the first decides about the answer if it can."""
        return Fate(
            outcome=self.outcome or other.outcome,
            early=self.early + other.early,
            late=self.late + other.late,
            stale_by=max(self.stale_by, other.stale_by),
            compacted=self.compacted or other.compacted,
            streams=self.streams + other.streams,
        )


UNHARMED: Final = Fate()


class Dice:
    """Decide by chance what befalls each request, by one `Faults`, and count as far as these have a limit."""

    def __init__(self, faults: Faults, random: Random) -> None:
        self.faults = faults
        self._random = random
        self._left = faults.times

    def fate(self, route: Route | None, user: str = "", *, streaming: bool) -> Fate:
        """What befalls a request, whose answer is a stream or not."""
        only = self.faults.only
        if self._left == 0 or (only is not None and not only.covers(route, user)):
            return UNHARMED
        fate = self._drawn(route, streaming=streaming)
        if self._left is not None and fate != UNHARMED:
            self._left -= 1
        return fate

    def _drawn(self, route: Route | None, *, streaming: bool) -> Fate:
        faults, reads = self.faults, route is not None and route.verb in _READS
        early = late = timedelta()
        if self._happens(faults.late):
            early, late = timedelta(), faults.delay(self._random)
            if self._random.random() < 1 / 2:
                early, late = late, early
        outcome = faults.draw(self._random)
        return Fate(
            outcome=None if outcome == "conflict" and not _can_conflict(route) else outcome,
            early=early,
            late=late,
            stale_by=self._lag() if reads and self._happens(faults.stale) else 0,
            compacted=self._happens(faults.compacted),
            streams=(self._stream(),) if streaming and _breaks_streams(faults) else (),
        )

    def _happens(self, share: float) -> bool:
        return bool(share) and self._random.random() < share

    def _lag(self) -> int:
        return self._random.randint(1, self.faults.stale_by) if self.faults.stale_by else 0

    def _stream(self) -> StreamFate:
        return StreamFate(self.faults, Random(self._random.getrandbits(64)))  # noqa: S311 - the same each time


def _breaks_streams(faults: Faults) -> bool:
    limits = (faults.cut_after, faults.cut_every, faults.end_after)
    shares = (faults.cut, faults.silent, faults.delayed)
    return any(limit is not None for limit in limits) or any(shares)


def _can_conflict(route: Route | None) -> bool:
    """Whether a request changes one object, so that somebody may have changed it before."""
    return route is not None and route.verb in _CHANGES and bool(route.name)
