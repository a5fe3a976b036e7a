"""The kinds of discovery/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.discovery.v1.endpoint_slice import Endpoint as Endpoint
    from windlass.kinds.discovery.v1.endpoint_slice import EndpointConditions as EndpointConditions
    from windlass.kinds.discovery.v1.endpoint_slice import EndpointHints as EndpointHints
    from windlass.kinds.discovery.v1.endpoint_slice import EndpointPort as EndpointPort
    from windlass.kinds.discovery.v1.endpoint_slice import EndpointSlice as EndpointSlice
    from windlass.kinds.discovery.v1.endpoint_slice import ForNode as ForNode
    from windlass.kinds.discovery.v1.endpoint_slice import ForZone as ForZone

__lazy__ = {
    "Endpoint": "windlass.kinds.discovery.v1.endpoint_slice",
    "EndpointConditions": "windlass.kinds.discovery.v1.endpoint_slice",
    "EndpointHints": "windlass.kinds.discovery.v1.endpoint_slice",
    "EndpointPort": "windlass.kinds.discovery.v1.endpoint_slice",
    "EndpointSlice": "windlass.kinds.discovery.v1.endpoint_slice",
    "ForNode": "windlass.kinds.discovery.v1.endpoint_slice",
    "ForZone": "windlass.kinds.discovery.v1.endpoint_slice",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
