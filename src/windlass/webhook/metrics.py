"""What a webhook server tells Prometheus: names and labels are those of controller-runtime."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from windlass.manager import Counters, Distributions, Gauges

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windlass.aio import Clock
    from windlass.manager import Family

_PREFIX: Final = "controller_runtime_webhook_"
_BOUNDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_LIKELY: Final = ("200", "500")
_BROKEN: Final = 500


@dataclass
class Measured:
    """One request, and the code of its answer once it has one."""

    code: int = _BROKEN


class WebhookMetrics:
    """Counts and times the requests of each path."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._total = Counters(
            f"{_PREFIX}requests_total",
            "Requests to webhooks, by the code of the answer.",
            ("webhook", "code"),
        )
        self._latency = Distributions(
            f"{_PREFIX}latency_seconds", "How long webhooks take to answer.", ("webhook",), _BOUNDS
        )
        self._in_flight = Gauges(
            f"{_PREFIX}requests_in_flight", "Requests that are being answered.", ("webhook",)
        )
        self._panics = Counters(
            f"{_PREFIX}panics_total", "Requests that failed by a fault of the program.", ()
        )
        self._conversion_panics = Counters(
            "controller_runtime_conversion_webhook_panics_total",
            "Conversions that failed by a fault of the program.",
            (),
        )
        self._panics.of()
        self._conversion_panics.of()

    @property
    def families(self) -> Sequence[Family]:
        """All of it, to be shown with a manager's own."""
        return [self._total, self._latency, self._in_flight, self._panics, self._conversion_panics]

    def expect(self, path: str) -> None:
        """Show a path before it is first asked for."""
        for code in _LIKELY:
            self._total.of(path, code)
        self._in_flight.of(path)

    def panicked(self, *, converting: bool) -> None:
        """Count a function that raised."""
        (self._conversion_panics if converting else self._panics).of().add()

    @contextmanager
    def request(self, path: str) -> Iterator[Measured]:
        """Measure a request for the length of a block."""
        measured, began = Measured(), self.clock.monotonic()
        self._in_flight.of(path).add()
        try:
            yield measured
        finally:
            self._in_flight.of(path).add(-1)
            self._latency.of(path).observe(self.clock.monotonic() - began)
            self._total.of(path, str(measured.code)).add()
