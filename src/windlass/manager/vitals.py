"""What a manager has to show about itself, looked up when somebody asks."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from windlass.cache import Phase
from windlass.manager.health import (
    HealthLimits,
    QueueState,
    WatchState,
    dead_watches,
    failing_watches,
    missing_kinds,
    reduced_caches,
    stale_watches,
    stuck_queues,
    unready_caches,
    unready_election,
)
from windlass.manager.heartbeat import Block, Heartbeat
from windlass.manager.metrics import CacheReading
from windlass.manager.probe import Probe
from windlass.manager.serving import JournalQuery, Site

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.cache import Informer
    from windlass.manager.companion import Companion
    from windlass.manager.guard import Guard
    from windlass.manager.manager import Manager


class Vitals:
    """Health, metrics and journal of one manager."""

    def __init__(self, manager: Manager, limits: HealthLimits | None = None) -> None:
        self._manager = manager
        self._limits = limits or HealthLimits()
        self.heartbeat = Heartbeat(manager.clock, self._limits, on_block=self._blocked)
        self._ready = Probe("readyz")
        self._serves_webhooks = False
        manager.metrics.cache(self._readings)

    def site(self, guard: Guard | None) -> Site:
        """Everything, ready to be served."""
        live, ready = Probe("healthz"), self._ready
        live.add("event-loop", self.heartbeat.check)
        live.add("watches", _fine, lambda: dead_watches(self.watches(), self._limits))
        live.add("queues", lambda: stuck_queues(self.queues(), self._limits))
        ready.add("caches", self._unready_caches, self._remarks)
        ready.add("kinds", self._missing_kinds)
        if self._manager.election is not None:
            ready.add("election", self._election)
        return Site(live=live, ready=ready, metrics=self._manager.metrics, journal=self._journal, guard=guard)

    def watch_over(self, companion: Companion, *, serves_webhooks: bool = False) -> None:
        """Let readiness depend on a companion too, and on no stale watch if it serves webhooks.

        Raises:
            ValueError: another check has its name.
        """
        self._ready.add(companion.name, companion.problem)
        self._serves_webhooks = self._serves_webhooks or serves_webhooks

    def watches(self) -> list[WatchState]:
        """How the watch of each kind does; one whose kind is not served does what it can."""
        now = self._manager.clock.monotonic()
        idle = self._manager.cache.options.idle
        converted = {kind.__kind__.resource for one in self._manager.companions for kind in one.converts}
        return [
            WatchState(
                kind=str(each),
                synced=each.is_synced or each.state.phase is Phase.WAITING,
                silence=timedelta(seconds=now - each.last_progress),
                idle=idle,
                away="" if each.state.in_sync else each.state.reason,
                reduced=each.is_reduced,
                declared=not each.is_dynamic,
                converted=each.kind.__kind__.resource in converted,
            )
            for each in self._manager.cache.informers
        ]

    def queues(self) -> list[QueueState]:
        """How the queue of each controller does, while it acts."""
        if not self._manager.is_leading:
            return []
        return [
            QueueState(
                controller=each.name,
                oldest=each.queue.oldest,
                idle_workers=each.queue.idle,  # not those that have yet to begin, when caches are filled
            )
            for each in self._manager.controllers
        ]

    def _blocked(self, block: Block) -> None:
        """Let the controller know whose reconcile blocked the event loop; what else did is counted."""
        for controller in self._manager.controllers:
            if controller.blocked(block.task, block.took, block.place):
                return
        self._manager.metrics.blocked(block.took)

    def _unready_caches(self) -> str | None:
        return unready_caches(self.watches(), self._limits, serves_webhooks=self._serves_webhooks)

    def _missing_kinds(self) -> str | None:
        """Return which kinds are reconciled and not served, but for those that are optional."""
        return missing_kinds(
            each.kind.__kind__
            for controller in self._manager.controllers
            for each in controller.required_primaries
            if each.state.phase is Phase.WAITING
        )

    def _election(self) -> str | None:
        election = self._manager.election
        return unready_election(election.state.holder, election.state.problem) if election else None

    def _remarks(self) -> str:
        waiting = [str(each) for each in self._informers() if each.state.phase is Phase.WAITING]
        missing = f"not served yet: {', '.join(waiting)}" if waiting else ""
        watches = self.watches()
        stale = stale_watches(watches, self._limits)  # only where they do not make the process unready
        failing = failing_watches(watches, self._limits)
        return "; ".join(filter(None, (missing, stale, reduced_caches(watches), failing)))

    def _readings(self) -> Iterable[CacheReading]:
        now = self._manager.clock.monotonic()
        live: Counter[str] = Counter()
        for each in self._informers():
            resource = each.kind.__kind__.resource
            live[resource] += each.live_reads
            self._manager.metrics.live_reads(resource).set(live[resource])
            yield CacheReading(
                kind=resource,
                objects=len(each),
                bytes=each.size,
                lag=timedelta(seconds=now - each.last_progress),
            )

    def _journal(self, query: JournalQuery) -> Iterable[Mapping[str, Any]]:
        return self._manager.journal.find(query.controller, query.namespace, query.name)

    def _informers(self) -> Iterable[Informer[Any]]:
        return self._manager.cache.informers


def _fine() -> None:
    """Pass: what there is to tell is a remark."""
