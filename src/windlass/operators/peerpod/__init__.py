"""Peer pods: pods that run in virtual machines of a cloud, beside the nodes.

`add_to(manager)` runs the controllers, in an operator of their own or in somebody else's. It takes its
options from the environment (`PEERPODS_NAMESPACE`, `RELATED_IMAGE_CAA`, …) unless it is given some.
"""

from windlass.operators.peerpod.cloud import CleaningOptions
from windlass.operators.peerpod.controllers import PeerPodConfigController, PeerPodController
from windlass.operators.peerpod.desired import webhook_configuration
from windlass.operators.peerpod.embedding import definitions, rules
from windlass.operators.peerpod.options import PeerPodOptions
from windlass.operators.peerpod.types import GROUP, PeerPod, PeerPodConfig
from windlass.operators.peerpod.webhook.settings import RUNTIME_CLASS, VM_RESOURCE
from windlass.operators.peerpod.wiring import add_to

__all__ = [
    "GROUP",
    "RUNTIME_CLASS",
    "VM_RESOURCE",
    "CleaningOptions",
    "PeerPod",
    "PeerPodConfig",
    "PeerPodConfigController",
    "PeerPodController",
    "PeerPodOptions",
    "add_to",
    "definitions",
    "rules",
    "webhook_configuration",
]
