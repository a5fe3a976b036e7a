from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.api import Key
from windlass.client import MergePatch
from windlass.cluster.controller.volume.binding import (
    BIND_COMPLETED,
    BOUND_BY_CONTROLLER,
    PROVISIONED_BY,
    claim_of_volume,
    class_of,
)
from windlass.kinds.core.v1 import PersistentVolume, PersistentVolumeClaim, PersistentVolumeStatus
from windlass.reconcile import Index, Reconciler, Result, Watch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.reconcile import Channel, Context


def _volume(claim: PersistentVolumeClaim) -> Iterable[Key]:
    return (Key("", claim.spec.volume_name),) if claim.spec.volume_name else ()


def _class_if_unbound(claim: PersistentVolumeClaim) -> str | None:
    return None if BIND_COMPLETED in claim.metadata.annotations else class_of(claim)


UNBOUND = Index(PersistentVolumeClaim, _class_if_unbound)


class VolumeController(Reconciler[PersistentVolume]):
    """Tells whether volumes are free, bound or left, and keeps one that is deleted while it is bound."""

    reporter = "persistentvolume-controller"
    finalizer = "kubernetes.io/pv-protection"
    reads = (Watch(PersistentVolumeClaim, to=_volume),)
    indexes = (UNBOUND,)

    def __init__(self, freed: Channel) -> None:
        self._freed = freed

    @override
    async def reconcile(self, resource: PersistentVolume, ctx: Context) -> Result[PersistentVolumeStatus]:
        phase = await self._phase(resource, ctx)
        if phase == "Available":
            for claim in await ctx.list(PersistentVolumeClaim, index=UNBOUND, value=class_of(resource)):
                self._freed.send(Key(claim.metadata.namespace, claim.metadata.name), "a volume is free")
        return Result.ready(_status(resource, phase))

    @override
    async def finalize(self, resource: PersistentVolume, ctx: Context) -> Result[PersistentVolumeStatus]:
        if await self._phase(resource, ctx) == "Bound":
            return Result.waiting("Bound", "a claim has it")
        return Result.ready()

    async def _phase(self, volume: PersistentVolume, ctx: Context) -> str:
        reference, key = volume.spec.claim_ref, claim_of_volume(volume)
        if reference is None or key is None or not reference.uid:
            return "Available"
        claim = await ctx.get(PersistentVolumeClaim, key.name, key.namespace)
        if claim is None or claim.metadata.uid != reference.uid:
            return self._left(volume, ctx)
        if claim.spec.volume_name == volume.metadata.name:
            return "Bound"
        if not claim.spec.volume_name:
            return volume.status.phase  # the claim is about to name it
        return await self._unwanted(volume, ctx)

    def _left(self, volume: PersistentVolume, ctx: Context) -> str:
        """The phase of a volume whose claim is gone; one that is to be deleted needs somebody who can."""
        deletes = volume.spec.persistent_volume_reclaim_policy == "Delete"
        if not deletes or PROVISIONED_BY in volume.metadata.annotations:
            return "Released"
        said = "error getting deleter volume plugin for volume"
        message = f'{said} "{volume.metadata.name}": no deletable volume plugin matched'
        ctx.event("VolumeFailedDelete", message, warning=True)
        return "Failed"

    async def _unwanted(self, volume: PersistentVolume, ctx: Context) -> str:
        """The phase of a volume whose claim has another one: it was made in vain, or is free again."""
        provisioned = PROVISIONED_BY in volume.metadata.annotations
        if provisioned and volume.spec.persistent_volume_reclaim_policy == "Delete":
            return "Released"
        content: dict[str, Any] = {"spec": {"claimRef": {"uid": None, "resourceVersion": None}}}
        if BOUND_BY_CONTROLLER in volume.metadata.annotations:
            annotations = {BOUND_BY_CONTROLLER: None}
            content = {"metadata": {"annotations": annotations}, "spec": {"claimRef": None}}
        await ctx.patch(PersistentVolume, volume.metadata.name, MergePatch(content))
        return "Available"


def _status(volume: PersistentVolume, phase: str) -> PersistentVolumeStatus:
    """The status with a phase; the server says since when."""
    return PersistentVolumeStatus.from_wire({**volume.status.to_wire(), "phase": phase})
