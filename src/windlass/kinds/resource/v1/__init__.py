"""The kinds of resource/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.resource.v1.resource_claim import AllocatedDeviceStatus as AllocatedDeviceStatus
    from windlass.kinds.resource.v1.resource_claim import AllocationResult as AllocationResult
    from windlass.kinds.resource.v1.device_selector import CELDeviceSelector as CELDeviceSelector
    from windlass.kinds.resource.v1.resource_slice import CapacityRequestPolicy as CapacityRequestPolicy
    from windlass.kinds.resource.v1.resource_slice import CapacityRequestPolicyRange as CapacityRequestPolicyRange
    from windlass.kinds.resource.v1.resource_claim_spec import CapacityRequirements as CapacityRequirements
    from windlass.kinds.resource.v1.resource_slice import Counter as Counter
    from windlass.kinds.resource.v1.resource_slice import CounterSet as CounterSet
    from windlass.kinds.resource.v1.resource_slice import Device as Device
    from windlass.kinds.resource.v1.resource_claim import DeviceAllocationConfiguration as DeviceAllocationConfiguration
    from windlass.kinds.resource.v1.resource_claim import DeviceAllocationResult as DeviceAllocationResult
    from windlass.kinds.resource.v1.resource_slice import DeviceAttribute as DeviceAttribute
    from windlass.kinds.resource.v1.resource_slice import DeviceCapacity as DeviceCapacity
    from windlass.kinds.resource.v1.resource_claim_spec import DeviceClaim as DeviceClaim
    from windlass.kinds.resource.v1.resource_claim_spec import DeviceClaimConfiguration as DeviceClaimConfiguration
    from windlass.kinds.resource.v1.device_class import DeviceClass as DeviceClass
    from windlass.kinds.resource.v1.device_class import DeviceClassConfiguration as DeviceClassConfiguration
    from windlass.kinds.resource.v1.device_class import DeviceClassSpec as DeviceClassSpec
    from windlass.kinds.resource.v1.resource_claim_spec import DeviceConstraint as DeviceConstraint
    from windlass.kinds.resource.v1.resource_slice import DeviceCounterConsumption as DeviceCounterConsumption
    from windlass.kinds.resource.v1.resource_claim_spec import DeviceRequest as DeviceRequest
    from windlass.kinds.resource.v1.resource_claim import DeviceRequestAllocationResult as DeviceRequestAllocationResult
    from windlass.kinds.resource.v1.device_selector import DeviceSelector as DeviceSelector
    from windlass.kinds.resource.v1.resource_claim_spec import DeviceSubRequest as DeviceSubRequest
    from windlass.kinds.resource.v1.resource_slice import DeviceTaint as DeviceTaint
    from windlass.kinds.resource.v1.device_toleration import DeviceToleration as DeviceToleration
    from windlass.kinds.resource.v1.resource_claim_spec import ExactDeviceRequest as ExactDeviceRequest
    from windlass.kinds.resource.v1.resource_claim import NetworkDeviceData as NetworkDeviceData
    from windlass.kinds.resource.v1.resource_slice import NodeAllocatableResourceMapping as NodeAllocatableResourceMapping
    from windlass.kinds.resource.v1.opaque_device_configuration import OpaqueDeviceConfiguration as OpaqueDeviceConfiguration
    from windlass.kinds.resource.v1.resource_claim import ResourceClaim as ResourceClaim
    from windlass.kinds.resource.v1.resource_claim import ResourceClaimConsumerReference as ResourceClaimConsumerReference
    from windlass.kinds.resource.v1.resource_claim_spec import ResourceClaimSpec as ResourceClaimSpec
    from windlass.kinds.resource.v1.resource_claim import ResourceClaimStatus as ResourceClaimStatus
    from windlass.kinds.resource.v1.resource_claim_template import ResourceClaimTemplate as ResourceClaimTemplate
    from windlass.kinds.resource.v1.resource_claim_template import ResourceClaimTemplateSpec as ResourceClaimTemplateSpec
    from windlass.kinds.resource.v1.resource_slice import ResourcePool as ResourcePool
    from windlass.kinds.resource.v1.resource_slice import ResourceSlice as ResourceSlice
    from windlass.kinds.resource.v1.resource_slice import ResourceSliceSpec as ResourceSliceSpec

__lazy__ = {
    "AllocatedDeviceStatus": "windlass.kinds.resource.v1.resource_claim",
    "AllocationResult": "windlass.kinds.resource.v1.resource_claim",
    "CELDeviceSelector": "windlass.kinds.resource.v1.device_selector",
    "CapacityRequestPolicy": "windlass.kinds.resource.v1.resource_slice",
    "CapacityRequestPolicyRange": "windlass.kinds.resource.v1.resource_slice",
    "CapacityRequirements": "windlass.kinds.resource.v1.resource_claim_spec",
    "Counter": "windlass.kinds.resource.v1.resource_slice",
    "CounterSet": "windlass.kinds.resource.v1.resource_slice",
    "Device": "windlass.kinds.resource.v1.resource_slice",
    "DeviceAllocationConfiguration": "windlass.kinds.resource.v1.resource_claim",
    "DeviceAllocationResult": "windlass.kinds.resource.v1.resource_claim",
    "DeviceAttribute": "windlass.kinds.resource.v1.resource_slice",
    "DeviceCapacity": "windlass.kinds.resource.v1.resource_slice",
    "DeviceClaim": "windlass.kinds.resource.v1.resource_claim_spec",
    "DeviceClaimConfiguration": "windlass.kinds.resource.v1.resource_claim_spec",
    "DeviceClass": "windlass.kinds.resource.v1.device_class",
    "DeviceClassConfiguration": "windlass.kinds.resource.v1.device_class",
    "DeviceClassSpec": "windlass.kinds.resource.v1.device_class",
    "DeviceConstraint": "windlass.kinds.resource.v1.resource_claim_spec",
    "DeviceCounterConsumption": "windlass.kinds.resource.v1.resource_slice",
    "DeviceRequest": "windlass.kinds.resource.v1.resource_claim_spec",
    "DeviceRequestAllocationResult": "windlass.kinds.resource.v1.resource_claim",
    "DeviceSelector": "windlass.kinds.resource.v1.device_selector",
    "DeviceSubRequest": "windlass.kinds.resource.v1.resource_claim_spec",
    "DeviceTaint": "windlass.kinds.resource.v1.resource_slice",
    "DeviceToleration": "windlass.kinds.resource.v1.device_toleration",
    "ExactDeviceRequest": "windlass.kinds.resource.v1.resource_claim_spec",
    "NetworkDeviceData": "windlass.kinds.resource.v1.resource_claim",
    "NodeAllocatableResourceMapping": "windlass.kinds.resource.v1.resource_slice",
    "OpaqueDeviceConfiguration": "windlass.kinds.resource.v1.opaque_device_configuration",
    "ResourceClaim": "windlass.kinds.resource.v1.resource_claim",
    "ResourceClaimConsumerReference": "windlass.kinds.resource.v1.resource_claim",
    "ResourceClaimSpec": "windlass.kinds.resource.v1.resource_claim_spec",
    "ResourceClaimStatus": "windlass.kinds.resource.v1.resource_claim",
    "ResourceClaimTemplate": "windlass.kinds.resource.v1.resource_claim_template",
    "ResourceClaimTemplateSpec": "windlass.kinds.resource.v1.resource_claim_template",
    "ResourcePool": "windlass.kinds.resource.v1.resource_slice",
    "ResourceSlice": "windlass.kinds.resource.v1.resource_slice",
    "ResourceSliceSpec": "windlass.kinds.resource.v1.resource_slice",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
