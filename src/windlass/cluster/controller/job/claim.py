"""Which pods are a Job's, and the finalizer that they have until they are counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.api import Key
from windlass.client import StrategicPatch
from windlass.cluster.controller.claim import claimed
from windlass.cluster.controller.job.pod import TRACKING, is_tracked
from windlass.cluster.controller.members import PODS
from windlass.cluster.controller.pod_state import is_active
from windlass.errors import NotFound
from windlass.kinds.core.v1 import Pod

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.api import Json
    from windlass.kinds.batch.v1 import Job
    from windlass.reconcile import Context

_NAME: Final = "batch.kubernetes.io/job-name"


def claimants(orphan: Pod) -> Iterable[Key]:
    """The Job that an orphan may belong to, by the label that pods of Jobs have."""
    name = orphan.metadata.labels.get(_NAME)
    if name:
        yield Key(orphan.metadata.namespace, name)


async def tracked_pods(job: Job, ctx: Context) -> Sequence[Pod]:
    """The pods of a Job; those that it has adopted are held back too until they are counted."""
    if job.spec.selector is None:
        return ()
    pods = await claimed(ctx, job, PODS, job.spec.selector.selector())
    return [await _tracked(pod, ctx) if is_active(pod) and not is_tracked(pod) else pod for pod in pods]


async def release(pod: Pod, ctx: Context) -> None:
    """Take the finalizer off a pod; one that is gone already is no fault."""
    try:
        await _patch(pod, {"$deleteFromPrimitiveList/finalizers": [TRACKING]}, ctx)
    except NotFound:
        ctx.log.debug("%s is gone already", pod.metadata.name)


async def _tracked(pod: Pod, ctx: Context) -> Pod:
    return await _patch(pod, {"finalizers": [TRACKING]}, ctx)


async def _patch(pod: Pod, metadata: Json, ctx: Context) -> Pod:
    patch = StrategicPatch({"metadata": {"uid": pod.metadata.uid, **metadata}})
    return await ctx.patch(Pod, pod.metadata.name, patch, pod.metadata.namespace)
