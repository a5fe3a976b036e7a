from __future__ import annotations

from email.utils import format_datetime
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.client import DeleteOptions
from windlass.cluster.controller.cron_job.desired import (
    job_of,
    name_of,
    reference_to,
    review,
    status_of,
    too_old,
)
from windlass.cluster.controller.cron_job.schedule import due, moments_of, next_look, zone_of
from windlass.errors import AlreadyExists, ApiError, NotFound
from windlass.kinds.batch.v1 import CronJob, Job
from windlass.reconcile import Reconciler, Result

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from windlass.cluster.controller.cron_job.schedule import Moments
    from windlass.kinds.batch.v1.cron_job import CronJobStatus
    from windlass.kinds.core.v1.object_reference import ObjectReference
    from windlass.reconcile import Context

_TOO_MANY: Final = (
    "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew"
)
_MORE: Final = ", see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details"
_NEVER: Final = "time difference between two schedules is less than 1 second"
_ACTIVE: Final = "Not starting job because prior execution is running and concurrency policy is Forbid"


class CronJobController(Reconciler[CronJob]):
    """Creates a Job at each moment of a schedule, and removes those that ended long ago."""

    reporter = "cronjob-controller"
    owns = (Job,)

    @override
    async def reconcile(self, cron_job: CronJob, ctx: Context) -> Result[CronJobStatus]:
        jobs = await _without_old(cron_job, await ctx.owned(Job), ctx)
        cron_job.status = await _reviewed(cron_job, jobs, ctx)
        moments = _moments(cron_job, ctx)
        if moments is None:
            return Result.ready(cron_job.status)
        moment = _moment_to_serve(cron_job, moments, ctx)
        if moment is not None and not _is_forbidden(cron_job, ctx):
            await _replace(cron_job, ctx)
            await _serve(cron_job, moment, ctx)
        return Result.ready(cron_job.status, again=next_look(cron_job, moments, ctx.now))


async def _without_old(cron_job: CronJob, jobs: Sequence[Job], ctx: Context) -> Sequence[Job]:
    """Remove finished Jobs beyond those that are to be kept; the others are left."""
    old = too_old(cron_job, jobs)
    for each in old:
        await _delete(cron_job, each.metadata.name, each.metadata.uid, ctx)
    gone = {each.metadata.uid for each in old}
    return [each for each in jobs if each.metadata.uid not in gone]


async def _reviewed(cron_job: CronJob, jobs: Sequence[Job], ctx: Context) -> CronJobStatus:
    """The status by what the Jobs say, and by what the server says of those that are not to be seen."""
    found = review(cron_job, jobs)
    for name, outcome in found.completed:
        ctx.event("SawCompletedJob", f"Saw completed job: {name}, condition: {outcome}")
    for name in found.unexpected:
        message = f"Saw a job that the controller did not create or forgot: {name}"
        ctx.event("UnexpectedJob", message, warning=True)
    gone = {each.uid for each in found.missing if await _is_gone(each, ctx)}
    active = [each for each in found.status.active if each.uid not in gone]
    return status_of(active, found.status.last_schedule_time, found.status.last_successful_time)


async def _is_gone(active: ObjectReference, ctx: Context) -> bool:
    try:
        found = await ctx.live.get(Job, active.name or "", active.namespace or "")
    except NotFound:
        found = None
    if found is not None and found.metadata.uid == active.uid:
        return False
    ctx.event("MissingJob", f"Active job went missing: {active.name}")
    return True


def _moments(cron_job: CronJob, ctx: Context) -> Moments | None:
    """The schedule, unless there is none to follow: nothing happens then before the CronJob changes."""
    try:
        zone_of(cron_job)
    except ValueError as error:
        message = f'invalid timeZone: "{cron_job.spec.time_zone}": {error}'
        ctx.event("UnknownTimeZone", message, warning=True)
        return None
    if cron_job.spec.suspend:
        return None
    if "TZ" in cron_job.spec.schedule:
        message = (
            f'CRON_TZ or TZ used in schedule "{cron_job.spec.schedule}" is not officially supported{_MORE}'
        )
        ctx.event("UnsupportedSchedule", message, warning=True)
    try:
        return moments_of(cron_job)
    except ValueError:  # the server has read it, so that it can only be one that never happens
        message = f"invalid schedule: {cron_job.spec.schedule} : {_NEVER}"
        ctx.event("InvalidSchedule", message, warning=True)
        return None


def _moment_to_serve(cron_job: CronJob, moments: Moments, ctx: Context) -> datetime | None:
    """The moment that wants a Job now, and has none."""
    found = due(cron_job, moments, ctx.now)
    if found.moment is None:
        return None
    if found.has_missed_many:
        ctx.event("TooManyMissedTimes", _TOO_MANY, warning=True)
    if found.is_late:
        message = f"Missed scheduled time to start a job: {format_datetime(found.moment)}"
        ctx.event("MissSchedule", message, warning=True)
        return None
    name = name_of(cron_job, found.moment)
    is_known = any(each.name == name for each in cron_job.status.active)
    return None if is_known or cron_job.status.last_schedule_time == found.moment else found.moment


def _is_forbidden(cron_job: CronJob, ctx: Context) -> bool:
    if cron_job.spec.concurrency_policy != "Forbid" or not cron_job.status.active:
        return False
    ctx.event("JobAlreadyActive", _ACTIVE)
    return True


async def _replace(cron_job: CronJob, ctx: Context) -> None:
    """Remove the Jobs that are at work, where only the newest may be."""
    if cron_job.spec.concurrency_policy == "Replace":
        for each in cron_job.status.active:
            await _delete(cron_job, each.name or "", each.uid or "", ctx)


async def _serve(cron_job: CronJob, moment: datetime, ctx: Context) -> None:
    """Create the Job of a moment; one that is there already was created before a crash."""
    wanted = job_of(cron_job, moment, zone_of(cron_job))
    try:
        job = await ctx.create(wanted)
    except AlreadyExists:
        job = await ctx.live.get(Job, wanted.metadata.name, cron_job.metadata.namespace)
        if not any(each.uid == cron_job.metadata.uid for each in job.metadata.owner_references):
            return  # somebody else's
    except ApiError as error:
        ctx.event("FailedCreate", f"Error creating job: {error}", warning=True)
        raise
    else:
        ctx.event("SuccessfulCreate", f"Created job {job.metadata.name}")
    active = [*cron_job.status.active, reference_to(job)]
    cron_job.status = status_of(active, moment, cron_job.status.last_successful_time)


async def _delete(cron_job: CronJob, name: str, uid: str, ctx: Context) -> None:
    """Delete this very Job, and its pods."""
    await ctx.delete(Job, name, options=DeleteOptions(uid=uid))
    ctx.event("SuccessfulDelete", f"Deleted job {name}")
    status = cron_job.status
    left = [each for each in status.active if each.uid != uid]
    cron_job.status = status_of(left, status.last_schedule_time, status.last_successful_time)
