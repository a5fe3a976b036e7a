"""Reads the volumes of a pod from the cache, and writes what its node means for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.client import MergePatch
from windlass.cluster.scheduler.volume import BOUND_BY_US, SELECTED_NODE, Found, claim_names
from windlass.kinds.core.v1 import PersistentVolume, PersistentVolumeClaim
from windlass.kinds.storage.v1 import StorageClass
from windlass.reconcile import Index

if TYPE_CHECKING:
    from windlass.cluster.scheduler.volume import Volumes
    from windlass.kinds.core.v1 import Node, Pod
    from windlass.reconcile import Context

BY_CLASS: Final = Index(PersistentVolume, lambda volume: volume.spec.storage_class_name or "")


async def look_up(pod: Pod, ctx: Context) -> Found | None:
    """What there is of a pod's claims; None where it has none, as most."""
    names = [name for name, _ in claim_names(pod)]
    if not names:
        return None
    claims = {name: await ctx.get(PersistentVolumeClaim, name) for name in names}
    volumes: dict[str, PersistentVolume] = {}
    classes: dict[str, StorageClass] = {}
    for claim in filter(None, claims.values()):
        name = claim.spec.storage_class_name or ""
        kind = await ctx.get(StorageClass, name) if name else None
        if kind:
            classes[name] = kind
        own = claim.spec.volume_name
        found = [await ctx.get(PersistentVolume, own)] if own else await _of_class(name, ctx)
        volumes |= {each.metadata.name: each for each in found if each}
    return Found(claims, list(volumes.values()), classes)


async def provide(volumes: Volumes, node: Node, ctx: Context) -> bool:
    """Have the claims that waited for a node bound, or volumes made for them; whether there were any."""
    plan = volumes.plan(node) or {}
    for name, volume in plan.items():
        if volume is None:
            chosen = {"metadata": {"annotations": {SELECTED_NODE: node.metadata.name}}}
            await ctx.patch(PersistentVolumeClaim, name, MergePatch(chosen))
        elif not volume.spec.claim_ref:
            await _bind(volume, volumes.claim(name), ctx)
    return bool(plan)


async def _of_class(name: str, ctx: Context) -> list[PersistentVolume]:
    return list(await ctx.list(PersistentVolume, index=BY_CLASS, value=name))


async def _bind(volume: PersistentVolume, claim: PersistentVolumeClaim, ctx: Context) -> None:
    metadata = claim.metadata
    reference = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "namespace": metadata.namespace,
        "name": metadata.name,
        "uid": metadata.uid,
        "resourceVersion": metadata.resource_version,
    }
    version = {"resourceVersion": volume.metadata.resource_version, "annotations": BOUND_BY_US}
    patch = MergePatch({"metadata": version, "spec": {"claimRef": reference}})
    await ctx.patch(PersistentVolume, volume.metadata.name, patch)
