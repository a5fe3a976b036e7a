"""The status of a pod, from what its node knows of it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from windlass.cluster.node.pod.condition import conditions
from windlass.cluster.node.pod.phase import phase
from windlass.cluster.node.pod.restart import is_sidecar

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from windlass.cluster.node.pod.life import ContainerLife, Ended, PodLife
    from windlass.kinds.core.v1 import Pod
    from windlass.kinds.core.v1.pod import (
        ContainerState,
        ContainerStateTerminated,
        ContainerStatus,
        PodStatus,
        VolumeMountStatus,
    )
    from windlass.kinds.core.v1.pod_spec import Container


class Host(NamedTuple):
    """The node that a pod is on, as far as the pod's status tells of it."""

    address: str


def status(pod: Pod, life: PodLife, host: Host, now: datetime) -> PodStatus:
    """The whole status of a pod; what is not the node's to say stays as it is."""
    from windlass.kinds.core.v1.pod import HostIP, PodIP

    new = pod.status.model_copy()
    new.phase = phase(pod, life)
    new.observed_generation = pod.metadata.generation or 0
    new.start_time = pod.status.start_time or life.began
    new.host_ip, new.host_ips = host.address, [HostIP(ip=host.address)]
    address = host.address if pod.spec.host_network else life.address
    if address and (life.has_sandbox or pod.spec.host_network):
        new.pod_ip, new.pod_ips = address, [PodIP(ip=address)]
    if life.failure:
        new.reason, new.message = life.failure
    new.conditions = conditions(pod, life, new.phase, now)
    new.container_statuses = _statuses(pod.spec.containers, life)
    if pod.spec.init_containers:
        new.init_container_statuses = _statuses(pod.spec.init_containers, life, before=True)
    if pod.spec.ephemeral_containers:
        new.ephemeral_container_statuses = _statuses(pod.spec.ephemeral_containers, life)  # type: ignore[arg-type]
    return new


def _statuses(
    containers: Sequence[Container], life: PodLife, *, before: bool = False
) -> list[ContainerStatus]:
    return [_container(each, life.containers[each.name], before=before) for each in containers]


def _container(container: Container, life: ContainerLife, *, before: bool) -> ContainerStatus:
    from windlass.kinds.core.v1.pod import ContainerState, ContainerStatus

    was_run = bool(life.id)
    ready = life.has_succeeded if before and not is_sidecar(container) else life.ready
    made = ContainerStatus(
        name=container.name,
        image=container.image or "",
        image_id=_image_id(container.image or "") if was_run else "",
        ready=ready,
        started=life.is_running and (life.passed or (before and not is_sidecar(container))),
        restart_count=life.restarts,
        state=_state(life),
        last_state=ContainerState(terminated=_terminated(life.last)) if life.last else ContainerState(),
    )
    if was_run:
        made.container_id = f"containerd://{life.id}"
    if container.resources and life.is_running:
        made.resources = container.resources
        if container.resources.requests:
            made.allocated_resources = container.resources.requests
    if container.volume_mounts:
        made.volume_mounts = _mounts(container)
    return made


def _mounts(container: Container) -> list[VolumeMountStatus]:
    from windlass.kinds.core.v1.pod import VolumeMountStatus

    mounts = []
    for each in container.volume_mounts:
        mount = VolumeMountStatus(name=each.name, mount_path=each.mount_path)
        if each.read_only:
            mount.read_only, mount.recursive_read_only = True, "Disabled"
        mounts.append(mount)
    return mounts


def _state(life: ContainerLife) -> ContainerState:
    from windlass.kinds.core.v1.pod import ContainerState, ContainerStateRunning, ContainerStateWaiting

    if life.ended is not None:
        return ContainerState(terminated=_terminated(life.ended))
    if life.started is not None:
        return ContainerState(running=ContainerStateRunning(started_at=life.started))
    waiting = ContainerStateWaiting()
    if life.waiting is not None:
        waiting.reason = life.waiting.reason
        if life.waiting.message:
            waiting.message = life.waiting.message
    return ContainerState(waiting=waiting)


def _terminated(ended: Ended) -> ContainerStateTerminated:
    from windlass.kinds.core.v1.pod import ContainerStateTerminated

    made = ContainerStateTerminated(
        exit_code=ended.code,
        reason=ended.reason,
        started_at=ended.started,
        finished_at=ended.finished,
        container_id=f"containerd://{ended.id}",
    )
    if ended.message:
        made.message = ended.message
    if ended.signal:
        made.signal = ended.signal
    return made


def _image_id(image: str) -> str:
    """What an image is known by: made from its name, so that the same name is the same image."""
    name = image.partition("@")[0]
    return f"{name.rpartition(':')[0] or name}@sha256:{hashlib.sha256(image.encode()).hexdigest()}"
