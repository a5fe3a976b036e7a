"""Jobs: pods that run to an end, counted so that each counts once, whatever crashes.

A pod of a Job carries a finalizer, so that it cannot vanish uncounted. One that has ended is first written
down in `status.uncountedTerminatedPods`, then loses its finalizer, and then is a number in the status. So
whoever reads the status after a crash knows, by the finalizers, which of those that are written down have
still to become numbers.
"""

from windlass.cluster.controller.job.controller import JobController
from windlass.cluster.controller.job.leftover import JobLeftovers

__all__ = ["JobController", "JobLeftovers"]
