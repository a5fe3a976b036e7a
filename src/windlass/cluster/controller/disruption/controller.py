from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.cluster.controller.claim import controller_of
from windlass.cluster.controller.disruption.scale import wanted_by_owners
from windlass.cluster.controller.disruption.status import (
    failed_status,
    needs_scale,
    next_look,
    overdue,
    status_of,
)
from windlass.cluster.controller.pod_state import counts_otherwise
from windlass.errors import ApiError, Conflict, Terminal
from windlass.kinds.apps.v1 import Deployment, ReplicaSet, StatefulSet
from windlass.kinds.core.v1 import Pod, ReplicationController
from windlass.kinds.policy.v1 import PodDisruptionBudget, PodDisruptionBudgetStatus
from windlass.reconcile import Context, Index, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.client import Client

_UNMANAGED: Final = (
    "Pods selected by this PodDisruptionBudget (selector: {selector}) were found to be unmanaged. As a "
    "result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. "
    'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.'
)


def _labels(pod: Pod) -> Iterable[str]:
    return [_label(pod.metadata.namespace, *each) for each in pod.metadata.labels.items()]


def _label(namespace: str, name: str, value: str) -> str:
    return f"{namespace}:{name}={value}"


_PODS: Final = Index(Pod, _labels)


class DisruptionController(Reconciler[PodDisruptionBudget]):
    """Counts the pods of a budget, so that the server knows whether it may evict one.

    The server writes down in the status of a budget whom it has let go. The status is therefore written on
    top of the one that was seen, and no other.
    """

    name = "disruption"
    reads = (
        Watch(Pod, selects=lambda budget: budget.spec.selector, when=counts_otherwise),
        Watch(Deployment),
        Watch(ReplicaSet),
        Watch(StatefulSet),
        Watch(ReplicationController),
    )
    indexes = (_PODS,)

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
            with suppress(Conflict):  # what is wrong matters more, and is seen again in the next run
                await ctx.checkpoint(failed_status(resource, str(error), ctx.now))
            raise
        await ctx.checkpoint(status)
        return Result.ready(again=next_look(status, ctx.now))

    async def _status(self, budget: PodDisruptionBudget, ctx: Context) -> PodDisruptionBudgetStatus:
        pods = await _selected(budget, ctx)
        if not pods:
            ctx.event("NoPods", "No matching pods found")
        expected = len(pods)
        if needs_scale(budget.spec):
            expected = await wanted_by_owners(pods, self._client, ctx)
            _tell_unmanaged(budget, pods, ctx)
        for pod in overdue(budget, pods, ctx.now):
            late = f"Pod was expected by PDB {ctx.key} to be deleted but it wasn't"
            ctx.event("NotDeleted", late, warning=True, about=pod)
        return status_of(budget, pods, expected, ctx.now)


async def _selected(budget: PodDisruptionBudget, ctx: Context) -> Sequence[Pod]:
    """The pods of a budget, found by one label that it demands, where it demands one."""
    if budget.spec.selector is None:
        return ()
    namespace = budget.metadata.namespace
    selector = budget.spec.selector.selector()
    demanded = next(iter(budget.spec.selector.match_labels.items()), None)
    if demanded is None:
        return await ctx.list(Pod, namespace, labels=selector)
    value = _label(namespace, *demanded)
    return await ctx.list(Pod, namespace, labels=selector, index=_PODS, value=value)


def _tell_unmanaged(budget: PodDisruptionBudget, pods: Sequence[Pod], ctx: Context) -> None:
    if any(controller_of(pod) is None for pod in pods):
        selector = budget.spec.selector.selector() if budget.spec.selector else ""
        ctx.event("UnmanagedPods", _UNMANAGED.format(selector=selector), warning=True)
