"""What the operator tells Prometheus about its requests to PagerDuty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.manager import Counters, Distributions, Readings

if TYPE_CHECKING:
    from windlass.manager import Metrics
    from windlass.operators.pagerduty.api.shared import Shares

_BOUNDS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0)


class RequestMetrics:
    """Requests by method, route and code, how long they took, and how many are left to each token."""

    def __init__(self) -> None:
        self._requests = Counters(
            "pagerduty_requests_total",
            "Requests to PagerDuty by method, route and code; the code of one without an answer is empty.",
            ("method", "route", "code"),
        )
        self._seconds = Distributions(
            "pagerduty_request_seconds",
            "How long PagerDuty takes to answer, without the wait for a turn.",
            ("method", "route"),
            _BOUNDS,
        )
        self._left = Readings(
            "pagerduty_requests_left",
            "Requests that could be made now, by a digest of the token.",
            ("token",),
        )

    def show(self, metrics: Metrics, shares: Shares) -> None:
        """Let the manager show them with its own."""
        self._left.read(shares.left)
        metrics.show(self._requests, self._seconds, self._left)

    def ended(self, method: str, route: str, code: str, seconds: float) -> None:
        """One request has ended."""
        self._requests.of(method, route, code).add()
        self._seconds.of(method, route).observe(seconds)
