"""Real processes in the place of containers, with all that their pods give them; none outlives ours."""

from windlass.cluster.node.process.beside import beside
from windlass.cluster.node.process.host import ROOT, ProcessHost
from windlass.cluster.node.process.probe import LOOPBACK
from windlass.cluster.node.process.process import Plan, Process

__all__ = ["LOOPBACK", "ROOT", "Plan", "Process", "ProcessHost", "beside"]
