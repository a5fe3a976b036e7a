from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import override

from windlass.controller import ControllerObserver
from windlass.manager.outcome import outcome_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import timedelta

    from windlass.controller import Exit
    from windlass.manager.measure import EffectResult
    from windlass.manager.metrics import Metrics
    from windlass.manager.outcome import Outcome
    from windlass.workqueue import QueueObserver


class Observed(ControllerObserver):
    """What a controller tells, as metrics."""

    def __init__(
        self, metrics: Metrics, name: str, workers: int, depth: Callable[[], Mapping[int, int]]
    ) -> None:
        self._controller = metrics.controller(name, workers)
        self._queue = metrics.queue(name, depth)

    @property
    @override
    def queue(self) -> QueueObserver:
        return self._queue

    @override
    def began(self) -> int:
        return self._controller.started()

    @override
    def ended(self, run: int, exit_: Exit, took: timedelta) -> None:
        self._controller.ended(run, _outcome(exit_))

    @override
    def effect(self, result: EffectResult) -> None:
        self._controller.effect(result)

    @override
    def event(self, reason: str, *, warning: bool) -> None:
        self._controller.event(reason, warning=warning)

    @override
    def blocked(self, took: timedelta) -> None:
        self._controller.blocked(took)

    @override
    def slowed(self) -> None:
        self._controller.tripped()


def _outcome(exit_: Exit) -> Outcome:
    if exit_.error is not None:
        return outcome_of(exit_.error)
    if exit_.outcome == "cancelled":
        return "error"
    again = exit_.result is not None and exit_.result.again is not None
    return "requeue_after" if again else "success"
