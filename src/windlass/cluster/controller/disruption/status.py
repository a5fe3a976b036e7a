"""What a budget reports: how many pods there should be, how many serve, and how many may go."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from windlass.api import Condition, scaled, set_condition
from windlass.cluster.controller.claim import controller_of
from windlass.cluster.controller.pod_state import is_ready
from windlass.kinds.policy.v1 import PodDisruptionBudgetStatus

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from windlass.api import OwnerReference
    from windlass.kinds.core.v1 import Pod
    from windlass.kinds.policy.v1 import PodDisruptionBudget, PodDisruptionBudgetSpec

DISRUPTION_ALLOWED: Final = "DisruptionAllowed"
DELETION_TIMEOUT: Final = timedelta(minutes=2)
"""How long a pod whose eviction was allowed is taken for as good as gone."""


class Member(NamedTuple):
    """What a budget has to know of a pod."""

    name: str
    labels: Mapping[str, str]
    is_ready: bool
    is_going: bool
    owner: OwnerReference | None

    @classmethod
    def of(cls, pod: Pod) -> Self:
        """A pod, as a budget sees it."""
        metadata = pod.metadata
        going = metadata.deletion_timestamp is not None
        return cls(metadata.name, metadata.labels, is_ready(pod), going, controller_of(pod))


def needs_scale(spec: PodDisruptionBudgetSpec) -> bool:
    """Whether a budget is a share of the pods that their owners want, not a number of its own."""
    return spec.max_unavailable is not None or isinstance(spec.min_available, str)


def status_of(
    budget: PodDisruptionBudget, pods: Sequence[Member], expected: int, now: datetime
) -> PodDisruptionBudgetStatus:
    """The status of a budget over these pods, of which there should be `expected`."""
    leaving = still_leaving(budget, pods, now)
    healthy = sum(pod.is_ready and not pod.is_going and pod.name not in leaving for pod in pods)
    desired = _desired_healthy(budget.spec, expected)
    allowed = max(healthy - desired, 0) if expected > 0 else 0
    status = PodDisruptionBudgetStatus(
        current_healthy=healthy,
        desired_healthy=desired,
        expected_pods=expected,
        disruptions_allowed=allowed,
        observed_generation=budget.metadata.generation,
    )
    if leaving:
        status.disrupted_pods = dict(leaving)
    said = Condition(
        type=DISRUPTION_ALLOWED,
        status="True" if allowed else "False",
        reason="SufficientPods" if allowed else "InsufficientPods",
        observed_generation=budget.metadata.generation or None,
    )
    status.conditions = _conditions(budget, said, now)
    return status


def failed_status(budget: PodDisruptionBudget, message: str, now: datetime) -> PodDisruptionBudgetStatus:
    """The status of a budget of which nothing can be said: until then, nothing may go."""
    said = Condition(
        type=DISRUPTION_ALLOWED,
        status="False",
        reason="SyncFailed",
        message=message,
        observed_generation=budget.status.observed_generation or None,
    )
    told = {"disruptions_allowed": 0, "conditions": _conditions(budget, said, now)}
    return budget.status.model_copy(update=told)


def still_leaving(
    budget: PodDisruptionBudget, pods: Sequence[Member], now: datetime
) -> Mapping[str, datetime]:
    """The pods whose eviction was allowed, and that are yet to be deleted."""
    there = {pod.name for pod in pods if not pod.is_going}
    allowed = budget.status.disrupted_pods
    return {name: at for name, at in allowed.items() if name in there and now <= at + DELETION_TIMEOUT}


def overdue(budget: PodDisruptionBudget, pods: Sequence[Member], now: datetime) -> Sequence[str]:
    """The names of pods that were to be deleted, and were not."""
    late = {name for name, at in budget.status.disrupted_pods.items() if now > at + DELETION_TIMEOUT}
    return [pod.name for pod in pods if pod.name in late and not pod.is_going]


def next_look(status: PodDisruptionBudgetStatus, now: datetime) -> timedelta | None:
    """When the next pod is no longer taken for as good as gone."""
    ends = [at + DELETION_TIMEOUT - now for at in status.disrupted_pods.values()]
    return max(min(ends), timedelta()) + timedelta(seconds=1) if ends else None


def _desired_healthy(spec: PodDisruptionBudgetSpec, expected: int) -> int:
    if spec.max_unavailable is not None:
        return max(expected - scaled(spec.max_unavailable, expected, round_up=True), 0)
    return scaled(spec.min_available or 0, expected, round_up=True)


def _conditions(budget: PodDisruptionBudget, said: Condition, now: datetime) -> list[Condition]:
    conditions = list(budget.status.conditions)
    set_condition(conditions, said, now)
    return conditions
