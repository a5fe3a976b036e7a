from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.client import MergePatch
from windlass.cluster.controller.claim import by_controller, claimed, controller_of, is_orphan
from windlass.cluster.controller.deployment.desired import (
    annotations_of_new,
    new_replica_set,
    size_annotations,
)
from windlass.cluster.controller.deployment.resize import next_resizes, wants_new
from windlass.cluster.controller.deployment.rollout import REVISION, Rollout
from windlass.cluster.controller.deployment.status import (
    expendable,
    failed_creation,
    is_complete,
    next_look,
    status_of,
)
from windlass.errors import AlreadyExists, ApiError, Conflict
from windlass.kinds.apps.v1 import Deployment, DeploymentStatus, ReplicaSet
from windlass.reconcile import Context, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.cluster.controller.deployment.resize import Resize

_SETS: Final = by_controller(ReplicaSet)


class DeploymentController(Reconciler[Deployment]):
    """Rolls out a pod template: each has a ReplicaSet, and the new one grows as the old ones shrink."""

    reporter = "deployment-controller"
    owns = (ReplicaSet,)
    reads = (Watch(ReplicaSet, selects=lambda deployment: deployment.spec.selector, when=is_orphan),)
    indexes = (_SETS,)

    @override
    async def reconcile(self, resource: Deployment, ctx: Context) -> Result[DeploymentStatus]:
        selector = resource.spec.selector.selector()
        known = {each.metadata.name: each for each in await claimed(ctx, resource, _SETS, selector)}
        sets = dict(known)
        while changed := await _step(Rollout.of(resource, sets.values()), ctx):
            sets |= {each.metadata.name: each for each in changed}
        rollout = Rollout.of(resource, sets.values())
        created = rollout.new is not None and rollout.new.metadata.name not in known
        status = status_of(rollout, ctx.now, created=created)
        await _tell_revision(rollout, ctx)
        if rollout.is_paused or is_complete(resource, status):
            for each in expendable(rollout):
                await ctx.delete(ReplicaSet, each.metadata.name)
        return Result.ready(status, again=next_look(rollout, status, ctx.now))


async def _step(rollout: Rollout, ctx: Context) -> Sequence[ReplicaSet]:
    """Do what is to be done next; returns the sets that it changed, as they are now, and none at the end."""
    if wants_new(rollout):
        return [await _create(rollout, ctx)]
    told = await _tell_new(rollout, ctx)
    if told is not None:
        return [told]
    return [await _resize(rollout, each, ctx) for each in next_resizes(rollout)]


async def _create(rollout: Rollout, ctx: Context) -> ReplicaSet:
    desired = new_replica_set(rollout)
    name, replicas = desired.metadata.name, desired.spec.replicas
    try:
        made = await ctx.create(desired)
    except AlreadyExists:
        made = await ctx.live.get(ReplicaSet, name, rollout.deployment.metadata.namespace)
        if not _is_of(rollout.deployment, made):
            await _count_collision(rollout.deployment, ctx)
            raise
    except ApiError as error:
        message = f'Failed to create new replica set "{name}": {error.answer.message}'
        with suppress(Conflict):  # the refusal matters more, and is seen again in the next run
            await ctx.checkpoint(failed_creation(rollout.deployment, message, ctx.now))
        ctx.event("ReplicaSetCreateError", message, warning=True)
        raise
    if replicas:
        ctx.event("ScalingReplicaSet", f"Scaled up replica set {name} from 0 to {replicas}")
    return made


def _is_of(deployment: Deployment, made: ReplicaSet) -> bool:
    """Whether a set is one that an earlier run made, whose answer was lost and of which no watch has told."""
    owner = controller_of(made)
    is_ours = owner is not None and owner.uid == deployment.metadata.uid
    return is_ours and Rollout.of(deployment, [made]).new is not None


async def _count_collision(deployment: Deployment, ctx: Context) -> None:
    """Have the next attempt use another hash: another template has this one, or the set is not ours."""
    counted = deployment.status.collision_count + 1
    await ctx.checkpoint(deployment.status.model_copy(update={"collision_count": counted}))


async def _tell_new(rollout: Rollout, ctx: Context) -> ReplicaSet | None:
    """Write on the new set what belongs there; None where it is there."""
    new = rollout.new
    if new is None:
        return None
    wanted = annotations_of_new(rollout, new.metadata.annotations)
    seconds = rollout.deployment.spec.min_ready_seconds or 0
    if wanted == new.metadata.annotations and (new.spec.min_ready_seconds or 0) == seconds:
        return None
    patch = MergePatch({"metadata": {"annotations": wanted}, "spec": {"minReadySeconds": seconds}})
    return await ctx.patch(ReplicaSet, new.metadata.name, patch)


async def _resize(rollout: Rollout, resize: Resize, ctx: Context) -> ReplicaSet:
    metadata = {"annotations": size_annotations(rollout)}
    patch = MergePatch({"metadata": metadata, "spec": {"replicas": resize.after}})
    resized = await ctx.patch(ReplicaSet, resize.name, patch)
    if resize.before != resize.after:
        direction = "up" if resize.before < resize.after else "down"
        scaled = f"Scaled {direction} replica set {resize.name} from {resize.before} to {resize.after}"
        ctx.event("ScalingReplicaSet", scaled)
    return resized


async def _tell_revision(rollout: Rollout, ctx: Context) -> None:
    """Let the Deployment have the revision of its new set; by its status, so that its generation stays."""
    revision = rollout.new.metadata.annotations.get(REVISION) if rollout.new else None
    if revision and rollout.deployment.metadata.annotations.get(REVISION) != revision:
        patch = MergePatch({"metadata": {"annotations": {REVISION: revision}}})
        await ctx.patch(Deployment, rollout.deployment.metadata.name, patch, subresource="status")
