from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from windlass.controller.breaker import BreakerOptions
from windlass.workqueue import QueueOptions


@dataclass(frozen=True, kw_only=True)
class ControllerOptions:
    """How one controller works.

    `workers` objects are reconciled at a time. A reconcile that takes longer than `time_limit` is cancelled
    and tried again. `drain` is how long running reconciles get to end when the controller is stopped.
    """

    workers: int = 10
    time_limit: timedelta = timedelta(minutes=10)
    drain: timedelta = timedelta(seconds=30)
    queue: QueueOptions = field(default_factory=QueueOptions)
    breaker: BreakerOptions = field(default_factory=BreakerOptions)

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise ValueError(f"a controller needs at least one worker, not {self.workers}")
