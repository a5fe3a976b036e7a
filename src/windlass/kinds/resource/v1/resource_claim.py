# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated, Any, TYPE_CHECKING

from windlass.api import Condition, Field, Model, Quantity, Resource, Time, Wire

if TYPE_CHECKING:
    from windlass.kinds.core.v1.node_selector import NodeSelector
    from windlass.kinds.resource.v1.device_toleration import DeviceToleration
    from windlass.kinds.resource.v1.opaque_device_configuration import OpaqueDeviceConfiguration
    from windlass.kinds.resource.v1.resource_claim_spec import ResourceClaimSpec

__lazy__ = {
    "NodeSelector": "windlass.kinds.core.v1.node_selector",
    "DeviceToleration": "windlass.kinds.resource.v1.device_toleration",
    "OpaqueDeviceConfiguration": "windlass.kinds.resource.v1.opaque_device_configuration",
    "ResourceClaimSpec": "windlass.kinds.resource.v1.resource_claim_spec",
}


class NetworkDeviceData(Model):
    hardware_address: str | None = None
    interface_name: str | None = None
    ips: list[str] = []


class AllocatedDeviceStatus(Model):
    conditions: list[Condition] = []
    data: dict[str, Any] = {}
    device: str = ""
    driver: str = ""
    network_data: NetworkDeviceData | None = None
    pool: str = ""
    share_id: Annotated[str, Wire("shareID")] = ""


class DeviceAllocationConfiguration(Model):
    opaque: "OpaqueDeviceConfiguration | None" = None
    requests: list[str] = []
    source: str


class DeviceRequestAllocationResult(Model):
    admin_access: bool | None = None
    binding_conditions: list[str] = []
    binding_failure_conditions: list[str] = []
    consumed_capacity: dict[str, Quantity] = {}
    device: str
    driver: str
    pool: str
    request: str
    share_id: Annotated[str | None, Wire("shareID")] = None
    tolerations: "list[DeviceToleration]" = []


class DeviceAllocationResult(Model):
    config: list[DeviceAllocationConfiguration] = []
    results: list[DeviceRequestAllocationResult] = []


class AllocationResult(Model):
    allocation_timestamp: Time | None = None
    devices: DeviceAllocationResult | None = None
    node_selector: "NodeSelector | None" = None


class ResourceClaimConsumerReference(Model):
    api_group: str | None = None
    name: str
    resource: str
    uid: str


class ResourceClaimStatus(Model):
    allocation: AllocationResult | None = None
    devices: list[AllocatedDeviceStatus] = []
    reserved_for: list[ResourceClaimConsumerReference] = []


class ResourceClaim(Resource, group="resource.k8s.io", version="v1", plural="resourceclaims", subresources=('status',)):
    spec: "ResourceClaimSpec"
    status: ResourceClaimStatus = Field(default_factory=ResourceClaimStatus)
