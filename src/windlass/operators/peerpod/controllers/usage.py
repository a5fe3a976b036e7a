"""Which instance a pod uses, among all that were ever made for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.operators.peerpod.types import PeerPod
from windlass.reconcile import Index

if TYPE_CHECKING:
    from windlass.reconcile import Context


def _owner(peer: PeerPod) -> str | None:
    """The UID of the pod that runs in the instance."""
    owners = (each for each in peer.metadata.owner_references if each.controller and each.kind == "Pod")
    return next((each.uid for each in owners), None)


def _instance(peer: PeerPod) -> str | None:
    return f"{peer.spec.cloud_provider}/{peer.spec.instance_id}" if peer.spec.instance_id else None


BY_OWNER: Final = Index(PeerPod, _owner)
BY_INSTANCE: Final = Index(PeerPod, _instance)


async def supersede(peer: PeerPod, ctx: Context) -> None:
    """Delete what an earlier start of the same pod has left: a pod has one instance, its newest."""
    owner, created = _owner(peer), peer.metadata.creation_timestamp
    if owner is None or created is None:
        return
    for other in await ctx.list(PeerPod, index=BY_OWNER, value=owner):
        born = other.metadata.creation_timestamp
        if born is not None and born < created and other.metadata.deletion_timestamp is None:
            ctx.event("Superseded", f"a newer instance runs the pod: {peer.metadata.name}", about=other)
            await ctx.delete(PeerPod, other.metadata.name, other.metadata.namespace)


async def spared(peer: PeerPod, ctx: Context) -> str:
    """Why an instance is not to be deleted with its PeerPod; empty if it is."""
    instance = _instance(peer)
    if instance is None:
        return "there is none"
    if peer.status.cleand:
        return "it is deleted"
    if peer.spec.deletion_policy == "Retain":
        return "it stays, as asked"
    for other in await ctx.list(PeerPod, index=BY_INSTANCE, value=instance):
        if other.metadata.deletion_timestamp is None:
            return f"it is in use by {other.metadata.namespace}/{other.metadata.name}"
    return ""
