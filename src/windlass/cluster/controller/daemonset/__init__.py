"""DaemonSets: one pod on each node that will have it."""

from windlass.cluster.controller.daemonset.controller import DaemonSetController

__all__ = ["DaemonSetController"]
