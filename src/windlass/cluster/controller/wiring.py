from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.cluster.controller.cron_job import CronJobController
from windlass.cluster.controller.endpoints import EndpointsController, EndpointSliceController
from windlass.cluster.controller.job import JobController, JobLeftovers

if TYPE_CHECKING:
    from windlass.manager import Manager


def add_to(manager: Manager) -> None:
    """Have all controllers of a cluster run."""
    manager.add(CronJobController())
    manager.add(EndpointSliceController())
    manager.add(EndpointsController())
    manager.add(JobController())
    manager.add(JobLeftovers())
