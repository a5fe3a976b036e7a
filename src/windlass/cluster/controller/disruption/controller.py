from __future__ import annotations

from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.cluster.controller.disruption.scale import wanted_by_owners
from windlass.cluster.controller.disruption.status import (
    Member,
    failed_status,
    needs_scale,
    next_look,
    overdue,
    status_of,
)
from windlass.cluster.controller.label import BY_LABEL, places
from windlass.cluster.controller.pod_state import counts_otherwise
from windlass.errors import ApiError, Conflict, Terminal
from windlass.kinds.apps.v1 import Deployment, ReplicaSet, StatefulSet
from windlass.kinds.core.v1 import Pod, ReplicationController
from windlass.kinds.policy.v1 import PodDisruptionBudget, PodDisruptionBudgetStatus
from windlass.reconcile import Context, Digest, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.client import Client

_UNMANAGED: Final = (
    "Pods selected by this PodDisruptionBudget (selector: {selector}) were found to be unmanaged. As a "
    "result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. "
    'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.'
)


_MEMBERS: Final = Digest(Pod, Member.of)


class DisruptionController(Reconciler[PodDisruptionBudget]):
    """Counts the pods of a budget, so that the server knows whether it may evict one.

    The server writes down in the status of a budget whom it has let go. The status is therefore written on
    top of the one that was seen, and no other.
    """

    name = "disruption"
    reporter = "controllermanager"
    reads = (
        Watch(Pod, selects=lambda budget: budget.spec.selector, when=counts_otherwise),
        Watch(Deployment),
        Watch(ReplicaSet),
        Watch(StatefulSet),
        Watch(ReplicationController),
    )
    indexes = (BY_LABEL,)

    def __init__(self, client: Client) -> None:
        self._client = client

    @override
    async def reconcile(
        self, resource: PodDisruptionBudget, ctx: Context
    ) -> Result[PodDisruptionBudgetStatus]:
        try:
            status = await self._status(resource, ctx)
        except Conflict:
            raise
        except (ApiError, Terminal) as error:
            ctx.event(
                "CalculateExpectedPodCountFailed",
                f"Failed to calculate the number of expected pods: {error}",
                warning=True,
            )
            return Result.failed(error, failed_status(resource, str(error), ctx.now))
        return Result.ready(status, again=next_look(status, ctx.now))

    async def _status(self, budget: PodDisruptionBudget, ctx: Context) -> PodDisruptionBudgetStatus:
        pods = await _selected(budget, ctx)
        if not pods:
            ctx.event("NoPods", "No matching pods found")
        expected = len(pods)
        if needs_scale(budget.spec):
            expected = await wanted_by_owners(pods, self._client, ctx)
            _tell_unmanaged(budget, pods, ctx)
        for name in overdue(budget, pods, ctx.now):
            late = f"Pod was expected by PDB {ctx.key} to be deleted but it wasn't"
            ctx.event("NotDeleted", late, warning=True, about=await ctx.get(Pod, name))
        return status_of(budget, pods, expected, ctx.now)


async def _selected(budget: PodDisruptionBudget, ctx: Context) -> Sequence[Member]:
    """The pods of a budget, found by the labels that it demands."""
    if budget.spec.selector is None:
        return ()
    selector = budget.spec.selector.selector()
    where = places(budget.metadata.namespace, budget.spec.selector.match_labels)
    found = await ctx.digests(_MEMBERS, index=BY_LABEL, value=where)
    return [pod for pod in found.values() if selector.matches(pod.labels)]


def _tell_unmanaged(budget: PodDisruptionBudget, pods: Sequence[Member], ctx: Context) -> None:
    if any(pod.owner is None for pod in pods):
        selector = budget.spec.selector.selector() if budget.spec.selector else ""
        ctx.event("UnmanagedPods", _UNMANAGED.format(selector=selector), warning=True)
