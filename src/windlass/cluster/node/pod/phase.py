"""The phase of a pod, from the states of its containers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.cluster.node.pod.restart import is_restarted, is_sidecar

if TYPE_CHECKING:
    from windlass.cluster.node.pod.life import ContainerLife, Ended, PodLife
    from windlass.kinds.core.v1 import Pod
    from windlass.kinds.core.v1.pod_spec import Container


def phase(pod: Pod, life: PodLife) -> str:
    """`Pending` until all containers were started, `Running` while one runs or will, then how they ended."""
    lives = life.containers
    if life.failure:
        return "Failed" if life.is_at_rest else "Running"
    if any(_has_failed(pod, each, lives[each.name]) for each in pod.spec.init_containers):
        return "Failed"
    mains = [lives[each.name] for each in pod.spec.containers]
    sidecars = [lives[each.name] for each in pod.spec.init_containers if is_sidecar(each)]
    begun = [_last_end(each) is not None or each.is_running for each in mains]
    if not all(begun) or not _is_initialized(pod, life):
        return "Failed" if _is_given_up(pod, life) else "Pending"
    if any(each.is_running for each in (*mains, *sidecars)):
        return "Running"
    will_go_on = any(
        (end := _last_end(each)) is not None and is_restarted(pod, container, end.code)
        for container, each in zip(pod.spec.containers, mains, strict=True)
    )
    if will_go_on and pod.metadata.deletion_timestamp is None:
        return "Running"
    ends = [_last_end(each) for each in mains]
    return "Succeeded" if all(end is not None and end.code == 0 for end in ends) else "Failed"


def _is_given_up(pod: Pod, life: PodLife) -> bool:
    """Whether a pod is deleted that had not come as far as to run."""
    return pod.metadata.deletion_timestamp is not None and life.is_at_rest


def _has_failed(pod: Pod, container: Container, life: ContainerLife) -> bool:
    end = _last_end(life)
    if is_sidecar(container) or life.is_running or end is None or end.code == 0:
        return False
    return not is_restarted(pod, container, end.code)


def _is_initialized(pod: Pod, life: PodLife) -> bool:
    return all(
        life.containers[each.name].has_succeeded for each in pod.spec.init_containers if not is_sidecar(each)
    )


def _last_end(life: ContainerLife) -> Ended | None:
    """How a container that does not run ended."""
    if life.ended is not None:
        return life.ended
    return life.last if life.waiting is not None else None
