from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.cluster.controller.claim import by_controller, claimed, controller_of, is_orphan
from windlass.cluster.controller.pod_state import counts_otherwise, is_active
from windlass.cluster.controller.replica_set.desired import doomed, pod_of
from windlass.cluster.controller.replica_set.status import next_look, status_of
from windlass.errors import ApiError, Conflict
from windlass.kinds.apps.v1 import ReplicaSet, ReplicaSetStatus
from windlass.kinds.core.v1 import Pod
from windlass.reconcile import Context, Index, Owns, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

_PODS: Final = Index(Pod, by_controller)
_SETS: Final = Index(ReplicaSet, by_controller)
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
        pods = await claimed(ctx, resource, _PODS, selector, is_active)
        active = [pod for pod in pods if is_active(pod)]
        surplus = len(active) - (resource.spec.replicas or 0)
        failure: ApiError | None = None
        if surplus < 0:
            failure = await _created(resource, min(-surplus, _BURST), ctx)
        elif surplus > 0:
            failure = await _deleted(resource, active, min(surplus, _BURST), ctx)
        if surplus:
            pods = [pod for pod in await ctx.owned(Pod) if selector.matches(pod.metadata.labels)]
        if failure is not None:
            reason = "FailedCreate" if surplus < 0 else "FailedDelete"
            with suppress(Conflict):  # the failure matters more, and is seen again in the next run
                await ctx.checkpoint(status_of(resource, pods, ctx.now, (reason, failure.answer.message)))
            raise failure
        again = _AT_ONCE if abs(surplus) > _BURST else next_look(resource, pods, ctx.now)
        return Result.ready(status_of(resource, pods, ctx.now), again=again)


async def _created(resource: ReplicaSet, count: int, ctx: Context) -> ApiError | None:
    """Create pods: one, then two, four, eight, so that what refuses them all is not asked for each."""
    template = resource.spec.template
    if template is None:
        return None
    pod = pod_of(resource.metadata.name, template)

    async def create() -> ApiError | None:
        try:
            made = await ctx.create(pod)
        except ApiError as error:
            if _is_ending(error):  # nobody can help, and the set goes with its namespace
                return None
            ctx.event("FailedCreate", f"Error creating: {error.answer.message}", warning=True)
            return error
        ctx.event("SuccessfulCreate", f"Created pod: {made.metadata.name}")
        return None

    batch = 1
    while count > 0:
        failure = await _first_failure(create for _ in range(min(batch, count)))
        if failure is not None:
            return failure
        count, batch = count - batch, 2 * batch
    return None


async def _deleted(resource: ReplicaSet, pods: Sequence[Pod], count: int, ctx: Context) -> ApiError | None:
    related = await _related(resource, ctx) if count < len(pods) else ()

    def deletion(name: str) -> Callable[[], Awaitable[ApiError | None]]:
        async def delete() -> ApiError | None:
            try:
                await ctx.delete(Pod, name)
            except ApiError as error:
                ctx.event("FailedDelete", f"Error deleting: {error.answer.message}", warning=True)
                return error
            ctx.event("SuccessfulDelete", f"Deleted pod: {name}")
            return None

        return delete

    return await _first_failure(deletion(pod.metadata.name) for pod in doomed(pods, related, count, ctx.now))


async def _related(resource: ReplicaSet, ctx: Context) -> Sequence[Pod]:
    """The pods of all sets that have the same owner; a set without an owner has none to be compared with."""
    owner = controller_of(resource)
    sets = await ctx.list(ReplicaSet, index=_SETS, value=owner.uid) if owner else ()
    found: list[Pod] = []
    for each in sets:
        found += await ctx.list(Pod, index=_PODS, value=each.metadata.uid)
    return found


async def _first_failure(attempts: Iterable[Callable[[], Awaitable[ApiError | None]]]) -> ApiError | None:
    """Make all attempts at once; the first failure, if there is one."""

    async def attempted(attempt: Callable[[], Awaitable[ApiError | None]]) -> ApiError | None:
        return await attempt()

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(attempted(each)) for each in attempts]
    return next((failure for task in tasks if (failure := task.result()) is not None), None)


def _is_ending(error: ApiError) -> bool:
    return any(cause.get("reason") == "NamespaceTerminating" for cause in error.answer.causes)
