"""The parts of metrics that controllers and queues hold; each call is on the path of every reconcile."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from datetime import timedelta

    from windlass.aio import Clock
    from windlass.manager.family import Families
    from windlass.manager.outcome import Outcome

EffectResult = Literal["done", "failed", "refused", "planned"]


class ControllerMetrics:
    """What the loop of one controller tells. Every series exists from the start, so that rates begin at 0."""

    def __init__(self, name: str, workers: int, families: Families, clock: Clock) -> None:
        results = ("success", "requeue_after", "requeue", "error")
        self._clock = clock
        self._running: dict[int, float] = {}
        self._runs = count()
        self._results = {each: families.reconciles.of(name, each) for each in results}
        self._errors = families.errors.of(name)
        self._kinds_of_errors = {
            "terminal": families.terminal.of(name),
            "panic": families.panics.of(name),
            "timeout": families.timeouts.of(name),
        }
        self._time = families.reconcile_time.of(name)
        self._active = families.active.of(name)
        self._trips = families.trips.of(name)
        self._blocked = families.blocked.of(name)
        self._blocked_seconds = families.blocked_seconds.of(name)
        self._effects = {
            each: families.effects.of(name, each) for each in ("done", "failed", "refused", "planned")
        }
        self._name = name
        self._events = families.events
        families.workers.of(name).set(workers)
        families.unfinished.read(lambda: [((name, name), sum(self.running()))], of=name)
        families.longest.read(lambda: [((name, name), max(self.running(), default=0.0))], of=name)

    def started(self) -> int:
        """A reconcile begins; `ended` wants the number that this returns."""
        run = next(self._runs)
        self._running[run] = self._clock.monotonic()
        self._active.value += 1
        return run

    def ended(self, run: int, outcome: Outcome) -> None:
        """A reconcile ended, and how."""
        self._time.observe(self._clock.monotonic() - self._running.pop(run))
        self._active.value -= 1
        result = self._results.get(outcome)
        if result is None or outcome == "error":
            result = self._results["error"]
            self._errors.value += 1
            if outcome in self._kinds_of_errors:
                self._kinds_of_errors[outcome].value += 1
        result.value += 1

    def effect(self, result: EffectResult) -> None:
        """Something was done outside the cluster, or would have been."""
        self._effects[result].value += 1

    def event(self, reason: str, *, warning: bool) -> None:
        """An event was recorded."""
        self._events.of(self._name, reason, "Warning" if warning else "Normal").add()

    def blocked(self, took: timedelta) -> None:
        """Count a reconcile that blocked the event loop."""
        self._blocked.value += 1
        self._blocked_seconds.value += took.total_seconds()

    def tripped(self) -> None:
        """An object is reconciled without end, and is slowed down from now on."""
        self._trips.value += 1

    def running(self) -> list[float]:
        """For how many seconds each reconcile has been running."""
        now = self._clock.monotonic()
        return [now - since for since in self._running.values()]


class QueueMetrics:
    """Observes the queue of one controller (a `windlass.workqueue.QueueObserver`)."""

    def __init__(self, name: str, families: Families) -> None:
        self._adds = families.adds.of(name, name)
        self._retries = families.retries.of(name, name)
        self._waited = families.waited.of(name, name)
        self._worked = families.worked.of(name, name)

    def added(self) -> None:
        """A key was added, whether or not it merged into what waits."""
        self._adds.value += 1

    def taken(self, waited: timedelta) -> None:
        """A worker took a key that was ready for so long."""
        self._waited.observe(waited.total_seconds())

    def done(self, took: timedelta) -> None:
        """A worker finished with a key after so long."""
        self._worked.observe(took.total_seconds())

    def retried(self, delay: timedelta) -> None:  # noqa: ARG002 - counted, not measured
        """A key will be tried again later."""
        self._retries.value += 1
