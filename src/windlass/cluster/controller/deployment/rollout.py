"""What a Deployment and its replica sets are to each other: the new set, old ones, limits, revisions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Self

from windlass.api import scaled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Json
    from windlass.kinds.apps.v1 import Deployment, ReplicaSet
    from windlass.kinds.core.v1 import PodTemplateSpec

REVISION: Final = "deployment.kubernetes.io/revision"
REVISION_HISTORY: Final = "deployment.kubernetes.io/revision-history"
DESIRED_REPLICAS: Final = "deployment.kubernetes.io/desired-replicas"
MAX_REPLICAS: Final = "deployment.kubernetes.io/max-replicas"
TEMPLATE_HASH: Final = "pod-template-hash"
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Rollout:
    """A Deployment with its sets: `new` is the one with its template, `old` are all others, oldest first."""

    deployment: Deployment
    new: ReplicaSet | None
    old: tuple[ReplicaSet, ...]

    @classmethod
    def of(cls, deployment: Deployment, sets: Iterable[ReplicaSet]) -> Self:
        """Tell the new set from old ones; of several with the Deployment's template the oldest is new."""
        ordered = sorted(sets, key=age)
        wanted = template_of(deployment.spec.template)
        new = next((each for each in ordered if template_of(each.spec.template) == wanted), None)
        return cls(deployment, new, tuple(each for each in ordered if each is not new))

    @cached_property
    def sets(self) -> tuple[ReplicaSet, ...]:
        """All sets, the new one last."""
        return (*self.old, self.new) if self.new else self.old

    @property
    def active(self) -> tuple[ReplicaSet, ...]:
        """The sets that want pods."""
        return tuple(each for each in self.sets if size(each) > 0)

    @property
    def replicas(self) -> int:
        """How many pods are wanted."""
        return self.deployment.spec.replicas or 0

    @property
    def is_paused(self) -> bool:
        """Whether a user wants nothing to be rolled out for now."""
        return bool(self.deployment.spec.paused)

    @property
    def is_rolling(self) -> bool:
        """Whether old pods are replaced little by little, not all before the first new one."""
        strategy = self.deployment.spec.strategy
        return strategy is None or strategy.type != "Recreate"

    @property
    def is_scaling(self) -> bool:
        """Whether the number of pods that are wanted is another than the sets were last told."""
        told = [number(each, DESIRED_REPLICAS) for each in self.active]
        return any(count is not None and count != self.replicas for count in told)

    @property
    def max_surge(self) -> int:
        """How many pods there may be beyond those that are wanted."""
        return self._limits[0] if self.is_rolling else 0

    @property
    def max_unavailable(self) -> int:
        """How many of the wanted pods may be missing."""
        return min(self._limits[1], self.replicas) if self.is_rolling else 0

    @property
    def max_replicas(self) -> int:
        """How many pods there may be."""
        return self.replicas + self.max_surge

    @cached_property
    def _limits(self) -> tuple[int, int]:
        strategy = self.deployment.spec.strategy
        rolling = strategy.rolling_update if strategy else None
        surge = scaled((rolling.max_surge if rolling else None) or 0, self.replicas, round_up=True)
        missing = scaled((rolling.max_unavailable if rolling else None) or 0, self.replicas, round_up=False)
        return surge, missing if surge or missing else 1  # else nothing would ever move


def age(replica_set: ReplicaSet) -> tuple[datetime, str]:
    """What sets are ordered by, the oldest first."""
    return replica_set.metadata.creation_timestamp or _NEVER, replica_set.metadata.name


def size(replica_set: ReplicaSet) -> int:
    """How many pods a set is to have."""
    return replica_set.spec.replicas or 0


def number(replica_set: ReplicaSet, annotation: str) -> int | None:
    """A number that is written on a set; None where there is none."""
    text = replica_set.metadata.annotations.get(annotation, "")
    return int(text) if text.isdecimal() else None


def template_of(template: PodTemplateSpec | None) -> Json:
    """A template without the hash that tells sets apart."""
    said: dict[str, Any] = template.to_wire() if template else {}
    metadata = said.get("metadata") or {}
    labels = {name: value for name, value in metadata.get("labels", {}).items() if name != TEMPLATE_HASH}
    return {**said, "metadata": {**metadata, "labels": labels}}
