"""What is seen of a simulated container: it follows from its behaviour and the time alone."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from windlass.cluster.node.pod import ContainerLife, Ended, Look, is_restarted

if TYPE_CHECKING:
    from windlass.cluster.node.behaviour import Behaviour
    from windlass.cluster.node.pod import Pace
    from windlass.kinds.core.v1 import Pod
    from windlass.kinds.core.v1.pod_spec import Container, Probe

KILLED: Final = 137


def look(
    pod: Pod, container: Container, life: ContainerLife, behaviour: Behaviour, at: tuple[datetime, Pace]
) -> Look:
    """What a simulated container that was started looks like at a moment."""
    now, pace = at
    started = life.started or now
    end, code = _end(life, _runs(pod, container, behaviour, pace), behaviour)
    if end is not None and now >= end:
        return Look(ended=Ended(life.id, started, now, code, "Error" if code else "Completed"))
    passed = _first_success(started, container.startup_probe)
    ready = max(passed, _first_success(started, container.readiness_probe))
    changes = [moment for moment in (end, passed, ready) if moment is not None and moment > now]
    sick = not behaviour.alive and container.liveness_probe is not None
    return Look(
        passed=now >= passed,
        ready=behaviour.ready and now >= ready,
        unhealthy="the container is said not to be alive" if sick else "",
        due=min(changes, default=None),
    )


def _end(life: ContainerLife, runs: timedelta | None, behaviour: Behaviour) -> tuple[datetime | None, int]:
    """When a container ends by itself, and how; None for never."""
    if life.stopping is not None and life.doomed is not None:
        return min((life.stopping + behaviour.stops_after, 0), (life.doomed, KILLED))
    if runs is None or life.started is None:
        return None, 0
    return life.started + runs, behaviour.exit_code


def _runs(pod: Pod, container: Container, behaviour: Behaviour, pace: Pace) -> timedelta | None:
    """For how long it runs, None for ever."""
    if behaviour.runs is not None:
        return behaviour.runs
    return None if is_restarted(pod, container, 0) else pace.moment


def _first_success(started: datetime, probe: Probe | None) -> datetime:
    seconds = (probe.initial_delay_seconds or 0) if probe else 0
    return started + timedelta(seconds=seconds)
