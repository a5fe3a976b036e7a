"""The conditions of a pod, as a kubelet writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.cluster.node.pod.restart import is_sidecar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from windlass.cluster.node.pod.life import PodLife
    from windlass.kinds.core.v1 import Pod
    from windlass.kinds.core.v1.pod import PodCondition

_OURS: Final = ("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled")
_TERMINAL: Final = {"Failed": "PodFailed", "Succeeded": "PodCompleted"}


class Verdict(NamedTuple):
    """What a condition says."""

    holds: bool
    reason: str = ""
    message: str = ""


def conditions(pod: Pod, life: PodLife, phase: str, now: datetime) -> list[PodCondition]:
    """All conditions of a pod; those that are not the node's stay as they are."""
    containers = _containers_ready(pod, life, phase)
    verdicts = {
        "PodReadyToStartContainers": Verdict(life.has_sandbox and phase not in _TERMINAL),
        "Initialized": _initialized(pod, life, phase),
        "Ready": _gated(pod, containers) if containers.holds else containers,
        "ContainersReady": containers,
        "PodScheduled": Verdict(holds=True),
    }
    old = {each.type: each for each in pod.status.conditions}
    ours = [_condition(pod, name, verdicts[name], old.get(name), now) for name in _OURS]
    return [*ours, *(each for each in pod.status.conditions if each.type not in verdicts)]


def _condition(
    pod: Pod, name: str, verdict: Verdict, old: PodCondition | None, now: datetime
) -> PodCondition:
    from windlass.kinds.core.v1.pod import PodCondition

    status = "True" if verdict.holds else "False"
    changed = old is None or old.status != status
    condition = PodCondition(
        type=name,
        status=status,
        last_probe_time=None,
        last_transition_time=now if changed or old is None else old.last_transition_time,
        observed_generation=pod.metadata.generation,
    )
    if verdict.reason:
        condition.reason = verdict.reason
    if verdict.message:
        condition.message = verdict.message
    return condition


def _containers_ready(pod: Pod, life: PodLife, phase: str) -> Verdict:
    if phase in _TERMINAL:
        return Verdict(False, _TERMINAL[phase])  # noqa: FBT003 - the name of the class says what it is
    sidecars = [each for each in pod.spec.init_containers if is_sidecar(each)]
    names = [each.name for each in (*sidecars, *pod.spec.containers)]
    unready = [name for name in names if not life.containers[name].ready]
    if not unready:
        return Verdict(holds=True)
    message = f"containers with unready status: {_listed(unready)}"
    return Verdict(holds=False, reason="ContainersNotReady", message=message)


def _gated(pod: Pod, containers: Verdict) -> Verdict:
    """Whether everybody whose word a pod waits for has given it."""
    unready = ", ".join(_closed_gates(pod))
    if not unready:
        return containers
    return Verdict(holds=False, reason="ReadinessGatesNotReady", message=unready)


def _closed_gates(pod: Pod) -> Iterator[str]:
    said = {each.type: each.status for each in pod.status.conditions}
    for gate in pod.spec.readiness_gates:
        name = gate.condition_type
        if name not in said:
            yield f'corresponding condition of pod readiness gate "{name}" does not exist.'
        elif said[name] != "True":
            yield f'the status of pod readiness gate "{name}" is not "True", but {said[name]}'


def _initialized(pod: Pod, life: PodLife, phase: str) -> Verdict:
    if phase == "Succeeded":
        return Verdict(holds=True, reason="PodCompleted")
    lives = life.containers
    begun = (lives[each.name] for each in pod.spec.containers)
    if any(each.started is not None or each.last is not None for each in begun):
        return Verdict(holds=True)
    missing = [
        each.name
        for each in pod.spec.init_containers
        if not (lives[each.name].passed if is_sidecar(each) else lives[each.name].has_succeeded)
    ]
    if not missing:
        return Verdict(holds=True)
    message = f"containers with incomplete status: {_listed(missing)}"
    return Verdict(holds=False, reason="ContainersNotInitialized", message=message)


def _listed(names: Sequence[str]) -> str:
    return f"[{' '.join(names)}]"
