"""Since when a pod is ready, and whether that is long enough to rely on it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from windlass.kinds.core.v1 import Pod, PodCondition


def is_ready(pod: Pod) -> bool:
    """Whether a pod says that it can serve."""
    return _ready(pod) is not None


def is_available(pod: Pod, min_ready_seconds: int | None, now: datetime) -> bool:
    """Whether a pod has been ready for long enough."""
    wait = _wait(pod, min_ready_seconds, now)
    return wait is not None and wait <= timedelta()


def next_available(pods: Iterable[Pod], min_ready_seconds: int | None, now: datetime) -> timedelta | None:
    """When the next of these pods will have been ready for long enough; None if none is on the way there."""
    waits = (_wait(pod, min_ready_seconds, now) for pod in pods)
    return min((wait for wait in waits if wait is not None and wait > timedelta()), default=None)


def _wait(pod: Pod, min_ready_seconds: int | None, now: datetime) -> timedelta | None:
    """How long a pod that is ready has to stay so; None for one that is not."""
    ready = _ready(pod)
    if ready is None:
        return None
    if not min_ready_seconds:
        return timedelta()
    since = ready.last_transition_time
    return since + timedelta(seconds=min_ready_seconds) - now if since else None


def _ready(pod: Pod) -> PodCondition | None:
    found = (each for each in pod.status.conditions if each.type == "Ready" and each.status == "True")
    return next(found, None)
