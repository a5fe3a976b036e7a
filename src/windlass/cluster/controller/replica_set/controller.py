from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.cluster.controller.claim import by_controller, controller_of, is_orphan
from windlass.cluster.controller.members import PODS, members
from windlass.cluster.controller.pod_state import PodState, counts_otherwise, is_active
from windlass.cluster.controller.pods import create_pods, delete_pod, first_failure
from windlass.cluster.controller.replica_set.desired import doomed, pod_of
from windlass.cluster.controller.replica_set.status import next_look, status_of
from windlass.errors import ApiError, WindlassError
from windlass.kinds.apps.v1 import ReplicaSet, ReplicaSetStatus
from windlass.kinds.core.v1 import Pod
from windlass.reconcile import Context, Digest, Owns, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Selector

_SETS: Final = by_controller(ReplicaSet)
_STATES: Final = Digest(Pod, PodState.of)
_BURST: Final = 500
"""How many pods are created or deleted in one run, so that one large set does not make all others wait."""
_AT_ONCE: Final = timedelta(milliseconds=1)


class ReplicaSetController(Reconciler[ReplicaSet]):
    """Creates and deletes pods until there are as many as a ReplicaSet wants, and counts them."""

    reporter = "replicaset-controller"
    owns = (Owns(Pod, when=counts_otherwise),)
    reads = (Watch(Pod, selects=lambda replica_set: replica_set.spec.selector, when=is_orphan),)
    indexes = (PODS, _SETS)

    @override
    async def reconcile(self, resource: ReplicaSet, ctx: Context) -> Result[ReplicaSetStatus]:
        selector = resource.spec.selector.selector()
        pods = await members(ctx, resource, selector, _STATES, is_active)
        surplus = sum(pod.is_active for pod in pods) - (resource.spec.replicas or 0)
        failure: WindlassError | None = None
        if surplus < 0:
            failure = await _grow(resource, min(-surplus, _BURST), ctx)
        elif surplus > 0:
            failure = await _shrink(resource, selector, min(surplus, _BURST), ctx)
        if surplus:
            pods = await members(ctx, resource, selector, _STATES, is_active)
        if failure is not None:
            return Result.failed(failure, _status_of_failure(resource, pods, surplus, failure, ctx))
        again = _AT_ONCE if abs(surplus) > _BURST else next_look(resource, pods, ctx.now)
        return Result.ready(status_of(resource, pods, ctx.now), again=again)


def _status_of_failure(
    resource: ReplicaSet, pods: Sequence[PodState], surplus: int, failure: WindlassError, ctx: Context
) -> ReplicaSetStatus | None:
    """The status that tells what the server refused; where nobody answered, the last one stays."""
    if not isinstance(failure, ApiError):
        return None
    reason = "FailedCreate" if surplus < 0 else "FailedDelete"
    return status_of(resource, pods, ctx.now, (reason, failure.answer.message))


async def _grow(resource: ReplicaSet, count: int, ctx: Context) -> WindlassError | None:
    """Create pods of the template."""
    template = resource.spec.template
    if template is None:
        return None
    _, failure = await create_pods([pod_of(resource.metadata.name, template)] * count, ctx)
    return failure


async def _shrink(resource: ReplicaSet, selector: Selector, count: int, ctx: Context) -> WindlassError | None:
    """Delete the pods that will be missed least."""
    owned = await ctx.owned(Pod)
    pods = [pod for pod in owned if is_active(pod) and selector.matches(pod.metadata.labels)]
    related = await _related(resource, ctx) if count < len(pods) else ()
    going = doomed(pods, related, count, ctx.now)
    return await first_failure(delete_pod(pod.metadata.name, pod.metadata.uid, ctx) for pod in going)


async def _related(resource: ReplicaSet, ctx: Context) -> Sequence[Pod]:
    """The pods of all sets that have the same owner; a set without an owner has none to be compared with."""
    owner = controller_of(resource)
    sets = await ctx.list(ReplicaSet, index=_SETS, value=owner.uid) if owner else ()
    found: list[Pod] = []
    for each in sets:
        found += await ctx.list(Pod, index=PODS, value=each.metadata.uid)
    return found
