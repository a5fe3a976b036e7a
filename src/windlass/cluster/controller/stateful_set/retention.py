"""Whose the claims of a StatefulSet's pods are: what `persistentVolumeClaimRetentionPolicy` comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from windlass.api import OwnerReference
    from windlass.kinds.apps.v1 import StatefulSet
    from windlass.kinds.core.v1 import PersistentVolumeClaim, Pod

_DELETE: Final = "Delete"


def owners_of_claim(
    owner: StatefulSet, claim: PersistentVolumeClaim, pod: Pod | None, *, condemned: bool
) -> list[OwnerReference] | None:
    """Who should own a claim, None if that is as it is; garbage collection then does what the policy says.

    A claim that is to go with its pod belongs to the pod once that is one too many, and before to the set, if
    it is to go with the set. Another controller's claim is left to it.
    """
    present = claim.metadata.owner_references
    ours = [each for each in present if _refers(each, owner, pod)]
    others = [each for each in present if each not in ours]
    known = {owner.metadata.uid, pod.metadata.uid if pod else ""}
    if any(each.uid not in known for each in ours):
        return None  # of an earlier set or pod of the same name: it is about to go
    wanted = list(others)
    if not any(each.controller for each in others):
        if condemned and pod and _when_scaled(owner) == _DELETE:
            wanted.append(pod.owner_reference())
        elif _when_deleted(owner) == _DELETE:
            wanted.append(owner.owner_reference())
    return None if _said(wanted) == _said(present) else wanted


def is_stale(owner: StatefulSet, claim: PersistentVolumeClaim, name: str) -> bool:
    """Whether a claim is about to go with an earlier pod of this name, so that a new one has to wait."""
    if claim.metadata.deletion_timestamp:
        return True
    left = any(each.kind == "Pod" and each.name == name for each in claim.metadata.owner_references)
    return left and _when_scaled(owner) == _DELETE


def _when_scaled(owner: StatefulSet) -> str:
    policy = owner.spec.persistent_volume_claim_retention_policy
    return (policy.when_scaled if policy else "") or ""


def _when_deleted(owner: StatefulSet) -> str:
    policy = owner.spec.persistent_volume_claim_retention_policy
    return (policy.when_deleted if policy else "") or ""


def _said(references: list[OwnerReference]) -> list[tuple[str, bool | None]]:
    return [(each.uid, each.controller) for each in references]


def _refers(reference: OwnerReference, owner: StatefulSet, pod: Pod | None) -> bool:
    """Whether a reference names the set or the pod, this one or an earlier one of the same name."""
    kinds = [("StatefulSet", owner.metadata.name), ("Pod", pod.metadata.name if pod else "")]
    return (reference.kind, reference.name) in kinds
