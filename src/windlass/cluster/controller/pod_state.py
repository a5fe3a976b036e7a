"""What controllers ask about a pod: whether it counts, is ready, and since when."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
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


class PodState(NamedTuple):
    """What a set has to know of a pod to count it."""

    labels: Mapping[str, str]
    is_active: bool
    is_terminating: bool
    is_ready: bool
    ready_since: datetime | None

    @classmethod
    def of(cls, pod: Pod) -> Self:
        """The state of a pod."""
        labels = pod.metadata.labels
        return cls(labels, is_active(pod), is_terminating(pod), is_ready(pod), ready_since(pod))

    def until_available(self, min_ready_seconds: int, now: datetime) -> timedelta | None:
        """How long a pod has yet to stay ready before it counts as available: nothing once it does.

        None where waiting alone does not help, since it is not ready.
        """
        if not self.is_ready or (min_ready_seconds and self.ready_since is None):
            return None
        if not min_ready_seconds or self.ready_since is None:
            return timedelta()
        return max(self.ready_since + timedelta(seconds=min_ready_seconds) - now, timedelta())


def until_available(pod: Pod, min_ready_seconds: int, now: datetime) -> timedelta | None:
    """As `PodState.until_available`, for a pod that is at hand."""
    return PodState.of(pod).until_available(min_ready_seconds, now)


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
