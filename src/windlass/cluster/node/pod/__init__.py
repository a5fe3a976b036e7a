"""The life of a pod on a node: a state machine, and the status that follows from it. Pure functions."""

from windlass.cluster.node.pod.container import containers_of
from windlass.cluster.node.pod.life import ContainerLife, Ended, PodLife, Waiting
from windlass.cluster.node.pod.machine import advance, begin
from windlass.cluster.node.pod.recover import recover
from windlass.cluster.node.pod.restart import is_restarted
from windlass.cluster.node.pod.status import Host, status
from windlass.cluster.node.pod.step import Look, Pace, Seen, Step, Stop, Told

__all__ = [
    "ContainerLife",
    "Ended",
    "Host",
    "Look",
    "Pace",
    "PodLife",
    "Seen",
    "Step",
    "Stop",
    "Told",
    "Waiting",
    "advance",
    "begin",
    "containers_of",
    "is_restarted",
    "recover",
    "status",
]
