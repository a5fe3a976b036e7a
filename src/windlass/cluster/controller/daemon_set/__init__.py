"""DaemonSets: one pod on each node that will have it."""

from windlass.cluster.controller.daemon_set.controller import DaemonSetController

__all__ = ["DaemonSetController"]
