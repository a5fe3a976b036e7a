# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Model, Quantity

if TYPE_CHECKING:
    from windlass.kinds.resource.v1.device_selector import DeviceSelector
    from windlass.kinds.resource.v1.device_toleration import DeviceToleration
    from windlass.kinds.resource.v1.opaque_device_configuration import OpaqueDeviceConfiguration

__lazy__ = {
    "DeviceSelector": "windlass.kinds.resource.v1.device_selector",
    "DeviceToleration": "windlass.kinds.resource.v1.device_toleration",
    "OpaqueDeviceConfiguration": "windlass.kinds.resource.v1.opaque_device_configuration",
}


class CapacityRequirements(Model):
    requests: dict[str, Quantity] = {}


class DeviceClaimConfiguration(Model):
    opaque: "OpaqueDeviceConfiguration | None" = None
    requests: list[str] = []


class DeviceConstraint(Model):
    distinct_attribute: str | None = None
    match_attribute: str | None = None
    requests: list[str] = []


class DeviceSubRequest(Model):
    allocation_mode: str | None = None
    capacity: CapacityRequirements | None = None
    count: int | None = None
    device_class_name: str
    name: str
    selectors: "list[DeviceSelector]" = []
    tolerations: "list[DeviceToleration]" = []


class ExactDeviceRequest(Model):
    admin_access: bool | None = None
    allocation_mode: str | None = None
    capacity: CapacityRequirements | None = None
    count: int | None = None
    device_class_name: str
    selectors: "list[DeviceSelector]" = []
    tolerations: "list[DeviceToleration]" = []


class DeviceRequest(Model):
    exactly: ExactDeviceRequest | None = None
    first_available: list[DeviceSubRequest] = []
    name: str


class DeviceClaim(Model):
    config: list[DeviceClaimConfiguration] = []
    constraints: list[DeviceConstraint] = []
    requests: list[DeviceRequest] = []


class ResourceClaimSpec(Model):
    devices: DeviceClaim | None = None
