# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated, TYPE_CHECKING

from windlass.api import Model, Quantity, Resource, Time, Wire

if TYPE_CHECKING:
    from windlass.kinds.core.v1.node_selector import NodeSelector

__lazy__ = {
    "NodeSelector": "windlass.kinds.core.v1.node_selector",
}


class CapacityRequestPolicyRange(Model):
    max: Quantity | None = None
    min: Quantity
    step: Quantity | None = None


class CapacityRequestPolicy(Model):
    default: Quantity | None = None
    valid_range: CapacityRequestPolicyRange | None = None
    valid_values: list[Quantity] = []


class Counter(Model):
    value: Quantity


class CounterSet(Model):
    counters: dict[str, Counter]
    name: str


class DeviceAttribute(Model):
    bool_: Annotated[bool | None, Wire("bool")] = None
    bools: list[bool] = []
    int_: Annotated[int | None, Wire("int")] = None
    ints: list[int] = []
    string: str | None = None
    strings: list[str] = []
    version: str | None = None
    versions: list[str] = []


class DeviceCapacity(Model):
    request_policy: CapacityRequestPolicy | None = None
    value: Quantity


class DeviceCounterConsumption(Model):
    counter_set: str
    counters: dict[str, Counter]


class DeviceTaint(Model):
    effect: str
    key: str
    time_added: Time | None = None
    value: str | None = None


class NodeAllocatableResourceMapping(Model):
    allocation_multiplier: Quantity | None = None
    capacity_key: str | None = None


class Device(Model):
    all_nodes: bool | None = None
    allow_multiple_allocations: bool | None = None
    attributes: dict[str, DeviceAttribute] = {}
    binding_conditions: list[str] = []
    binding_failure_conditions: list[str] = []
    binds_to_node: bool | None = None
    capacity: dict[str, DeviceCapacity] = {}
    consumes_counters: list[DeviceCounterConsumption] = []
    name: str
    node_allocatable_resource_mappings: dict[str, NodeAllocatableResourceMapping] = {}
    node_name: str | None = None
    node_selector: "NodeSelector | None" = None
    taints: list[DeviceTaint] = []


class ResourcePool(Model):
    generation: int
    name: str
    resource_slice_count: int


class ResourceSliceSpec(Model):
    all_nodes: bool | None = None
    devices: list[Device] = []
    driver: str
    node_name: str | None = None
    node_selector: "NodeSelector | None" = None
    per_device_node_selection: bool | None = None
    pool: ResourcePool
    shared_counters: list[CounterSet] = []


class ResourceSlice(Resource, group="resource.k8s.io", version="v1", plural="resourceslices", namespaced=False):
    spec: ResourceSliceSpec
