# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated, TYPE_CHECKING

from windlass.api import Field, Model, Quantity, Resource, Time, Wire

if TYPE_CHECKING:
    from windlass.kinds.core.v1.pod_spec import PodSpec
    from windlass.kinds.core.v1.resource_requirements import ResourceRequirements

__lazy__ = {
    "PodSpec": "windlass.kinds.core.v1.pod_spec",
    "ResourceRequirements": "windlass.kinds.core.v1.resource_requirements",
}


class ContainerExtendedResourceRequest(Model):
    container_name: str
    request_name: str
    resource_name: str


class ContainerStateRunning(Model):
    started_at: Time | None = None


class ContainerStateTerminated(Model):
    container_id: Annotated[str | None, Wire("containerID")] = None
    exit_code: int
    finished_at: Time | None = None
    message: str | None = None
    reason: str | None = None
    signal: int | None = None
    started_at: Time | None = None


class ContainerStateWaiting(Model):
    message: str | None = None
    reason: str | None = None


class ContainerState(Model):
    running: ContainerStateRunning | None = None
    terminated: ContainerStateTerminated | None = None
    waiting: ContainerStateWaiting | None = None


class LinuxContainerUser(Model):
    gid: int
    supplemental_groups: list[int] = []
    uid: int


class ContainerUser(Model):
    linux: LinuxContainerUser | None = None


class ResourceHealth(Model):
    health: str | None = None
    message: str | None = None
    resource_id: Annotated[str, Wire("resourceID")]


class ResourceStatus(Model):
    name: str = ""
    resources: list[ResourceHealth] = []


class ImageVolumeStatus(Model):
    image_ref: str = ""


class VolumeStatus(Model):
    image: ImageVolumeStatus | None = None


class VolumeMountStatus(Model):
    mount_path: str = ""
    name: str = ""
    read_only: bool = False
    recursive_read_only: str = ""
    volume_status: VolumeStatus | None = None


class ContainerStatus(Model):
    allocated_resources: dict[str, Quantity] = {}
    allocated_resources_status: list[ResourceStatus] = []
    container_id: Annotated[str, Wire("containerID")] = ""
    image: str = ""
    image_id: Annotated[str, Wire("imageID")] = ""
    last_state: ContainerState | None = None
    name: str = ""
    ready: bool = False
    resources: "ResourceRequirements | None" = None
    restart_count: int = 0
    started: bool = False
    state: ContainerState | None = None
    stop_signal: str = ""
    user: ContainerUser | None = None
    volume_mounts: list[VolumeMountStatus] = []


class HostIP(Model):
    ip: str


class NodeAllocatableResourceClaimStatus(Model):
    containers: list[str] = []
    resource_claim_name: str = ""
    resources: dict[str, Quantity] = {}


class PodCondition(Model):
    last_probe_time: Time | None = None
    last_transition_time: Time | None = None
    message: str | None = None
    observed_generation: int | None = None
    reason: str | None = None
    status: str
    type: str


class PodExtendedResourceClaimStatus(Model):
    request_mappings: list[ContainerExtendedResourceRequest] = []
    resource_claim_name: str = ""


class PodIP(Model):
    ip: str


class PodResourceClaimStatus(Model):
    name: str = ""
    resource_claim_name: str = ""


class PodStatus(Model):
    allocated_resources: dict[str, Quantity] = {}
    conditions: list[PodCondition] = []
    container_statuses: list[ContainerStatus] = []
    ephemeral_container_statuses: list[ContainerStatus] = []
    extended_resource_claim_status: PodExtendedResourceClaimStatus | None = None
    host_ip: Annotated[str, Wire("hostIP")] = ""
    host_ips: Annotated[list[HostIP], Wire("hostIPs")] = []
    init_container_statuses: list[ContainerStatus] = []
    message: str = ""
    node_allocatable_resource_claim_statuses: list[NodeAllocatableResourceClaimStatus] = []
    nominated_node_name: str = ""
    observed_generation: int = 0
    phase: str = ""
    pod_ip: Annotated[str, Wire("podIP")] = ""
    pod_ips: Annotated[list[PodIP], Wire("podIPs")] = []
    qos_class: str = ""
    reason: str = ""
    resize: str = ""
    resource_claim_statuses: list[PodResourceClaimStatus] = []
    resources: "ResourceRequirements | None" = None
    start_time: Time | None = None


class Pod(Resource, group="", version="v1", plural="pods", subresources=('attach', 'binding', 'ephemeralcontainers', 'eviction', 'exec', 'log', 'portforward', 'proxy', 'resize', 'status')):
    spec: "PodSpec"
    status: PodStatus = Field(default_factory=PodStatus)
