"""What to do next for the pods of a DaemonSet: a pure function of what is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from windlass.api import scaled
from windlass.cluster.controller.daemon_set.desired import GENERATION, REVISION, generation_of
from windlass.cluster.controller.pod_state import is_available, is_ready
from windlass.cluster.controller.stepwise import Delete

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime

    from windlass.cluster.controller.daemon_set.eligible import Place
    from windlass.kinds.apps.v1 import DaemonSet
    from windlass.kinds.core.v1 import Pod

_ENDED = ("Failed", "Succeeded")


class Create(NamedTuple):
    """Make a pod for this node."""

    node: str


Step = Create | Delete


class Rules(NamedTuple):
    """By what a set's pods are judged: the revision that they should have, and the time."""

    owner: DaemonSet
    revision: str
    now: datetime

    def is_available(self, pod: Pod) -> bool:
        """Whether a pod has been ready for long enough."""
        return is_available(pod, self.owner.spec.min_ready_seconds, self.now)

    def is_updated(self, pod: Pod) -> bool:
        """Whether a pod was made of the present template."""
        labels, generation = pod.metadata.labels, generation_of(self.owner)
        return labels.get(REVISION) == self.revision or (
            bool(generation) and labels.get(GENERATION) == generation
        )

    def limits(self, places: Iterable[Place]) -> tuple[int, int]:
        """How many pods there may be besides the wanted ones, and how many may be away."""
        strategy = self.owner.spec.update_strategy
        rolling = strategy.rolling_update if strategy and strategy.type == "RollingUpdate" else None
        wanted = sum(place.wants for place in places)
        surge = scaled((rolling.max_surge if rolling else 0) or 0, wanted, round_up=True)
        away = scaled((rolling.max_unavailable if rolling else 0) or 0, wanted, round_up=True)
        return surge, away if away or surge else 1


def placing(places: Sequence[Place], rules: Rules, resting: Collection[str]) -> list[Step]:
    """Put one pod on each node that wants one, and take away those that are not wanted.

    A pod that failed is replaced, unless its node is `resting` after other failures.
    """
    surge, _ = rules.limits(places)
    found: list[Step] = []
    for place in places:
        if place.wants and not place.pods:
            found.append(Create(place.name))
        elif place.keeps:
            found += _kept(place, rules, resting, surges=surge > 0)
        else:
            found += [Delete.of(pod) for pod in place.pods if not pod.metadata.deletion_timestamp]
    return found


def _kept(place: Place, rules: Rules, resting: Collection[str], *, surges: bool) -> list[Step]:
    staying = [pod for pod in place.pods if not pod.metadata.deletion_timestamp]
    found: list[Step] = [
        Delete.of(pod)
        for pod in staying
        if pod.status.phase in _ENDED and not (pod.status.phase == "Failed" and place.name in resting)
    ]
    running = [pod for pod in staying if pod.status.phase not in _ENDED]
    if not surges:
        return [*found, *map(Delete.of, running[1:])]
    if not running and place.wants:
        return [*found, Create(place.name)]
    new = [pod for pod in running if rules.is_updated(pod)]
    old = [pod for pod in running if not rules.is_updated(pod)]
    found += [Delete.of(pod) for pod in (*new[1:], *old[1:])]
    if new and old and (not is_ready(old[0]) or rules.is_available(new[0])):
        found.append(Delete.of(old[0]))
    return found


def updating(places: Sequence[Place], rules: Rules) -> list[Step]:
    """Replace pods of old revisions, as many at a time as the strategy allows."""
    strategy = rules.owner.spec.update_strategy
    if strategy and strategy.type == "OnDelete":
        return []
    surge, away = rules.limits(places)
    if surge:
        return _surging(places, rules, surge)
    return [*_replacing(places, rules, away)]


def _replacing(places: Sequence[Place], rules: Rules, most: int) -> list[Delete]:
    """Old pods to delete: all that are no use anyway, and others while few enough are away."""
    unavailable = 0
    useless: list[Pod] = []
    candidates: list[Pod] = []
    for place in places:
        new, old = _split(place, rules)
        if not place.wants and not place.pods:
            continue
        if len(new) + len(old) != 1:
            unavailable += 1  # placing mends that
        elif new:
            unavailable += not rules.is_available(new[0])
        elif rules.is_available(old[0]):
            candidates.append(old[0])
        else:
            useless.append(old[0])
            unavailable += 1
    return [Delete.of(pod) for pod in (*useless, *candidates[: max(0, most - unavailable)])]


def _surging(places: Sequence[Place], rules: Rules, most: int) -> list[Step]:
    """New pods beside old ones; an old one goes when the new one is available, or has nowhere to be."""
    surged = available = 0
    found: list[Step] = []
    candidates: list[Step] = []
    unwanted: list[Step] = []
    for place in places:
        new, old = _split(place, rules)
        if len(new) > 1 or len(old) > 1:
            surged += 1  # placing mends that
            continue
        counts = next(iter((*old, *new)), None)
        available += counts is not None and rules.is_available(counts)
        if not old:
            continue
        if new and rules.is_available(new[0]):
            found.append(Delete.of(old[0]))
        elif new:
            surged += 1
        elif rules.is_available(old[0]):
            (candidates if place.wants else unwanted).append(
                Create(place.name) if place.wants else Delete.of(old[0])
            )
        else:
            found.append(Create(place.name) if place.wants else Delete.of(old[0]))
    spare = available - sum(place.wants for place in places)
    return [*found, *candidates[: max(0, most - surged)], *unwanted[: max(0, spare)]]


def _split(place: Place, rules: Rules) -> tuple[list[Pod], list[Pod]]:
    """The pods on a node that stay: those of the present revision, and the others."""
    staying = [pod for pod in place.pods if not pod.metadata.deletion_timestamp]
    new = [pod for pod in staying if rules.is_updated(pod)]
    return new, [pod for pod in staying if not rules.is_updated(pod)]
