"""The pod webhook: what a pod asks for becomes the size of its virtual machine, and one of those is counted.

A pod of a peer pods' runtime class runs in a machine of a cloud, not on its node. So its CPUs, memory and
GPUs become annotations that say which machine to make, and the node is asked for one `kata.peerpods.io/vm`
instead. `sized` is all of that, as a pure function; `pod_webhook` declares it to an API server;
`python -m windlass.operators.peerpod.webhook` serves it alone, which is what its Deployment runs.
"""

from windlass.operators.peerpod.webhook.effective import effective_limits, effective_requests
from windlass.operators.peerpod.webhook.record import NOTE, UnsizableError
from windlass.operators.peerpod.webhook.settings import WebhookSettings
from windlass.operators.peerpod.webhook.size import GPUS, MACHINE_TYPE, MEMORY, VCPUS
from windlass.operators.peerpod.webhook.sized import Sizing, sized

__all__ = [
    "GPUS",
    "MACHINE_TYPE",
    "MEMORY",
    "NOTE",
    "VCPUS",
    "Sizing",
    "UnsizableError",
    "WebhookSettings",
    "effective_limits",
    "effective_requests",
    "sized",
]
