"""What to do next for the pods of a StatefulSet: a pure function of what is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from windlass.api import scaled
from windlass.cluster.controller.pod_state import is_available
from windlass.cluster.controller.stateful_set.desired import REVISION, ordinal_of, ordinals
from windlass.cluster.controller.stepwise import Delete

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from windlass.kinds.apps.v1 import StatefulSet
    from windlass.kinds.core.v1 import Pod


class Create(NamedTuple):
    """Make the pod of this number."""

    ordinal: int


Step = Create | Delete


def steps(owner: StatefulSet, pods: Sequence[Pod], update: str, now: datetime) -> list[Step]:
    """What can be done at once: in an ordered set one thing, and only when all before it are well.

    Scaling comes before updating. `update` is the revision that pods should have.
    """
    view = _View(owner, pods, now)
    if owner.spec.pod_management_policy == "Parallel":
        mended = [step for place in range(len(view.replicas)) if (step := view.mend(place))]
        every: list[Step] = [*mended, *view.shrink(), *_outdated(owner, view, update)]
        return list(dict.fromkeys(every))
    unwell = next((place for place, pod in enumerate(view.replicas) if not view.is_well(pod)), None)
    if unwell is not None:
        step = view.mend(unwell)
        return [step] if step else []
    if view.condemned:
        return list(view.shrink()[:1]) if view.may_shrink() else []
    return list(_outdated(owner, view, update))


class _View:
    """The pods of a set in their places; a place without a pod has None."""

    def __init__(self, owner: StatefulSet, pods: Sequence[Pod], now: datetime) -> None:
        numbered = {number: pod for pod in pods if (number := ordinal_of(owner, pod)) is not None}
        places = ordinals(owner)
        self._first = places.start
        self._seconds = owner.spec.min_ready_seconds
        self._now = now
        self.replicas = [numbered.get(number) for number in places]
        self.condemned = [numbered[each] for each in sorted(numbered, reverse=True) if each not in places]

    def is_well(self, pod: Pod | None) -> bool:
        """Whether a pod runs, has been ready for long enough, and stays."""
        if pod is None or pod.metadata.deletion_timestamp or pod.status.phase != "Running":
            return False
        return is_available(pod, self._seconds, self._now)

    def mend(self, place: int) -> Step | None:
        """Make a pod that is missing; delete one that has ended, to make room for a new one."""
        pod = self.replicas[place]
        if pod is None:
            return Create(self._first + place)
        ended = pod.status.phase in ("Failed", "Succeeded") and not pod.metadata.deletion_timestamp
        return Delete.of(pod) if ended else None

    def shrink(self) -> list[Delete]:
        """Delete the pods that are too many, the last first."""
        return [Delete.of(pod) for pod in self.condemned if not pod.metadata.deletion_timestamp]

    def may_shrink(self) -> bool:
        """Whether the last pod may go in an ordered set: it is well, or the only one that is not."""
        unwell = [pod for pod in self.condemned if not self.is_well(pod)]
        last = self.condemned[0]
        return not last.metadata.deletion_timestamp and (not unwell or unwell == [last])


def _outdated(owner: StatefulSet, view: _View, update: str) -> list[Delete]:
    """The pods to delete so that they come back at the present revision, from the last down to the partition.

    It stops where as many are away or unwell as may be at a time; one that is old counts as such, so that a
    broken revision is left behind as soon as there is another.
    """
    strategy = owner.spec.update_strategy
    if strategy and strategy.type == "OnDelete":
        return []
    rolling = strategy.rolling_update if strategy else None
    first = (rolling.partition if rolling else 0) or 0
    limit = (rolling.max_unavailable if rolling else 1) or 1
    most = max(1, scaled(limit, len(view.replicas), round_up=False))
    found: list[Delete] = []
    away = 0
    for pod in reversed(view.replicas[first:]):
        if away >= most:
            break
        old = pod is not None and pod.metadata.labels.get(REVISION) != update
        if pod is not None and old and not pod.metadata.deletion_timestamp:
            found.append(Delete.of(pod))
            away += 1
        elif not view.is_well(pod):
            away += 1
    return found
