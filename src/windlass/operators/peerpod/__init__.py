"""Peer pods: pods that run in virtual machines of a cloud, beside the nodes.

`add_to(manager)` runs the controllers, in an operator of their own or in somebody else's. It takes its
options from the environment (`PEERPODS_NAMESPACE`, `RELATED_IMAGE_CAA`, …) unless it is given some.
"""

from windlass.operators.peerpod.controllers import PeerPodConfigController
from windlass.operators.peerpod.options import RESOURCE, RUNTIME_CLASS, PeerPodOptions
from windlass.operators.peerpod.types import GROUP, PeerPod, PeerPodConfig
from windlass.operators.peerpod.wiring import add_to

__all__ = [
    "GROUP",
    "RESOURCE",
    "RUNTIME_CLASS",
    "PeerPod",
    "PeerPodConfig",
    "PeerPodConfigController",
    "PeerPodOptions",
    "add_to",
]
