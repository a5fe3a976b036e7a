from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from windlass._declaration import check_counts, check_durations
from windlass.controller.blocking import BlockingOptions
from windlass.controller.breaker import BreakerOptions
from windlass.workqueue import QueueOptions


@dataclass(frozen=True, kw_only=True)
class ControllerOptions:
    """How one controller works.

    `workers` objects are reconciled at a time. A reconcile that takes longer than `time_limit` is cancelled
    and tried again.
    """

    workers: int = 10
    time_limit: timedelta = timedelta(minutes=10)
    queue: QueueOptions = field(default_factory=QueueOptions)
    breaker: BreakerOptions = field(default_factory=BreakerOptions)
    blocking: BlockingOptions = field(default_factory=BlockingOptions)

    def __post_init__(self) -> None:
        check_durations("ControllerOptions", self, "time_limit")
        check_counts("ControllerOptions", self, "workers")
        if self.workers < 1:
            raise ValueError(f"a controller needs at least one worker, not {self.workers}")
