"""What services need of what there is only so much of: addresses in the cluster, and ports on its nodes.

A `ServiceAllocator` first chooses, which changes nothing but the service, and takes what was chosen once the
service is stored. Between the two nobody else has a turn, so that nothing chosen can be taken by others, and
a refusal or a dry run has nothing to give back.

    allocator = ServiceAllocator()
    allocator.choose(service, None, world, dry_run=False)
    allocator.take(service, world)

Addresses that are taken are objects of their own, of the kind IPAddress.
"""

from windlass.apiserver.allocation.address import NETWORK, OWN_ADDRESS
from windlass.apiserver.allocation.carry import drop_with_type
from windlass.apiserver.allocation.service import ServiceAllocator

__all__ = ["NETWORK", "OWN_ADDRESS", "ServiceAllocator", "drop_with_type"]
