from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.client import MergePatch
from windlass.cluster.controller.volume.asking import PODS, any_class, ask, waits_for_pod
from windlass.cluster.controller.volume.binding import (
    BIND_COMPLETED,
    BOUND_BY_CONTROLLER,
    best,
    claim_of_volume,
    claims_of_pod,
    class_of,
    is_kept_for,
    mismatch,
    reference_to,
    status_of,
    uses_claims,
)
from windlass.kinds.core.v1 import PersistentVolume, PersistentVolumeClaim, PersistentVolumeClaimStatus, Pod
from windlass.kinds.storage.v1 import StorageClass
from windlass.reconcile import Index, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Change, Json, Key
    from windlass.reconcile import Channel, Context


def _uses_claim(change: Change[Any]) -> bool:
    return any(uses_claims(state) for state in (change.old, change.new) if state)


def _claim(volume: PersistentVolume) -> Iterable[Key]:
    found = claim_of_volume(volume)
    return (found,) if found else ()


KEPT = Index(PersistentVolume, lambda volume: map(str, _claim(volume)))
FREE = Index(PersistentVolume, lambda volume: None if volume.spec.claim_ref else class_of(volume))


class ClaimController(Reconciler[PersistentVolumeClaim]):
    """Binds claims to volumes, and keeps a claim that is deleted until no pod uses it."""

    reporter = "persistentvolume-controller"
    finalizer = "kubernetes.io/pvc-protection"
    reads = (
        Watch(PersistentVolume, to=_claim),
        Watch(StorageClass, by=class_of),
        Watch(StorageClass, selects=any_class),
        Watch(Pod, to=claims_of_pod, when=_uses_claim),
    )
    indexes = (PODS, KEPT, FREE)

    def __init__(self, freed: Channel) -> None:
        self.sources = (freed,)

    @override
    async def reconcile(
        self, resource: PersistentVolumeClaim, ctx: Context
    ) -> Result[PersistentVolumeClaimStatus]:
        if BIND_COMPLETED in resource.metadata.annotations:
            return await self._look_after(resource, ctx)
        volume = await self._volume_for(resource, ctx)
        if volume is None and resource.spec.volume_name:
            return Result.waiting("VolumeMissing", "it wants one volume", status_of(resource, "Pending"))
        if volume is None:
            reason, message = await ask(resource, ctx)
            ctx.event(reason, message, warning=reason == "ProvisioningFailed")
            return Result.waiting(reason, message, status_of(resource, "Pending"))
        await _bind(resource, volume, ctx)
        return Result.ready(status_of(resource, "Bound", volume))

    @override
    async def finalize(
        self, resource: PersistentVolumeClaim, ctx: Context
    ) -> Result[PersistentVolumeClaimStatus]:
        using = [each for each in await ctx.list(Pod, index=PODS, value=str(ctx.key)) if each.spec.node_name]
        if using:
            return Result.waiting("InUse", f"pod {using[0].metadata.name} uses it")
        return Result.ready()

    async def _look_after(
        self, claim: PersistentVolumeClaim, ctx: Context
    ) -> Result[PersistentVolumeClaimStatus]:
        """Look whether a claim that was bound still is; what is lost stays lost."""
        name = claim.spec.volume_name
        volume = await ctx.get(PersistentVolume, name) if name else None
        if volume is None:
            lost = "its PersistentVolume" if name else "reference to PersistentVolume"
            ctx.event("ClaimLost", f"Bound claim has lost {lost}. Data on the volume is lost!", warning=True)
        elif volume.spec.claim_ref and volume.spec.claim_ref.uid != claim.metadata.uid:
            said = "Two claims are bound to the same volume, this one is bound incorrectly"
            ctx.event("ClaimMisbound", said, warning=True)
        else:
            await _bind(claim, volume, ctx)
            return Result.ready(status_of(claim, "Bound", volume))
        return Result.waiting("Lost", "its volume is gone", status_of(claim, "Lost"))

    async def _volume_for(self, claim: PersistentVolumeClaim, ctx: Context) -> PersistentVolume | None:
        """The volume that a claim names, that is kept for it, or that fits best."""
        if claim.spec.volume_name:
            volume = await ctx.get(PersistentVolume, claim.spec.volume_name)
            return volume if volume and _may_have(claim, volume, ctx) else None
        kept = await ctx.list(PersistentVolume, index=KEPT, value=str(ctx.key))
        for volume in kept:
            if is_kept_for(volume, claim):
                return volume
        if await waits_for_pod(claim, ctx):
            return None  # the scheduler looks at what is free, since it knows the node
        return best(await ctx.list(PersistentVolume, index=FREE, value=class_of(claim)), claim)


def _may_have(claim: PersistentVolumeClaim, volume: PersistentVolume, ctx: Context) -> bool:
    """Whether a claim can have the volume that it names; people are told why not."""
    name = volume.metadata.name
    if is_kept_for(volume, claim):
        return True
    if volume.spec.claim_ref:
        ctx.event("FailedBinding", f'volume "{name}" already bound to a different claim.', warning=True)
        return False
    why = mismatch(volume, claim)
    if why:
        ctx.event("VolumeMismatch", f'Cannot bind to requested volume "{name}": {why}', warning=True)
    return not why


async def _bind(claim: PersistentVolumeClaim, volume: PersistentVolume, ctx: Context) -> None:
    """Let a volume and a claim name each other, the volume first; another claim may have been quicker."""
    by_us = {BOUND_BY_CONTROLLER: "yes"}
    if not volume.spec.claim_ref or volume.spec.claim_ref.uid != claim.metadata.uid:
        metadata: Json = {"resourceVersion": volume.metadata.resource_version}
        if not is_kept_for(volume, claim):
            metadata["annotations"] = by_us
        patch = MergePatch({"metadata": metadata, "spec": {"claimRef": reference_to(claim)}})
        await ctx.patch(PersistentVolume, volume.metadata.name, patch)
    if BIND_COMPLETED not in claim.metadata.annotations:
        bound = {BIND_COMPLETED: "yes", **({} if claim.spec.volume_name else by_us)}
        named = {"metadata": {"annotations": bound}, "spec": {"volumeName": volume.metadata.name}}
        await ctx.patch(PersistentVolumeClaim, claim.metadata.name, MergePatch(named))
