from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.client import DeleteOptions
from windlass.errors import NotFound
from windlass.kinds.batch.v1 import Job
from windlass.reconcile import Reconciler, Result

if TYPE_CHECKING:
    from windlass.reconcile import Context


class FinishedJobController(Reconciler[Job]):
    """Deletes jobs that are over when the time has passed for which they were to stay."""

    name = "ttl-after-finished"

    @override
    async def reconcile(self, job: Job, ctx: Context) -> Result[Any]:
        due = expiry(job)
        if due is None:
            return Result.ready()
        if due > ctx.now:
            return Result.ready(again=due - ctx.now)
        try:  # somebody may have given it more time just now
            fresh = await ctx.live.get(Job, job.metadata.name, job.metadata.namespace)
        except NotFound:
            return Result.ready()
        due = expiry(fresh)
        if due is not None and due <= ctx.now:
            options = DeleteOptions(
                uid=fresh.metadata.uid,
                resource_version=fresh.metadata.resource_version,
                propagation="Foreground",
            )
            await ctx.delete(Job, fresh.metadata.name, fresh.metadata.namespace, options=options)
        return Result.ready()


def expiry(job: Job) -> datetime | None:
    """When a job is to go; None for one that is not over, is going already, or may stay for ever."""
    lasting = job.spec.ttl_seconds_after_finished
    if lasting is None or job.metadata.deletion_timestamp is not None:
        return None
    ended = (
        each.last_transition_time
        for each in job.status.conditions
        if each.type in ("Complete", "Failed") and each.status == "True"
    )
    over = next(ended, None)
    return None if over is None else over + timedelta(seconds=lasting)
