"""What controllers ask about a pod: whether it counts, is ready, and since when."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from windlass.api import Change, Json
    from windlass.kinds.core.v1 import Pod

_ENDED = ("Succeeded", "Failed")


def is_active(pod: Pod) -> bool:
    """Whether a pod runs, or may yet: it has not ended, and nobody has deleted it."""
    return pod.status.phase not in _ENDED and pod.metadata.deletion_timestamp is None


def is_terminating(pod: Pod) -> bool:
    """Whether a pod was deleted, and still runs."""
    return pod.status.phase not in _ENDED and pod.metadata.deletion_timestamp is not None


def is_ready(pod: Pod) -> bool:
    """Whether a pod says that it is ready."""
    return any(each.type == "Ready" and each.status == "True" for each in pod.status.conditions)


def ready_since(pod: Pod) -> datetime | None:
    """Since when a pod is ready; None where it is not, or does not say."""
    ready = (each for each in pod.status.conditions if each.type == "Ready" and each.status == "True")
    return next((each.last_transition_time for each in ready), None)


def until_available(pod: Pod, min_ready_seconds: int, now: datetime) -> timedelta | None:
    """How long a pod has yet to stay ready before it counts as available: nothing once it does.

    None where waiting alone does not help, since it is not ready.
    """
    if not is_ready(pod):
        return None
    since = ready_since(pod)
    if min_ready_seconds == 0:
        return timedelta()
    if since is None:
        return None
    return max(since + timedelta(seconds=min_ready_seconds) - now, timedelta())


def is_available(pod: Pod, min_ready_seconds: int | None, now: datetime) -> bool:
    """Whether a pod has been ready for long enough to rely on it."""
    return until_available(pod, min_ready_seconds or 0, now) == timedelta()


def next_available(pods: Iterable[Pod], min_ready_seconds: int | None, now: datetime) -> timedelta | None:
    """How long until the next of these pods is available; None where there is none to wait for."""
    waits = (until_available(pod, min_ready_seconds or 0, now) for pod in pods)
    return min((each for each in waits if each), default=None)


def counts_otherwise(change: Change[Any]) -> bool:
    """Whether a pod counts in another way than before: most of its life's changes are of no interest."""
    if change.old is None or change.new is None:
        return True
    return bool(_counted(change.old.data) != _counted(change.new.data))


def _counted(pod: Json) -> Any:
    metadata, status = pod["metadata"], pod.get("status") or {}
    ready = [each for each in status.get("conditions") or () if each["type"] == "Ready"]
    stated = [(each.get("status"), each.get("lastTransitionTime")) for each in ready]
    fields = ("labels", "ownerReferences", "deletionTimestamp")
    return status.get("phase") in _ENDED, stated, [metadata.get(name) for name in fields]
