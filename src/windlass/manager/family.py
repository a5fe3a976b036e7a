"""The names of all metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.manager.metric import Counters, Distributions, Gauges, Readings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.manager.metric import Family

_RECONCILE_BOUNDS: Final = (
    0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0,
    1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
)  # fmt: skip
# 10 ns to 1000 s, each multiplied from the one before: Go's rounding is part of the name of a series.
_QUEUE_BOUNDS: Final = (
    1e-08, 1e-07, 1e-06, 9.999999999999999e-06, 9.999999999999999e-05, 0.001, 0.01, 0.1, 1, 10, 100, 1000,
)  # fmt: skip
_CONTROLLER: Final = ("controller",)
_QUEUE: Final = ("name", "controller")  # both say the same; older dashboards know the first only
_KIND: Final = ("kind",)


class Families:
    """One family for each name; a set of them for each manager."""

    def __init__(self) -> None:
        self._controllers()
        self._queues()
        self._own()
        self.requests = Counters(
            "rest_client_requests_total",
            "Number of HTTP requests, by status code, method and host.",
            ("code", "method", "host"),
        )
        self.leading = Gauges(
            "leader_election_master_status", "1 while this process holds the lease, else 0.", ("name",)
        )

    def all(self) -> Iterable[Family]:
        """Every family, in the order of this page."""
        return vars(self).values()

    def _controllers(self) -> None:
        prefix = "controller_runtime_"
        self.reconciles = Counters(
            f"{prefix}reconcile_total", "Reconciles by how they ended.", ("controller", "result")
        )
        self.errors = Counters(f"{prefix}reconcile_errors_total", "Reconciles that failed.", _CONTROLLER)
        self.terminal = Counters(
            f"{prefix}terminal_reconcile_errors_total", "Reconciles that failed for good.", _CONTROLLER
        )
        self.panics = Counters(
            f"{prefix}reconcile_panics_total",
            "Reconciles that failed by a fault of the program.",
            _CONTROLLER,
        )
        self.timeouts = Counters(
            f"{prefix}reconcile_timeouts_total", "Reconciles that took too long.", _CONTROLLER
        )
        self.reconcile_time = Distributions(
            f"{prefix}reconcile_time_seconds", "How long reconciles take.", _CONTROLLER, _RECONCILE_BOUNDS
        )
        self.workers = Gauges(
            f"{prefix}max_concurrent_reconciles", "How many reconciles may run at once.", _CONTROLLER
        )
        self.active = Gauges(f"{prefix}active_workers", "How many reconciles run now.", _CONTROLLER)

    def _queues(self) -> None:
        self.depth = Readings(
            "workqueue_depth", "Keys that are ready to be worked on.", (*_QUEUE, "priority")
        )
        self.adds = Counters("workqueue_adds_total", "Keys that were added, merged ones included.", _QUEUE)
        self.waited = Distributions(
            "workqueue_queue_duration_seconds", "How long ready keys wait.", _QUEUE, _QUEUE_BOUNDS
        )
        self.worked = Distributions(
            "workqueue_work_duration_seconds", "How long a key is worked on.", _QUEUE, _QUEUE_BOUNDS
        )
        self.unfinished = Readings(
            "workqueue_unfinished_work_seconds", "The time already spent on all keys in work.", _QUEUE
        )
        self.longest = Readings(
            "workqueue_longest_running_processor_seconds", "The time spent on the oldest key in work.", _QUEUE
        )
        self.retries = Counters("workqueue_retries_total", "Keys that were added again with a delay.", _QUEUE)

    def _own(self) -> None:
        self.cache_bytes = Readings("windlass_cache_bytes", "The bytes of cached objects.", _KIND)
        self.cache_objects = Readings("windlass_cache_objects", "How many objects are cached.", _KIND)
        self.live_reads = Counters(
            "windlass_cache_live_reads_total", "Reads that the cache had to pass on to the server.", _KIND
        )
        self.watch_lag = Readings(
            "windlass_watch_lag_seconds", "The time since the watch of a kind was last heard of.", _KIND, max
        )
        self.trips = Counters(
            "windlass_breaker_trips_total",
            "Objects slowed down for being reconciled without end.",
            _CONTROLLER,
        )
        self.blocked = Counters(
            "windlass_event_loop_blocked_total",
            "Times that the event loop was blocked for longer than a second; no controller if by none.",
            _CONTROLLER,
        )
        self.blocked_seconds = Counters(
            "windlass_event_loop_blocked_seconds_total",
            "For how long the event loop was blocked, where that took longer than a second.",
            _CONTROLLER,
        )
        self.effects = Counters(
            "windlass_effects_total",
            "Effects outside the cluster, by how they ended.",
            ("controller", "result"),
        )
        self.events = Counters(
            "windlass_events_total",
            "Events that reconciles recorded, by reason and type; repeated ones count each time.",
            ("controller", "reason", "type"),
        )
