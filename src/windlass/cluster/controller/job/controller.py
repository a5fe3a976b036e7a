from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.cluster.controller.claim import is_orphan
from windlass.cluster.controller.job.claim import claimants, release, tracked_pods
from windlass.cluster.controller.job.desired import Steps, next_steps
from windlass.cluster.controller.job.ending import completion, early_ending, time_to_deadline
from windlass.cluster.controller.job.pod import is_tracked
from windlass.cluster.controller.job.spec import is_ours
from windlass.cluster.controller.job.status import (
    Count,
    announced,
    begun,
    count,
    is_finished,
    settled,
    stated,
    suspension,
    written,
)
from windlass.cluster.controller.job.survey import Survey
from windlass.cluster.controller.members import PODS
from windlass.cluster.controller.pods import create_pods, delete_pod
from windlass.kinds.batch.v1 import Job
from windlass.kinds.core.v1 import Pod
from windlass.reconcile import Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from windlass.cluster.controller.job.ending import Ending
    from windlass.kinds.batch.v1.job import JobCondition, JobStatus
    from windlass.reconcile import Context

_SOON: Final = timedelta(milliseconds=10)


class JobController(Reconciler[Job]):
    """Runs pods until as many have succeeded as a Job wants, or too many have failed."""

    reporter = "job-controller"
    owns = (Pod,)
    reads = (Watch(Pod, to=claimants, when=is_orphan),)
    indexes = (PODS,)

    @override
    async def reconcile(self, job: Job, ctx: Context) -> Result[JobStatus]:
        if not is_ours(job) or is_finished(job.status):
            return Result.ready()
        survey = _survey(job, await tracked_pods(job, ctx), ctx.now)
        ending = early_ending(survey, ctx.now)
        steps = Steps(remove=survey.active) if ending else next_steps(survey, ctx.now)
        if ending is None:  # those that go before the end do not count; at the end, each one does
            await _release(steps.remove, ctx)
        for pod in steps.remove:
            await delete_pod(pod.metadata.name, pod.metadata.uid, ctx)
        created, failure = await create_pods(steps.create, ctx)
        if ending is None:
            survey = _after(survey, steps.remove, created)
            ending = completion(survey)
        seen = Survey(job, await ctx.owned(Pod)) if steps.remove or created else survey
        counted = count(survey, ending)
        status = await _counted(
            counted, written(survey, seen, counted, _conditions(survey, ending, ctx)), ctx
        )
        if ending and counted.is_whole:
            status = stated(status, ending, ctx.now)
            _tell_end(survey, ending, status, ctx)
        if failure:
            return Result.failed(failure, status)
        return Result.ready(status, again=_again(survey, ending, steps, counted, ctx.now))


def _survey(job: Job, pods: Sequence[Pod], now: datetime) -> Survey:
    """What a run begins with: the status says what the finalizers that are gone by now have made of it."""
    tracked = {pod.metadata.uid for pod in pods if is_tracked(pod)}
    status = settled(job.status, tracked)
    job.status = begun(status, now, suspended=bool(job.spec.suspend))
    return Survey(job, pods)


def _after(survey: Survey, removed: Sequence[Pod], created: Sequence[Pod]) -> Survey:
    gone = {pod.metadata.uid for pod in removed}
    return Survey(survey.job, [*(pod for pod in survey.pods if pod.metadata.uid not in gone), *created])


async def _release(pods: Sequence[Pod], ctx: Context) -> None:
    for pod in pods:
        await release(pod, ctx)


async def _counted(counted: Count, status: JobStatus, ctx: Context) -> JobStatus:
    """Count pods that have ended: the status says which, they are released, and only then are numbers."""
    await ctx.checkpoint(status)
    await _release(counted.release, ctx)
    return settled(status, counted.left)


def _conditions(survey: Survey, ending: Ending | None, ctx: Context) -> Sequence[JobCondition]:
    before = survey.job.status.conditions
    if ending:
        return announced(before, ending, ctx.now)
    suspended = bool(survey.job.spec.suspend)
    after = suspension(before, ctx.now, suspended=suspended)
    if after != before:
        ctx.event("Suspended" if suspended else "Resumed", f"Job {'suspended' if suspended else 'resumed'}")
    return after


def _tell_end(survey: Survey, ending: Ending, status: JobStatus, ctx: Context) -> None:
    if not is_finished(status):
        return
    if not ending.succeeds:
        ctx.event(ending.reason, ending.message, warning=True)
        return
    completions = survey.job.spec.completions
    if completions is not None and status.succeeded > completions:
        message = "Too many succeeded pods running after completion count reached"
        ctx.event("TooManySucceededPods", message, warning=True)
    ctx.event("Completed", "Job completed")


def _again(
    survey: Survey, ending: Ending | None, steps: Steps, counted: Count, now: datetime
) -> timedelta | None:
    """When there is more to do that no change tells: a back-off or a deadline ends, or pods are left over."""
    deadline = None if ending else time_to_deadline(survey, now)
    more = None if counted.is_whole else _SOON
    due = [each for each in (steps.wait, deadline, more) if each is not None]
    return max(min(due), _SOON) if due else None
