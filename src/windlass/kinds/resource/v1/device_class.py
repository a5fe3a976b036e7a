# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Model, Resource

if TYPE_CHECKING:
    from windlass.kinds.resource.v1.device_selector import DeviceSelector
    from windlass.kinds.resource.v1.opaque_device_configuration import OpaqueDeviceConfiguration

__lazy__ = {
    "DeviceSelector": "windlass.kinds.resource.v1.device_selector",
    "OpaqueDeviceConfiguration": "windlass.kinds.resource.v1.opaque_device_configuration",
}


class DeviceClassConfiguration(Model):
    opaque: "OpaqueDeviceConfiguration | None" = None


class DeviceClassSpec(Model):
    config: list[DeviceClassConfiguration] = []
    extended_resource_name: str | None = None
    selectors: "list[DeviceSelector]" = []


class DeviceClass(Resource, group="resource.k8s.io", version="v1", plural="deviceclasses", namespaced=False):
    spec: DeviceClassSpec
