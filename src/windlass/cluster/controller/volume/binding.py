"""Which volume fits which claim, and what the two say of each other: pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.api import Key, Quantity
from windlass.kinds.core.v1 import PersistentVolumeClaimStatus

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Json, Snapshot
    from windlass.kinds.core.v1 import PersistentVolume, PersistentVolumeClaim, Pod, Volume
    from windlass.kinds.storage.v1 import StorageClass

BIND_COMPLETED: Final = "pv.kubernetes.io/bind-completed"
BOUND_BY_CONTROLLER: Final = "pv.kubernetes.io/bound-by-controller"
PROVISIONED_BY: Final = "pv.kubernetes.io/provisioned-by"
PROVISIONER: Final = "volume.kubernetes.io/storage-provisioner"
OLD_PROVISIONER: Final = "volume.beta.kubernetes.io/storage-provisioner"
SELECTED_NODE: Final = "volume.kubernetes.io/selected-node"
DEFAULT_CLASS: Final = "storageclass.kubernetes.io/is-default-class"
_OLD_CLASS: Final = "volume.beta.kubernetes.io/storage-class"
_STORAGE: Final = "storage"
_CLAIMING: Final = (b'"persistentVolumeClaim":', b'"ephemeral":')


def uses_claims(pod: Snapshot[Pod]) -> bool:
    """Whether a pod has claims at all: most have none, and need not be decoded to see that."""
    return any(mark in pod.raw for mark in _CLAIMING)


def claims_of_pod(pod: Pod) -> list[Key]:
    """The claims that a pod uses, those included that are made for it."""
    found = []
    for volume in pod.spec.volumes:
        if volume.persistent_volume_claim:
            found.append(Key(pod.metadata.namespace, volume.persistent_volume_claim.claim_name))
        elif volume.ephemeral:
            found.append(Key(pod.metadata.namespace, ephemeral_name(pod, volume)))
    return found


def ephemeral_name(pod: Pod, volume: Volume) -> str:
    """The name of the claim of a volume that lives as long as its pod."""
    return f"{pod.metadata.name}-{volume.name}"


def claim_of_volume(volume: PersistentVolume) -> Key | None:
    """The claim that a volume is bound to, or kept for."""
    reference = volume.spec.claim_ref
    return Key(reference.namespace or "", reference.name or "") if reference else None


def class_of(resource: PersistentVolume | PersistentVolumeClaim) -> str:
    """The storage class of a claim or of a volume, empty for none."""
    return resource.metadata.annotations.get(_OLD_CLASS) or resource.spec.storage_class_name or ""


def has_class(claim: PersistentVolumeClaim) -> bool:
    """Whether a claim says which class it wants, even if that is none."""
    return claim.spec.storage_class_name is not None or _OLD_CLASS in claim.metadata.annotations


def default_class(classes: Iterable[StorageClass]) -> str:
    """The class of claims that say nothing: of several the newest, empty if there is none."""
    marked = [each for each in classes if each.metadata.annotations.get(DEFAULT_CLASS) == "true"]
    by_name = sorted(marked, key=lambda each: each.metadata.name)
    newest = max(by_name, key=lambda each: str(each.metadata.creation_timestamp), default=None)
    return newest.metadata.name if newest else ""


def is_kept_for(volume: PersistentVolume, claim: PersistentVolumeClaim) -> bool:
    """Whether a volume is bound to a claim, or kept for it by name."""
    reference = volume.spec.claim_ref
    same = claim_of_volume(volume) == Key(claim.metadata.namespace, claim.metadata.name)
    return same and reference is not None and reference.uid in (None, "", claim.metadata.uid)


def requested(claim: PersistentVolumeClaim) -> Quantity:
    """How much a claim asks for."""
    asked = claim.spec.resources.requests.get(_STORAGE) if claim.spec.resources else None
    return asked or Quantity(0)


def capacity(volume: PersistentVolume) -> Quantity:
    """How much a volume holds."""
    return volume.spec.capacity.get(_STORAGE) or Quantity(0)


def mismatch(volume: PersistentVolume, claim: PersistentVolumeClaim) -> str:
    """Why a claim cannot have a volume that it names; empty if it can."""
    if volume.metadata.deletion_timestamp:
        return f'the volume is marked for deletion "{volume.metadata.name}"'
    if capacity(volume) < requested(claim):
        return "requested PV is too small"
    if class_of(volume) != class_of(claim):
        return "storageClassName does not match"
    if (volume.spec.volume_mode or "Filesystem") != (claim.spec.volume_mode or "Filesystem"):
        return "incompatible volumeMode"
    if not set(claim.spec.access_modes) <= set(volume.spec.access_modes):
        return "incompatible accessMode"
    return ""


def best(volumes: Iterable[PersistentVolume], claim: PersistentVolumeClaim) -> PersistentVolume | None:
    """The smallest volume that is free and fits, one with few access modes before one with many."""
    selector = claim.spec.selector.selector() if claim.spec.selector else None
    free = [
        each
        for each in volumes
        if each.status.phase == "Available"
        and not each.spec.claim_ref
        and not mismatch(each, claim)
        and (selector is None or selector.matches(each.metadata.labels))
    ]
    return min(free, key=lambda each: (len(each.spec.access_modes), capacity(each)), default=None)


def reference_to(claim: PersistentVolumeClaim) -> Json:
    """What a volume says of the claim that it is bound to."""
    return {
        "apiVersion": claim.api_version,
        "kind": claim.kind,
        "namespace": claim.metadata.namespace,
        "name": claim.metadata.name,
        "uid": claim.metadata.uid,
        "resourceVersion": claim.metadata.resource_version,
    }


def status_of(
    claim: PersistentVolumeClaim, phase: str, volume: PersistentVolume | None = None
) -> PersistentVolumeClaimStatus:
    """What a claim says of itself; of a volume that grows, the one who lets it grow tells the capacity."""
    kept = claim.status.to_wire()
    for name in ("phase", "accessModes", *(() if phase == claim.status.phase == "Bound" else ("capacity",))):
        kept.pop(name, None)
    said: Json = {"phase": phase}
    if volume:
        spec = volume.spec.to_wire()
        said |= {"accessModes": spec.get("accessModes", []), "capacity": spec.get("capacity", {})}
    return PersistentVolumeClaimStatus.from_wire({**said, **kept})
