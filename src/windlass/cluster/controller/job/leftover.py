from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.api import Key
from windlass.cluster.controller.claim import controller_of
from windlass.cluster.controller.job.claim import release
from windlass.cluster.controller.job.pod import TRACKING, is_tracked
from windlass.cluster.controller.job.spec import is_ours
from windlass.cluster.controller.job.status import is_finished
from windlass.kinds.batch.v1 import Job
from windlass.kinds.core.v1 import Pod
from windlass.reconcile import Index, KeyReconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Change, Snapshot
    from windlass.reconcile import Context

_UID: Final = "batch.kubernetes.io/controller-uid"
_NOBODY: Final = "nobody"


def _is_or_was_tracked(change: Change[Any]) -> bool:
    states = (change.old, change.new)
    return any(TRACKING in (each.metadata.get("finalizers") or ()) for each in states if each)


def _is_over(job: Job) -> bool:
    return job.metadata.deletion_timestamp is not None or is_finished(job.status)


def _owner(pod: Pod) -> str | None:
    """The uid of the Job that is to count a pod."""
    if not is_tracked(pod):
        return None
    owner = controller_of(pod)
    if owner is None:
        return pod.metadata.labels.get(_UID, _NOBODY)
    return owner.uid if owner.kind == "Job" else None


def _key_of_pod(pod: Pod) -> Iterable[Key]:
    owner = _owner(pod)
    if owner:
        yield Key(pod.metadata.namespace, owner)


def _key_of_job(job: Job) -> Iterable[Key]:
    yield Key(job.metadata.namespace, job.metadata.uid)


def _owner_if_tracked(pod: Snapshot[Pod]) -> str | None:
    """The same, for an index of all pods, of which few need to be decoded."""
    return _owner(pod.shared) if TRACKING.encode() in pod.raw else None


_PODS: Final = Index(Pod, _owner_if_tracked, undecoded=True)
_JOBS: Final = Index(Job, lambda job: job.metadata.uid)


class JobLeftovers(KeyReconciler):
    """Releases the pods that no Job will count any more, because theirs is gone, going, or has ended.

    A key is the uid of a Job in its namespace: one of the same name is another one.
    """

    name = "job-leftovers"
    reads = (Watch(Pod, to=_key_of_pod, when=_is_or_was_tracked), Watch(Job, to=_key_of_job))
    indexes = (_PODS, _JOBS)

    @override
    async def reconcile(self, key: Key, ctx: Context) -> Result[Any]:
        jobs = await ctx.list(Job, key.namespace, index=_JOBS, value=key.name)
        if any(not _is_over(job) or not is_ours(job) for job in jobs):
            return Result.ready()
        for pod in await ctx.list(Pod, key.namespace, index=_PODS, value=key.name):
            await release(pod, ctx)
        return Result.ready()
