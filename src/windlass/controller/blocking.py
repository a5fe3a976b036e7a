"""Objects whose reconcile blocks the event loop, which everything else in the process runs in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from windlass.aio import Clock
    from windlass.api import Key


@dataclass(frozen=True, kw_only=True)
class BlockingOptions:
    """How an object is slowed down whose reconcile blocks the event loop.

    After each time, its next run waits `factor` times as long as it blocked, doubled for each earlier time;
    at least `first`, at most `longest`. After the first time it waits for `first` alone if that took less
    than `tolerated`, as it may where code is loaded late. From the number `offences` on it waits for
    `quarantine`. Earlier times are forgotten when it did not block for `forgiven`.
    """

    factor: int = 2
    first: timedelta = timedelta(seconds=1)
    tolerated: timedelta = timedelta(seconds=5)
    longest: timedelta = timedelta(minutes=5)
    offences: int = 3
    quarantine: timedelta = timedelta(minutes=10)
    forgiven: timedelta = timedelta(hours=1)

    def __post_init__(self) -> None:
        if self.offences < 1 or self.factor < 1:
            raise ValueError("BlockingOptions: offences and factor must be at least 1")
        if not timedelta() < self.first <= self.longest:
            raise ValueError("BlockingOptions: first must be > 0, and at most longest")


@dataclass(frozen=True, slots=True)
class Blocked:
    """One time that a reconcile blocked the event loop, and how long the object is held back for it."""

    key: Key
    took: timedelta
    place: str
    hold: timedelta
    quarantined: bool

    def __str__(self) -> str:
        where = f" at {self.place}" if self.place else ""
        held = "quarantined" if self.quarantined else "held back"
        took, hold = f"{self.took.total_seconds():.3g} s", f"{self.hold.total_seconds():.3g} s"
        return (
            f"the reconcile blocked the event loop for {took}{where}; call what blocks with ctx.thread. "
            f"The object is {held} for {hold}"
        )


class _Offence(NamedTuple):
    times: int
    last: float
    until: float


class Blocking:
    """Remembers which objects blocked the event loop, and for how long each is held back."""

    def __init__(self, options: BlockingOptions, clock: Clock) -> None:
        self._options = options
        self._clock = clock
        self._offences: dict[Key, _Offence] = {}

    def note(self, key: Key, took: timedelta, place: str = "") -> Blocked:
        """Hold an object back that has blocked the event loop."""
        options, now = self._options, self._clock.monotonic()
        self._offences = {
            each: found for each, found in self._offences.items() if not self._is_old(found, now)
        }
        before = self._offences.get(key)
        times = before.times + 1 if before else 1
        quarantined = times >= options.offences
        hold = took * options.factor * 2 ** min(times - 1, 16)
        if times == 1 and took < options.tolerated:
            hold = options.first
        hold = options.quarantine if quarantined else min(max(hold, options.first), options.longest)
        self._offences[key] = _Offence(times, now, now + hold.total_seconds())
        return Blocked(key, took, place, hold, quarantined)

    def held(self, key: Key) -> timedelta:
        """Return for how long an object is still held back, which is nothing for almost all."""
        found = self._offences.get(key)
        if found is None:
            return timedelta()
        return timedelta(seconds=max(found.until - self._clock.monotonic(), 0.0))

    def forget(self, key: Key) -> None:
        """Drop what is known about an object that is gone."""
        self._offences.pop(key, None)

    def _is_old(self, found: _Offence, now: float) -> bool:
        return now - max(found.last, found.until) > self._options.forgiven.total_seconds()
