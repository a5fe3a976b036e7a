"""The life of a pod on a node: a state machine, and the status that follows from it. Pure functions."""

from windlass.cluster.node.pod.life import ContainerLife, Ended, PodLife, Waiting
from windlass.cluster.node.pod.machine import Look, Pace, Seen, Step, Stop, Told, advance, begin
from windlass.cluster.node.pod.recover import recover
from windlass.cluster.node.pod.status import Host, status

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
    "recover",
    "status",
]
