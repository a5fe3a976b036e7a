"""The pod webhook: what a pod asks for becomes the size of its virtual machine, and one of those is counted.

A pod of a peer pods' runtime class runs in a machine of a cloud, not on its node. So its CPUs, memory and
GPUs become annotations that say which machine to make, and the node is asked for one `kata.peerpods.io/vm`
instead. `sized` is all of that, as a pure function, and `pod_webhook` declares it to an API server.
`windlass run windlass.operators.peerpod.webhook` serves it alone, which is what its Deployment does.
"""

from windlass.operators.peerpod.webhook.effective import effective_limits, effective_requests
from windlass.operators.peerpod.webhook.hook import NAME, OPT_OUT, PATH, pod_webhook
from windlass.operators.peerpod.webhook.record import NOTE, UnsizableError
from windlass.operators.peerpod.webhook.serve import add_to, serving_options
from windlass.operators.peerpod.webhook.settings import SizingSettings
from windlass.operators.peerpod.webhook.size import GPUS, MACHINE_TYPE, MEMORY, VCPUS
from windlass.operators.peerpod.webhook.sized import Sizing, sized

__all__ = [
    "GPUS",
    "MACHINE_TYPE",
    "MEMORY",
    "NAME",
    "NOTE",
    "OPT_OUT",
    "PATH",
    "VCPUS",
    "Sizing",
    "SizingSettings",
    "UnsizableError",
    "add_to",
    "effective_limits",
    "effective_requests",
    "pod_webhook",
    "serving_options",
    "sized",
]
