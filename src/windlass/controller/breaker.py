from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.aio import Clock
    from windlass.api import Key
    from windlass.reconcile import Cause

_LISTED = 3  # fields and writers that a finding names


@dataclass(frozen=True, kw_only=True)
class BreakerOptions:
    """When an object counts as reconciled without end, and how it is slowed down then.

    `runs`, `writing_runs`: how many runs that a change caused are fine within a `window`, and how many of
    those may write something. `first`, `longest`: for how long the object is held back, growing each time
    that it comes right back. `objects`: how many objects are watched at most; the quietest leaves first.
    """

    runs: int = 300
    writing_runs: int = 60
    window: timedelta = timedelta(minutes=1)
    first: timedelta = timedelta(seconds=1)
    longest: timedelta = timedelta(minutes=1)
    objects: int = 10_000

    def __post_init__(self) -> None:
        if min(self.runs, self.writing_runs, self.objects) < 1:
            raise ValueError("BreakerOptions: runs, writing_runs and objects are at least 1")
        if self.window <= timedelta() or not timedelta() < self.first <= self.longest:
            raise ValueError("BreakerOptions: the window and the holds have to be longer than nothing")


@dataclass(frozen=True, slots=True)
class Finding:
    """An object that is reconciled without end: how often, over which fields, against whom."""

    key: Key
    runs: int
    within: timedelta
    paths: tuple[str, ...]
    writers: tuple[str, ...]
    hold: timedelta

    def __str__(self) -> str:
        fields = f": {', '.join(self.paths)} keeps changing" if self.paths else ""
        writers = f", written by {', '.join(self.writers)}" if self.writers else ""
        return (
            f"{self.key} was reconciled {self.runs} times within {self.within.total_seconds():.3g} s"
            f"{fields}{writers}; it is held back, for {self.hold.total_seconds():g} s at first"
        )


class Breaker:
    """Notices an object that two sides change back and forth, or that wakes itself, and slows it down.

    Only runs that a change in the cluster caused count: timers, retries and sources are meant to repeat.
    """

    def __init__(self, options: BreakerOptions, clock: Clock) -> None:
        self._options = options
        self._clock = clock
        self._tracks: OrderedDict[Key, _Track] = OrderedDict()

    def ran(self, key: Key, causes: Sequence[Cause], writes: int) -> Finding | None:
        """An object was reconciled; returns what is wrong with it, once for each time that it begins."""
        changes = [cause for cause in causes if cause.change is not None]
        if not changes:
            return None
        now = self._clock.monotonic()
        track = self._track(key, now)
        track.count(now, writes, self._options)
        if track.is_held:
            track.hold_longer(now, self._options)
            return None
        if track.is_suspect(self._options):
            track.note(changes)
        if not track.is_over(self._options):
            return None
        track.hold_longer(now, self._options)
        return track.finding(key, now)

    def held(self, key: Key) -> timedelta:
        """For how long an object is still to be left alone; nothing for almost all."""
        track = self._tracks.get(key)
        if track is None or not track.is_held:
            return timedelta()
        return timedelta(seconds=max(track.held_until - self._clock.monotonic(), 0.0))

    def forget(self, key: Key) -> None:
        """An object is gone."""
        self._tracks.pop(key, None)

    def _track(self, key: Key, now: float) -> _Track:
        track = self._tracks.get(key)
        if track is None or track.is_calm(now, self._options):
            track = self._tracks[key] = _Track(now)
        self._tracks.move_to_end(key)
        if len(self._tracks) > self._options.objects:
            self._tracks.popitem(last=False)
        return track


class _Track:
    """The recent past of one object, as two buckets that leak: runs, and runs that wrote."""

    __slots__ = (
        "held_until", "hold", "last", "paths", "runs", "since", "total", "writers", "writing_runs",
    )  # fmt: skip

    def __init__(self, now: float) -> None:
        self.since = self.last = now
        self.total = 0
        self.runs = self.writing_runs = 0.0
        self.hold = timedelta()
        self.held_until = 0.0
        self.paths: Counter[str] | None = None
        self.writers: Counter[str] | None = None

    @property
    def is_held(self) -> bool:
        return self.hold > timedelta()

    def is_calm(self, now: float, options: BreakerOptions) -> bool:
        """Nothing happened for a window, beyond the time for which nothing could."""
        return now - max(self.last, self.held_until) > options.window.total_seconds()

    def count(self, now: float, writes: int, options: BreakerOptions) -> None:
        passed = (now - self.last) / options.window.total_seconds()
        self.runs = max(self.runs - passed * options.runs, 0.0)
        if not self.runs:
            self.since, self.total = now, 0
        self.runs += 1
        self.writing_runs = max(self.writing_runs - passed * options.writing_runs, 0.0) + (writes > 0)
        self.last = now
        self.total += 1

    def is_suspect(self, options: BreakerOptions) -> bool:
        """More than half way: from here on it is worth the time to look at what changes."""
        return self.runs > options.runs / 2 or self.writing_runs > options.writing_runs / 2

    def is_over(self, options: BreakerOptions) -> bool:
        return self.runs > options.runs or self.writing_runs > options.writing_runs

    def hold_longer(self, now: float, options: BreakerOptions) -> None:
        if now < self.held_until:  # it was on its way when the hold began
            return
        came_right_back = now - self.held_until <= self.hold.total_seconds()
        if came_right_back or not self.is_held:
            self.hold = min(max(self.hold * 2, options.first), options.longest)
        self.held_until = now + self.hold.total_seconds()

    def note(self, changes: Iterable[Cause]) -> None:
        self.paths = self.paths or Counter()
        self.writers = self.writers or Counter()
        for cause in changes:
            self.paths.update(f"{cause.kind} {cause.key} {path}" for path in cause.paths)
            self.writers.update(cause.writers)

    def finding(self, key: Key, now: float) -> Finding:
        within = timedelta(seconds=now - self.since)
        paths, writers = (_most(each) for each in (self.paths, self.writers))
        self.paths = self.writers = None
        return Finding(key, self.total, within, paths, writers, self.hold)


def _most(counted: Counter[str] | None) -> tuple[str, ...]:
    """The most frequent ones: the first, and those that come at least half as often."""
    if not counted:
        return ()
    ranked = counted.most_common(_LISTED)
    return tuple(name for name, count in ranked if 2 * count >= ranked[0][1])
