"""Whose pods are a Job's: orphans that match its selector are adopted, and what matches no more is let go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.api import Key
from windlass.client import StrategicPatch
from windlass.cluster.controller.job.pod import TRACKING
from windlass.errors import NotFound
from windlass.kinds.batch.v1 import Job
from windlass.kinds.core.v1 import Pod
from windlass.reconcile import Index

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.api import Resource
    from windlass.api.metadata import OwnerReference
    from windlass.reconcile import Context

_NAME: Final = "batch.kubernetes.io/job-name"


def controller_of(resource: Resource) -> OwnerReference | None:
    """The object that an object belongs to."""
    return next((each for each in resource.metadata.owner_references if each.controller), None)


def claimants(pod: Pod) -> Iterable[Key]:
    """The Job that an orphan may belong to, by the label that pods of Jobs have."""
    name = pod.metadata.labels.get(_NAME)
    if name and controller_of(pod) is None:
        yield Key(pod.metadata.namespace, name)


def _orphanage(pod: Pod) -> str | None:
    return pod.metadata.namespace if controller_of(pod) is None else None


ORPHANS: Final = Index(Pod, _orphanage)
"""Pods that belong to nobody, by namespace."""


async def claimed(job: Job, ctx: Context) -> Sequence[Pod]:
    """The pods of a Job, after it has adopted and let go what it should."""
    selector = job.spec.selector
    if selector is None:
        return ()
    mine: list[Pod] = []
    for pod in await ctx.owned(Pod):
        if selector.matches(pod.metadata.labels):
            mine.append(pod)
        else:
            await _let_go(job, pod, ctx)
    namespace = job.metadata.namespace
    orphans = await ctx.list(Pod, namespace, labels=selector.selector(), index=ORPHANS, value=namespace)
    wanted = [pod for pod in orphans if pod.metadata.deletion_timestamp is None]
    if wanted and await _is_still_there(job, ctx):
        mine += [await _adopt(job, pod, ctx) for pod in wanted]
    return mine


async def release(pod: Pod, ctx: Context) -> None:
    """Take the finalizer off a pod, which is counted; one that is gone already is no fault."""
    try:
        await ctx.patch(Pod, pod.metadata.name, _without_finalizer(pod), pod.metadata.namespace)
    except NotFound:
        ctx.log.debug("%s is gone already", pod.metadata.name)


async def _is_still_there(job: Job, ctx: Context) -> bool:
    """Ask the server before a pod is given to a Job that may be gone by now."""
    try:
        live = await ctx.live.get(Job, job.metadata.name, job.metadata.namespace)
    except NotFound:
        return False
    return live.metadata.uid == job.metadata.uid and live.metadata.deletion_timestamp is None


async def _adopt(job: Job, pod: Pod, ctx: Context) -> Pod:
    owner = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "name": job.metadata.name,
        "uid": job.metadata.uid,
        "controller": True,
        "blockOwnerDeletion": True,
    }
    metadata = {"uid": pod.metadata.uid, "ownerReferences": [owner], "finalizers": [TRACKING]}
    return await ctx.patch(Pod, pod.metadata.name, StrategicPatch({"metadata": metadata}))


async def _let_go(job: Job, pod: Pod, ctx: Context) -> None:
    patch = _without_finalizer(pod)
    patch.content["metadata"]["ownerReferences"] = [{"$patch": "delete", "uid": job.metadata.uid}]
    try:
        await ctx.patch(Pod, pod.metadata.name, patch)
    except NotFound:
        ctx.log.debug("%s is gone already", pod.metadata.name)


def _without_finalizer(pod: Pod) -> StrategicPatch:
    removal = {"$deleteFromPrimitiveList/finalizers": [TRACKING]}
    return StrategicPatch({"metadata": {"uid": pod.metadata.uid, **removal}})
