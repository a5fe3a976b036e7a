"""The kinds of apiregistration/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.apiregistration.v1.api_service import APIService as APIService
    from windlass.kinds.apiregistration.v1.api_service import APIServiceCondition as APIServiceCondition
    from windlass.kinds.apiregistration.v1.api_service import APIServiceSpec as APIServiceSpec
    from windlass.kinds.apiregistration.v1.api_service import APIServiceStatus as APIServiceStatus
    from windlass.kinds.apiregistration.v1.api_service import ServiceReference as ServiceReference

__lazy__ = {
    "APIService": "windlass.kinds.apiregistration.v1.api_service",
    "APIServiceCondition": "windlass.kinds.apiregistration.v1.api_service",
    "APIServiceSpec": "windlass.kinds.apiregistration.v1.api_service",
    "APIServiceStatus": "windlass.kinds.apiregistration.v1.api_service",
    "ServiceReference": "windlass.kinds.apiregistration.v1.api_service",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
