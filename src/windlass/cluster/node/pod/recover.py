"""A pod that ran before its node began: what its status tells of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.cluster.node.pod.life import ContainerLife, Ended, PodLife, Waiting
from windlass.cluster.node.pod.machine import begin

if TYPE_CHECKING:
    from datetime import datetime

    from windlass.kinds.core.v1 import Pod
    from windlass.kinds.core.v1.pod import ContainerStateTerminated, ContainerStatus


def recover(pod: Pod, now: datetime) -> PodLife:
    """The life of a pod as far as its status tells; one that has none has just come."""
    fresh = begin(pod, now)
    known = {
        each.name: each
        for each in (
            *pod.status.init_container_statuses,
            *pod.status.container_statuses,
            *pod.status.ephemeral_container_statuses,
        )
    }
    if not known or pod.status.start_time is None:
        return fresh
    ran = pod.status.phase in ("Failed", "Succeeded")
    return PodLife(
        uid=fresh.uid,
        began=pod.status.start_time,
        address=pod.status.pod_ip,
        containers={
            name: _container(known[name], now) if name in known else life
            for name, life in fresh.containers.items()
        },
        has_sandbox=bool(pod.status.pod_ip),
        failure=Waiting(pod.status.reason, pod.status.message) if ran and pod.status.reason else None,
    )


def _container(known: ContainerStatus, now: datetime) -> ContainerLife:
    state, last = known.state, known.last_state
    running = state.running if state else None
    waiting = state.waiting if state else None
    ended = _ended(state.terminated if state else None)
    before = _ended(last.terminated if last else None)
    started = (running.started_at or now) if running else ended.started if ended else None
    return ContainerLife(
        waiting=None
        if started
        else Waiting(
            (waiting and waiting.reason) or "ContainerCreating", (waiting and waiting.message) or ""
        ),
        image=known.image,
        id=known.container_id.partition("://")[2],
        started=started,
        ended=ended,
        last=before,
        restarts=known.restart_count,
        fails=known.restart_count + 1 if ended or before else 0,
        passed=known.started,
        ready=known.ready and running is not None,
    )


def _ended(terminated: ContainerStateTerminated | None) -> Ended | None:
    if terminated is None or terminated.started_at is None or terminated.finished_at is None:
        return None
    return Ended(
        id=(terminated.container_id or "").partition("://")[2],
        started=terminated.started_at,
        finished=terminated.finished_at,
        code=terminated.exit_code,
        reason=terminated.reason or "",
        message=terminated.message or "",
        signal=terminated.signal or 0,
    )
