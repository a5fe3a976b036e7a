"""What the controllers of sets do to pods, and tell about it in the words of kube-controller-manager."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from windlass.client import DeleteOptions
from windlass.errors import ApiError, WindlassError
from windlass.kinds.core.v1 import Pod

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable, Sequence

    from windlass.reconcile import Context

_TERMINATING: Final = "NamespaceTerminating"


async def create_pods(pods: Sequence[Pod], ctx: Context) -> tuple[Sequence[Pod], WindlassError | None]:
    """Create pods: one, then two, four, eight, so that what refuses them all is not asked for each.

    Returns those that there are now, and why another could not be created; later ones were not tried.
    """
    made: list[Pod] = []

    async def create(pod: Pod) -> None:
        created = await create_pod(pod, ctx)
        if created is not None:
            made.append(created)

    begin, batch = 0, 1
    while begin < len(pods):
        failure = await first_failure(create(pod) for pod in pods[begin : begin + batch])
        if failure is not None:
            return made, failure
        begin, batch = begin + batch, 2 * batch
    return made, None


async def create_pod(pod: Pod, ctx: Context) -> Pod | None:
    """Create a pod of our object; None in a namespace that ends, where nobody can: the set goes with it."""
    try:
        made = await ctx.create(pod)
    except ApiError as error:
        if is_terminating(error):
            return None
        ctx.event("FailedCreate", f"Error creating: {error.answer.message}", warning=True)
        raise
    ctx.event("SuccessfulCreate", f"Created pod: {made.metadata.name}")
    return made


async def delete_pod(name: str, uid: str, ctx: Context) -> None:
    """Delete this pod of our object, and no later one of its name."""
    try:
        await ctx.delete(Pod, name, options=DeleteOptions(uid=uid))
    except ApiError as error:
        ctx.event("FailedDelete", f"Error deleting: {error.answer.message}", warning=True)
        raise
    ctx.event("SuccessfulDelete", f"Deleted pod: {name}")


def is_terminating(error: ApiError) -> bool:
    """Whether a server refused to create something because its namespace is about to go."""
    return any(cause.get("reason") == _TERMINATING for cause in error.answer.causes)


async def first_failure(attempts: Iterable[Coroutine[Any, Any, None]]) -> WindlassError | None:
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
