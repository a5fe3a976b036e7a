"""The objects of a node: its Node with its status, and its lease."""

from __future__ import annotations

import hashlib
import json
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from windlass.api import ObjectMeta
from windlass.cluster.node.behaviour import PREFIX, Program
from windlass.cluster.node.options import parse_taint

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from windlass.cluster.node.options import NodeOptions
    from windlass.cluster.node.state import NodeState
    from windlass.kinds.coordination.v1 import Lease
    from windlass.kinds.core.v1 import Node
    from windlass.kinds.core.v1.node import NodeCondition, NodeStatus, NodeSystemInfo

LEASES: Final = "kube-node-lease"
_VERSION: Final = "v1.36.3"
_ARCHITECTURE: Final = "amd64"
_SYSTEM: Final = "linux"
_RUNTIME: Final = "windlass://"
PROGRAMS: Final = f"{PREFIX}programs"
"""The annotation of a Node with the patterns of images for which it runs programs, as JSON."""
PROJECT: Final = f"{PREFIX}project"
"""The annotation of a Node with the folder whose modules `windlass deploy` can have run there."""


class _Said(NamedTuple):
    type: str
    status: str
    reason: str
    message: str


_CONDITIONS: Final = (
    _Said("MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
    _Said("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    _Said("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
    _Said("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
)


def node(state: NodeState, options: NodeOptions, port: int, now: datetime) -> Node:
    """A node that comes to a cluster."""
    from windlass.kinds.core.v1 import Node
    from windlass.kinds.core.v1.node import NodeSpec, Taint

    labels = {
        "kubernetes.io/hostname": state.name,
        "kubernetes.io/os": _SYSTEM,
        "kubernetes.io/arch": _ARCHITECTURE,
        "beta.kubernetes.io/os": _SYSTEM,
        "beta.kubernetes.io/arch": _ARCHITECTURE,
        **({"topology.kubernetes.io/zone": _zone(state, options)} if options.zones else {}),
        **options.labels,
    }
    spec = NodeSpec(provider_id=f"windlass://{state.name}")
    if state.network is not None:
        spec.pod_cidr, spec.pod_cidrs = str(state.network), [str(state.network)]
    if options.taints:
        spec.taints = [Taint.from_wire(parse_taint(each)) for each in options.taints]
    return Node(
        metadata=ObjectMeta(name=state.name, labels=labels, annotations=node_annotations(options)),
        spec=spec,
        status=node_status(state, options, port, None, now),
    )


def node_annotations(options: NodeOptions) -> dict[str, str]:
    """What a node can run: images that stand for programs, and the project that is deployed to it."""
    programs = [pattern for pattern, image in options.images.items() if isinstance(image, Program)]
    project = {PROJECT: str(options.project)} if options.project else {}
    return {PROGRAMS: json.dumps(programs), **project}


def is_simulated(node: Node) -> bool:
    """Whether a Node is one of ours: its pods run as far as the API shows, and no container does."""
    info = node.status.node_info
    return info is not None and (info.container_runtime_version or "").startswith(_RUNTIME)


def can_run(node: Node, image: str) -> bool:
    """Whether a simulated node runs a program for an image."""
    patterns = json.loads(node.metadata.annotations.get(PROGRAMS, "[]"))
    return any(fnmatchcase(image, pattern) for pattern in patterns)


def node_status(
    state: NodeState, options: NodeOptions, port: int, old: NodeStatus | None, now: datetime
) -> NodeStatus:
    """What a node says of itself; pods may take the capacity that others gave it, too."""
    from windlass.api import Quantity
    from windlass.kinds.core.v1.node import DaemonEndpoint, NodeAddress, NodeDaemonEndpoints, NodeStatus

    capacity = {name: Quantity(value) for name, value in options.full_capacity.items()}
    return NodeStatus(
        capacity=capacity,
        allocatable={**(old.capacity if old else {}), **capacity},
        addresses=[
            NodeAddress(type="InternalIP", address=state.address),
            NodeAddress(type="Hostname", address=state.name),
        ],
        conditions=_conditions({each.type: each for each in old.conditions} if old else {}, now),
        daemon_endpoints=NodeDaemonEndpoints(kubelet_endpoint=DaemonEndpoint(port=port)),
        node_info=_info(state.name),
    )


def _conditions(old: dict[str, NodeCondition], now: datetime) -> list[NodeCondition]:
    from windlass.kinds.core.v1.node import NodeCondition

    made = []
    for said in _CONDITIONS:
        before = old.get(said.type)
        since = before.last_transition_time if before and before.status == said.status else now
        made.append(
            NodeCondition(
                type=said.type,
                status=said.status,
                reason=said.reason,
                message=said.message,
                last_heartbeat_time=now,
                last_transition_time=since,
            )
        )
    ours = {said.type for said in _CONDITIONS}
    return [*made, *(each for name, each in old.items() if name not in ours)]


def _info(name: str) -> NodeSystemInfo:
    from windlass.kinds.core.v1.node import NodeSystemInfo

    identity = hashlib.sha256(name.encode()).hexdigest()[:32]
    return NodeSystemInfo(
        architecture=_ARCHITECTURE,
        boot_id=identity,
        machine_id=identity,
        system_uuid=identity,
        kernel_version="6.1.0",
        os_image="Windlass simulated node",
        container_runtime_version=f"{_RUNTIME}1.0",
        kube_proxy_version="",
        kubelet_version=_VERSION,
        operating_system=_SYSTEM,
    )


def _zone(state: NodeState, options: NodeOptions) -> str:
    return options.zones[state.number % len(options.zones)]


def lease(name: str, uid: str, duration: timedelta, now: datetime) -> Lease:
    """The lease by which a node says that it is there."""
    from windlass.api import OwnerReference
    from windlass.kinds.coordination.v1 import Lease
    from windlass.kinds.coordination.v1.lease import LeaseSpec

    owner = OwnerReference(api_version="v1", kind="Node", name=name, uid=uid)
    return Lease(
        metadata=ObjectMeta(name=name, namespace=LEASES, owner_references=[owner]),
        spec=LeaseSpec(
            holder_identity=name, lease_duration_seconds=max(1, int(duration.total_seconds())), renew_time=now
        ),
    )


def renewal(now: datetime) -> dict[str, Any]:
    """What renews a lease."""
    from windlass.api import format_micro_time

    return {"spec": {"renewTime": format_micro_time(now)}}
