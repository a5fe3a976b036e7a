"""CronJobs: a Job at each moment of a schedule.

The name of a Job is that of its moment, so that no moment can have two, whatever crashes when.
"""

from windlass.cluster.controller.cron_job.controller import CronJobController

__all__ = ["CronJobController"]
