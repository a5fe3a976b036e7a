"""Makes volumes for the claims of one storage class, as the driver of a storage system does.

What it makes is no more than a name: a path that every node is taken to have. Pods of simulated nodes need
nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.api import Key
from windlass.client import MergePatch
from windlass.cluster.controller.volume.binding import (
    DEFAULT_CLASS,
    PROVISIONED_BY,
    PROVISIONER,
    capacity,
    reference_to,
    requested,
)
from windlass.kinds.core.v1 import PersistentVolume, PersistentVolumeClaim
from windlass.kinds.storage.v1 import StorageClass
from windlass.reconcile import Cause, KeyReconciler, Reconciler, Result, Sink, Source, Watch

if TYPE_CHECKING:
    from windlass.reconcile import Context

NAME: Final = "windlass.dev/simulated"
STORAGE_CLASS: Final = "standard"
"""The name of the storage class of claims that name none."""
_FOLDER: Final = "/var/lib/windlass/volumes"


def standard_class() -> StorageClass:
    """The storage class of claims that name none; a volume is made when the first pod has its node."""
    return StorageClass.from_wire(
        {
            "metadata": {"name": STORAGE_CLASS, "annotations": {DEFAULT_CLASS: "true"}},
            "provisioner": NAME,
            "reclaimPolicy": "Delete",
            "volumeBindingMode": "WaitForFirstConsumer",
            "allowVolumeExpansion": True,
        }
    )


def volume_for(claim: PersistentVolumeClaim, kind: StorageClass) -> PersistentVolume:
    """The volume that a claim of a class gets."""
    name = f"pvc-{claim.metadata.uid}"
    spec: dict[str, Any] = {
        "accessModes": claim.spec.access_modes,
        "capacity": {"storage": str(requested(claim))},
        "claimRef": reference_to(claim),
        "hostPath": {"path": f"{_FOLDER}/{name}", "type": "DirectoryOrCreate"},
        "mountOptions": kind.mount_options,
        "persistentVolumeReclaimPolicy": kind.reclaim_policy or "Delete",
        "storageClassName": kind.metadata.name,
        "volumeMode": claim.spec.volume_mode or "Filesystem",
    }
    metadata = {"name": name, "annotations": {PROVISIONED_BY: NAME}}
    return PersistentVolume.from_wire({"metadata": metadata, "spec": spec})


class _Once(Source):
    """Wakes one key at the start."""

    def __init__(self, key: Key) -> None:
        self._key = key

    @override
    async def run(self, sink: Sink) -> None:
        sink.wake(self._key, Cause("start"))


class ClassController(KeyReconciler):
    """Sees to it that the storage class is there at the start; who deletes it later has their will."""

    name = "simulated-class"
    reads = (Watch(StorageClass),)
    sources = (_Once(Key("", STORAGE_CLASS)),)

    @override
    async def reconcile(self, key: Key, ctx: Context) -> Result[Any]:
        if await ctx.get(StorageClass, key.name) is None:
            await ctx.create(standard_class(), owned=False)
        return Result.ready()


class ProvisioningController(Reconciler[PersistentVolumeClaim]):
    """Makes the volume of a claim that waits for us, and lets it grow with the claim."""

    name = "simulated-provisioner"
    reads = (Watch(PersistentVolume), Watch(StorageClass, by=lambda claim: claim.spec.storage_class_name))

    @override
    async def reconcile(self, resource: PersistentVolumeClaim, ctx: Context) -> Result[Any]:
        if resource.metadata.annotations.get(PROVISIONER) != NAME:
            return Result.ready()
        if resource.spec.volume_name:
            await self._grow(resource, resource.spec.volume_name, ctx)
            return Result.ready()
        kind = await ctx.get(StorageClass, resource.spec.storage_class_name or STORAGE_CLASS)
        if kind is None:
            return Result.waiting("ClassMissing", "its storage class is gone")
        volume = volume_for(resource, kind)
        name = volume.metadata.name
        if await ctx.get(PersistentVolume, name) is None:
            await ctx.create(volume, owned=False)
            ctx.event("ProvisioningSucceeded", f"Successfully provisioned volume {name}")
        return Result.ready()

    async def _grow(self, claim: PersistentVolumeClaim, name: str, ctx: Context) -> None:
        volume = await ctx.get(PersistentVolume, name)
        if volume is None or volume.metadata.annotations.get(PROVISIONED_BY) != NAME:
            return
        size = {"capacity": {"storage": str(requested(claim))}}
        if capacity(volume) < requested(claim):
            await ctx.patch(PersistentVolume, name, MergePatch({"spec": size}))
        told = claim.status.capacity.get("storage")
        if claim.status.phase == "Bound" and told is not None and told < requested(claim):
            patch = MergePatch({"status": size})
            await ctx.patch(PersistentVolumeClaim, claim.metadata.name, patch, subresource="status")
            ctx.event("VolumeResizeSuccessful", "Resize volume succeeded")


class ProvisionedVolumeController(Reconciler[PersistentVolume]):
    """Deletes a volume of ours that nobody claims any more, where that is its policy."""

    name = "simulated-deleter"

    @override
    async def reconcile(self, resource: PersistentVolume, ctx: Context) -> Result[Any]:
        ours = resource.metadata.annotations.get(PROVISIONED_BY) == NAME
        deletes = resource.spec.persistent_volume_reclaim_policy == "Delete"
        if ours and deletes and resource.status.phase == "Released":
            await ctx.delete(PersistentVolume, resource.metadata.name)
        return Result.ready()
