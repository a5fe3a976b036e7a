"""What a claim waits for that no volume fits, and how one is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.api import LabelSelector
from windlass.client import MergePatch
from windlass.cluster.controller.volume.binding import (
    BIND_COMPLETED,
    OLD_PROVISIONER,
    PROVISIONER,
    SELECTED_NODE,
    claims_of_pod,
    class_of,
    default_class,
    has_class,
    uses_claims,
)
from windlass.kinds.core.v1 import PersistentVolumeClaim, Pod
from windlass.kinds.storage.v1 import StorageClass
from windlass.reconcile import Index

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Snapshot
    from windlass.reconcile import Context


def _claims(pod: Snapshot[Pod]) -> Iterable[str]:
    return map(str, claims_of_pod(pod.shared)) if uses_claims(pod) else ()


PODS = Index(Pod, _claims, undecoded=True)
_IN_TREE: Final = "kubernetes.io/"
_LATE: Final = "WaitForFirstConsumer"

Reason = tuple[str, str]
"""In one word, and in a sentence."""


def any_class(claim: PersistentVolumeClaim) -> LabelSelector | None:
    """A claim that says nothing of a class takes the default one, whenever there is one."""
    waits = not has_class(claim) and BIND_COMPLETED not in claim.metadata.annotations
    return LabelSelector() if waits else None


async def ask(claim: PersistentVolumeClaim, ctx: Context) -> Reason:
    """Have a volume made where somebody makes them; tells what is waited for."""
    if not has_class(claim):
        claim.spec.storage_class_name = await _take_default(claim, ctx)
    name = class_of(claim)
    if not name:
        return "FailedBinding", "no persistent volumes available for this claim and no storage class is set"
    found = await ctx.get(StorageClass, name)
    if found is None:
        return "ProvisioningFailed", f'storageclass.storage.k8s.io "{name}" not found'
    if found.volume_binding_mode == _LATE and SELECTED_NODE not in claim.metadata.annotations:
        return await _consumer(ctx)
    if found.provisioner.startswith(_IN_TREE):
        return "ProvisioningFailed", f"no volume plugin matched name: {found.provisioner}"
    maker = {PROVISIONER: found.provisioner, OLD_PROVISIONER: found.provisioner}
    patch = MergePatch({"metadata": {"annotations": maker}})
    await ctx.patch(PersistentVolumeClaim, claim.metadata.name, patch)
    return "ExternalProvisioning", (
        f"Waiting for a volume to be created either by the external provisioner '{found.provisioner}' "
        "or manually by the system administrator. If volume creation is delayed, please verify that the "
        "provisioner is running and correctly registered."
    )


async def waits_for_pod(claim: PersistentVolumeClaim, ctx: Context) -> bool:
    """Whether a claim is bound only when its pod has a node."""
    name = class_of(claim)
    found = await ctx.get(StorageClass, name) if name else None
    return found is not None and found.volume_binding_mode == _LATE


async def _take_default(claim: PersistentVolumeClaim, ctx: Context) -> str | None:
    """Give a claim the default class, which came after it."""
    name = default_class(await ctx.list(StorageClass))
    if name:
        patch = MergePatch({"spec": {"storageClassName": name}})
        await ctx.patch(PersistentVolumeClaim, claim.metadata.name, patch)
    return name or None


async def _consumer(ctx: Context) -> Reason:
    pods = await ctx.list(Pod, index=PODS, value=str(ctx.key))
    names = [each.metadata.name for each in pods if not each.spec.node_name]
    if not names:
        return _LATE, "waiting for first consumer to be created before binding"
    many = "pods" if len(names) > 1 else "pod"
    return "WaitForPodScheduled", f"waiting for {many} {','.join(sorted(names))} to be scheduled"
