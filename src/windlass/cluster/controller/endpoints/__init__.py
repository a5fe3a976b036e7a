"""The addresses behind a service: EndpointSlices, and the older Endpoints.

Both follow from the service and the pods that its selector selects. Which services a pod concerns, and which
pods a service has, is found by labels, so that neither costs more the more others there are.
"""

from windlass.cluster.controller.endpoints.controller import EndpointsController
from windlass.cluster.controller.endpoints.leftover import EndpointsLeftovers
from windlass.cluster.controller.endpoints.mirror import EndpointsMirror

__all__ = ["EndpointsController", "EndpointsLeftovers", "EndpointsMirror"]
