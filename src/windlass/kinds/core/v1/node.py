# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated

from windlass.api import Field, Model, Quantity, Resource, Time, Wire


class AttachedVolume(Model):
    device_path: str
    name: str


class ConfigMapNodeConfigSource(Model):
    kubelet_config_key: str
    name: str
    namespace: str
    resource_version: str | None = None
    uid: str | None = None


class ContainerImage(Model):
    names: list[str] = []
    size_bytes: int | None = None


class DaemonEndpoint(Model):
    port: Annotated[int, Wire("Port")]


class NodeConfigSource(Model):
    config_map: ConfigMapNodeConfigSource | None = None


class Taint(Model):
    effect: str
    key: str
    time_added: Time | None = None
    value: str | None = None


class NodeSpec(Model):
    config_source: NodeConfigSource | None = None
    external_id: Annotated[str | None, Wire("externalID")] = None
    pod_cidr: Annotated[str | None, Wire("podCIDR")] = None
    pod_cidrs: Annotated[list[str], Wire("podCIDRs")] = []
    provider_id: Annotated[str | None, Wire("providerID")] = None
    taints: list[Taint] = []
    unschedulable: bool | None = None


class NodeAddress(Model):
    address: str
    type: str


class NodeCondition(Model):
    last_heartbeat_time: Time | None = None
    last_transition_time: Time | None = None
    message: str | None = None
    reason: str | None = None
    status: str
    type: str


class NodeConfigStatus(Model):
    active: NodeConfigSource | None = None
    assigned: NodeConfigSource | None = None
    error: str = ""
    last_known_good: NodeConfigSource | None = None


class NodeDaemonEndpoints(Model):
    kubelet_endpoint: DaemonEndpoint | None = None


class NodeFeatures(Model):
    supplemental_groups_policy: bool | None = None


class NodeRuntimeHandlerFeatures(Model):
    recursive_read_only_mounts: bool | None = None
    user_namespaces: bool | None = None


class NodeRuntimeHandler(Model):
    features: NodeRuntimeHandlerFeatures | None = None
    name: str | None = None


class NodeSwapStatus(Model):
    capacity: int = 0


class NodeSystemInfo(Model):
    architecture: str
    boot_id: Annotated[str, Wire("bootID")]
    container_runtime_version: str
    kernel_version: str
    kube_proxy_version: str
    kubelet_version: str
    machine_id: Annotated[str, Wire("machineID")]
    operating_system: str
    os_image: str
    swap: NodeSwapStatus | None = None
    system_uuid: Annotated[str, Wire("systemUUID")]


class NodeStatus(Model):
    addresses: list[NodeAddress] = []
    allocatable: dict[str, Quantity] = {}
    capacity: dict[str, Quantity] = {}
    conditions: list[NodeCondition] = []
    config: NodeConfigStatus | None = None
    daemon_endpoints: NodeDaemonEndpoints | None = None
    declared_features: list[str] = []
    features: NodeFeatures | None = None
    images: list[ContainerImage] = []
    node_info: NodeSystemInfo | None = None
    phase: str = ""
    runtime_handlers: list[NodeRuntimeHandler] = []
    volumes_attached: list[AttachedVolume] = []
    volumes_in_use: list[str] = []


class Node(Resource, group="", version="v1", plural="nodes", namespaced=False, subresources=('proxy', 'status')):
    spec: NodeSpec = Field(default_factory=NodeSpec)
    status: NodeStatus = Field(default_factory=NodeStatus)
