from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.cluster.controller.claim import adopt, by_controller, controller_of, is_orphan, release
from windlass.cluster.controller.pod_state import PodState, counts_otherwise, is_active
from windlass.cluster.controller.replica_set.desired import doomed, pod_of
from windlass.cluster.controller.replica_set.status import next_look, status_of
from windlass.errors import ApiError, Conflict, WindlassError
from windlass.kinds.apps.v1 import ReplicaSet, ReplicaSetStatus
from windlass.kinds.core.v1 import Pod
from windlass.reconcile import Context, Digest, Index, Owns, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable, Sequence

    from windlass.api import Selector

_PODS: Final = Index(Pod, by_controller)
_SETS: Final = Index(ReplicaSet, by_controller)
_STATES: Final = Digest(Pod, PodState.of)
_BURST: Final = 500
"""How many pods are created or deleted in one run, so that one large set does not make all others wait."""
_AT_ONCE: Final = timedelta(milliseconds=1)


class ReplicaSetController(Reconciler[ReplicaSet]):
    """Creates and deletes pods until there are as many as a ReplicaSet wants, and counts them."""

    owns = (Owns(Pod, when=counts_otherwise),)
    reads = (Watch(Pod, selects=lambda replica_set: replica_set.spec.selector, when=is_orphan),)
    indexes = (_PODS, _SETS)

    @override
    async def reconcile(self, resource: ReplicaSet, ctx: Context) -> Result[ReplicaSetStatus]:
        selector = resource.spec.selector.selector()
        pods = await _claimed(resource, selector, ctx)
        surplus = sum(pod.is_active for pod in pods) - (resource.spec.replicas or 0)
        failure: WindlassError | None = None
        if surplus < 0:
            failure = await _created(resource, min(-surplus, _BURST), ctx)
        elif surplus > 0:
            failure = await _deleted(resource, selector, min(surplus, _BURST), ctx)
        if surplus:
            pods = await _members(selector, ctx)
        if isinstance(failure, ApiError):
            said = ("FailedCreate" if surplus < 0 else "FailedDelete", failure.answer.message)
            with suppress(Conflict):  # the failure matters more, and is seen again in the next run
                await ctx.checkpoint(status_of(resource, pods, ctx.now, said))
        if failure is not None:
            raise failure
        again = _AT_ONCE if abs(surplus) > _BURST else next_look(resource, pods, ctx.now)
        return Result.ready(status_of(resource, pods, ctx.now), again=again)


async def _claimed(resource: ReplicaSet, selector: Selector, ctx: Context) -> Sequence[PodState]:
    """The set's pods, after it has let go of those that it selects no more, and adopted orphans."""
    for key, state in (await ctx.digests(_STATES)).items():
        if state.is_active and not selector.matches(state.labels):
            pod = await ctx.get(Pod, key.name)
            if pod is not None:
                await release(ctx, resource, pod)
    await adopt(ctx, resource, _PODS, selector, is_active)
    return await _members(selector, ctx)


async def _members(selector: Selector, ctx: Context) -> Sequence[PodState]:
    return [state for state in (await ctx.digests(_STATES)).values() if selector.matches(state.labels)]


async def _created(resource: ReplicaSet, count: int, ctx: Context) -> WindlassError | None:
    """Create pods: one, then two, four, eight, so that what refuses them all is not asked for each."""
    template = resource.spec.template
    if template is None:
        return None
    pod = pod_of(resource.metadata.name, template)
    batch = 1
    while count > 0:
        failure = await _first_failure(_create(pod, ctx) for _ in range(min(batch, count)))
        if failure is not None:
            return failure
        count, batch = count - batch, 2 * batch
    return None


async def _create(pod: Pod, ctx: Context) -> None:
    try:
        made = await ctx.create(pod)
    except ApiError as error:
        if any(cause.get("reason") == "NamespaceTerminating" for cause in error.answer.causes):
            return  # nobody can help, and the set goes with its namespace
        ctx.event("FailedCreate", f"Error creating: {error.answer.message}", warning=True)
        raise
    ctx.event("SuccessfulCreate", f"Created pod: {made.metadata.name}")


async def _deleted(
    resource: ReplicaSet, selector: Selector, count: int, ctx: Context
) -> WindlassError | None:
    """Delete the pods that will be missed least."""
    owned = await ctx.owned(Pod)
    pods = [pod for pod in owned if is_active(pod) and selector.matches(pod.metadata.labels)]
    related = await _related(resource, ctx) if count < len(pods) else ()
    return await _first_failure(_delete(pod, ctx) for pod in doomed(pods, related, count, ctx.now))


async def _delete(pod: Pod, ctx: Context) -> None:
    try:
        await ctx.delete(Pod, pod.metadata.name)
    except ApiError as error:
        ctx.event("FailedDelete", f"Error deleting: {error.answer.message}", warning=True)
        raise
    ctx.event("SuccessfulDelete", f"Deleted pod: {pod.metadata.name}")


async def _related(resource: ReplicaSet, ctx: Context) -> Sequence[Pod]:
    """The pods of all sets that have the same owner; a set without an owner has none to be compared with."""
    owner = controller_of(resource)
    sets = await ctx.list(ReplicaSet, index=_SETS, value=owner.uid) if owner else ()
    found: list[Pod] = []
    for each in sets:
        found += await ctx.list(Pod, index=_PODS, value=each.metadata.uid)
    return found


async def _first_failure(attempts: Iterable[Coroutine[Any, Any, None]]) -> WindlassError | None:
    """Make all attempts at once, and wait for each; the first failure, if there is one."""

    async def failure_of(attempt: Coroutine[Any, Any, None]) -> WindlassError | None:
        try:
            await attempt
        except WindlassError as error:
            return error
        return None

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(failure_of(each)) for each in attempts]
    return next((failure for task in tasks if (failure := task.result()) is not None), None)
