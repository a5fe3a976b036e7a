from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from windlass.cluster.scheduler.controller import Scheduler
from windlass.controller import ControllerOptions
from windlass.workqueue import QueueOptions

if TYPE_CHECKING:
    from windlass.manager import Manager


def add_to(manager: Manager) -> None:
    """Have pods scheduled."""
    chance = Random(manager.random.getrandbits(64))  # noqa: S311 - between nodes that are as good
    scheduler = Scheduler(chance)
    manager.add(scheduler, ControllerOptions(queue=QueueOptions(rank=scheduler.rank)))
