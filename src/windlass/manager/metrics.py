"""What a manager tells Prometheus.

The names, labels and bounds of controllers, queues, requests and election are those of controller-runtime, so
that dashboards and alerts made for it work unchanged; what it does not have is called `windlass_…`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from windlass.manager.counting import CountingTransport
from windlass.manager.family import Families
from windlass.manager.measure import ControllerMetrics, QueueMetrics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import timedelta

    from prometheus_client import CollectorRegistry, Metric

    from windlass.aio import Clock
    from windlass.client import Transport
    from windlass.manager.metric import Family, Number


@dataclass(frozen=True, kw_only=True, slots=True)
class CacheReading:
    """What the cache holds of one kind; `lag` is the time since its watch was last heard of."""

    kind: str
    objects: int
    bytes: int
    lag: timedelta


@dataclass(frozen=True, slots=True)
class Exposition:
    """All metrics as text, in the form that whoever asks understands."""

    content_type: str
    body: bytes


class Metrics:
    """The metrics of one manager, apart from those of any other in the same process.

    Whoever has something to count asks for its part once, and keeps it. An operator has families of its own
    shown with the others; or it registers what is prometheus-client's in `registry`, which is made, and
    prometheus-client loaded, when it is first asked for.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._families = Families()
        self._shown: list[Family] = []

    def show(self, *families: Family) -> None:
        """Show families of an operator's own; no other family may have one of their names."""
        self._shown.extend(families)

    def controller(self, name: str, workers: int) -> ControllerMetrics:
        """What the loop of a controller tells."""
        return ControllerMetrics(name, workers, self._families, self._clock)

    def queue(self, name: str, depth: Callable[[], Mapping[int, int]]) -> QueueMetrics:
        """The observer of a controller's queue; `depth` tells how many keys are ready, by priority.

        A priority of 0 is a fresh change, -100 what can wait, as in controller-runtime.
        """
        self._families.depth.read(
            lambda: [((name, name, str(priority)), count) for priority, count in depth().items()], of=name
        )
        return QueueMetrics(name, self._families)

    def cache(self, read: Callable[[], Iterable[CacheReading]]) -> None:
        """Ask here, at each scrape, what is cached."""
        families = self._families
        families.cache_objects.read(lambda: [((each.kind,), each.objects) for each in read()])
        families.cache_bytes.read(lambda: [((each.kind,), each.bytes) for each in read()])
        families.watch_lag.read(lambda: [((each.kind,), each.lag.total_seconds()) for each in read()])

    def live_reads(self, kind: str) -> Number:
        """Counts the reads that the cache had to pass on to the server."""
        return self._families.live_reads.of(kind)

    def blocked(self, took: timedelta) -> None:
        """Count a time for which the event loop was blocked by no reconcile."""
        self._families.blocked.of("").value += 1
        self._families.blocked_seconds.of("").value += took.total_seconds()

    def leading(self, lease: str) -> Number:
        """1 for as long as this process holds the lease, otherwise 0."""
        return self._families.leading.of(lease)

    def counting(self, transport: Transport, host: str) -> CountingTransport:
        """The same transport, with its requests counted under the name of a host."""
        return CountingTransport(transport, host, self._families.requests)

    @cached_property
    def registry(self) -> CollectorRegistry:
        """Where prometheus-client finds all of it, and the figures of process and interpreter."""
        from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector

        registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        GCCollector(registry=registry)
        registry.register(_Collector(self._families, self._shown))
        return registry

    def expose(self, accept: str = "") -> Exposition:
        """Everything, as text; `accept` is what the request says about the forms that it takes."""
        from prometheus_client.exposition import choose_encoder

        encode, content_type = choose_encoder(accept)
        return Exposition(content_type, encode(self.registry))


class _Collector:
    """Our families as prometheus-client wants to see them."""

    def __init__(self, families: Families, shown: Sequence[Family]) -> None:
        self._families = families
        self._shown = shown

    def collect(self) -> Iterable[Metric]:
        return [family.collect() for family in self._all()]

    def describe(self) -> Iterable[Metric]:
        """The names alone, so that registering does not already look at the world."""
        return [family.describe() for family in self._all()]

    def _all(self) -> Iterable[Family]:
        return (*self._families.all(), *self._shown)
