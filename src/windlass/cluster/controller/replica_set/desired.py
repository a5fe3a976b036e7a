"""What a set wants: the pod that its template describes, and which pods to part with first."""

from __future__ import annotations

import math
from collections import Counter
from datetime import timedelta
from functools import cmp_to_key
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from windlass.api import ObjectMeta
from windlass.cluster.controller.pod_state import is_active, is_ready, ready_since
from windlass.kinds.core.v1 import Pod

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from windlass.kinds.core.v1 import PodTemplateSpec

_DELETION_COST: Final = "controller.kubernetes.io/pod-deletion-cost"
_LONGEST_NAME: Final = 253
_PHASES: Final = {"Pending": 0, "Unknown": 1, "Running": 2}


def pod_of(name: str, template: PodTemplateSpec) -> Pod:
    """A pod of a set of this name."""
    said = template.metadata
    prefix = f"{name}-" if len(name) < _LONGEST_NAME else name
    metadata = ObjectMeta(
        generate_name=prefix, labels=said.labels, annotations=said.annotations, finalizers=said.finalizers
    )
    return Pod.model_construct(metadata=metadata, spec=template.spec)


def doomed(pods: Sequence[Pod], related: Sequence[Pod], count: int, now: datetime) -> Sequence[Pod]:
    """As many of these pods as are too many: those that will be missed least.

    `related` are the pods of all sets of one owner: of those that share a node, one is missed less.
    """
    if count >= len(pods):
        return pods
    crowd = Counter(pod.spec.node_name or "" for pod in related if is_active(pod))
    return sorted(pods, key=cmp_to_key(_Order(crowd, now).compare))[:count]


class _Order(NamedTuple):
    """The order in which pods are parted with."""

    crowd: Counter[str]
    now: datetime

    def compare(self, one: Pod, other: Pod) -> int:
        """Below zero where `one` goes first: the first rule by which they differ decides."""
        rules: list[Callable[[Pod], Any]] = [
            lambda pod: bool(pod.spec.node_name),
            lambda pod: _PHASES.get(pod.status.phase, 0),
            is_ready,
            _deletion_cost,
            lambda pod: -self.crowd[pod.spec.node_name or ""],
        ]
        for rule in rules:
            if (a := rule(one)) != (b := rule(other)):
                return -1 if a < b else 1
        restarts = _restarts(other), _restarts(one)
        return (
            self._younger(ready_since, one, other)
            or (restarts[0] > restarts[1]) - (restarts[0] < restarts[1])
            or self._younger(lambda pod: pod.metadata.creation_timestamp, one, other)
        )

    def _younger(self, since: Callable[[Pod], datetime | None], one: Pod, other: Pod) -> int:
        """Compare ages by their order of magnitude, so that chance spreads what is lost over ages alike."""
        a, b = since(one), since(other)
        if a == b:
            return 0
        if a is None or b is None:
            return -1 if a is None else 1
        ages = _magnitude(self.now - a), _magnitude(self.now - b)
        if ages[0] != ages[1]:
            return -1 if ages[0] < ages[1] else 1
        return -1 if one.metadata.uid < other.metadata.uid else 1


def _magnitude(age: timedelta) -> int:
    nanoseconds = age // timedelta(microseconds=1) * 1000
    return int(math.log2(nanoseconds)) if nanoseconds > 0 else -1


def _deletion_cost(pod: Pod) -> int:
    text = pod.metadata.annotations.get(_DELETION_COST, "0")
    return int(text) if text.removeprefix("-").isdecimal() else 0


def _restarts(pod: Pod) -> tuple[int, int]:
    """The most restarts of a container, and of a sidecar."""
    sidecars = {each.name for each in pod.spec.init_containers if each.restart_policy == "Always"}
    beside = [each for each in pod.status.init_container_statuses if each.name in sidecars]
    return (
        max((each.restart_count for each in pod.status.container_statuses), default=0),
        max((each.restart_count for each in beside), default=0),
    )
