"""The volumes of a pod: whether they are there, and which nodes can reach them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from windlass.api import Quantity
from windlass.cluster.placement import matches_terms
from windlass.cluster.scheduler.verdict import Rule, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from windlass.cluster.scheduler.node import NodeState
    from windlass.kinds.core.v1 import Node, PersistentVolume, PersistentVolumeClaim, Pod
    from windlass.kinds.storage.v1 import StorageClass

SELECTED_NODE: Final = "volume.kubernetes.io/selected-node"
"""The annotation of a claim that tells its provisioner for which node to make a volume."""
BOUND_BY_US: Final = {"pv.kubernetes.io/bound-by-controller": "yes"}

_UNBOUND: Final = "pod has unbound immediate PersistentVolumeClaims"
_NO_PROVISIONER: Final = "kubernetes.io/no-provisioner"
_ELSEWHERE: Final = Verdict(
    Rule.VOLUME, ("node(s) didn't match PersistentVolume's node affinity",), final=True
)
_NO_VOLUME: Final = Verdict(
    Rule.VOLUME, ("node(s) didn't find available persistent volumes to bind",), final=True
)
_LOST: Final = Verdict(
    Rule.VOLUME, ("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)",), final=True
)


@dataclass(frozen=True)
class Found:
    """What the cache has of a pod's claims: they, the volumes that they have or could have, their classes."""

    claims: Mapping[str, PersistentVolumeClaim | None]
    volumes: Sequence[PersistentVolume]
    classes: Mapping[str, StorageClass]


def claim_names(pod: Pod) -> Iterator[tuple[str, bool]]:
    """The claims that a pod uses; with each, whether it is one that is made for the pod."""
    for each in pod.spec.volumes:
        if each.persistent_volume_claim:
            yield each.persistent_volume_claim.claim_name, False
        elif each.ephemeral:
            yield f"{pod.metadata.name}-{each.name}", True


def objection(pod: Pod, found: Found) -> str:
    """Why no node does, whichever it is: a claim is not there, or has no volume yet. Empty where none."""
    for name, is_made in claim_names(pod):
        claim = found.claims.get(name)
        why = _absent(name, is_made=is_made) if claim is None else _unfit(claim)
        if not why and claim and is_made and not _is_for(claim, pod):
            why = f"PVC {pod.metadata.namespace}/{name} was not created for pod (pod is not owner)"
        if why:
            return why
    if any(not is_bound(claim) and not _waits(claim, found) for claim in _claims(found)):
        return _UNBOUND
    return ""


def is_bound(claim: PersistentVolumeClaim) -> bool:
    """Whether a claim has its volume, and both say so."""
    return bool(claim.spec.volume_name) and claim.status.phase == "Bound"


class Volumes:
    """A pod's claims, held against nodes; `plan` tells what has to be written for the node that it gets."""

    def __init__(self, found: Found) -> None:
        self._by_name = {each.metadata.name: each for each in found.volumes}
        self._bound = [each for each in _claims(found) if is_bound(each)]
        self._open = [each for each in _claims(found) if not is_bound(each)]
        self._found = found

    def check(self, state: NodeState) -> Verdict | None:
        """Whether the volumes can be reached from a node, or made there."""
        node = state.node
        if node is None:
            return None
        for claim in self._bound:
            volume = self._by_name.get(claim.spec.volume_name or "")
            if volume is None:
                return _LOST
            if not _reaches(volume, node):
                return _ELSEWHERE
        plan = self.plan(node)
        return _NO_VOLUME if plan is None else None

    def claim(self, name: str) -> PersistentVolumeClaim:
        """A claim that waits for a volume."""
        return next(each for each in self._open if each.metadata.name == name)

    def plan(self, node: Node) -> dict[str, PersistentVolume | None] | None:
        """For each claim that waits: the volume to bind it to, or None to have one made.

        None altogether where it cannot be done on this node.
        """
        plan: dict[str, PersistentVolume | None] = {}
        free = list(self._by_name.values())
        for claim in self._open:
            selected = claim.metadata.annotations.get(SELECTED_NODE)
            if selected and selected != node.metadata.name:
                return None
            fitting = None if selected else _smallest(each for each in free if _fits(each, claim, node))
            kind = self._found.classes.get(claim.spec.storage_class_name or "")
            if fitting is not None:
                free.remove(fitting)
            elif kind is None or kind.provisioner == _NO_PROVISIONER or not _allows(kind, node):
                return None
            plan[claim.metadata.name] = fitting
        return plan


def _absent(name: str, *, is_made: bool) -> str:
    if is_made:
        return f'waiting for ephemeral volume controller to create the persistentvolumeclaim "{name}"'
    return f'persistentvolumeclaim "{name}" not found'


def _unfit(claim: PersistentVolumeClaim) -> str:
    name, volume = claim.metadata.name, claim.spec.volume_name
    if claim.status.phase == "Lost":
        return f'persistentvolumeclaim "{name}" bound to non-existent persistentvolume "{volume}"'
    if claim.metadata.deletion_timestamp is not None:
        return f'persistentvolumeclaim "{name}" is being deleted'
    return ""


def _is_for(claim: PersistentVolumeClaim, pod: Pod) -> bool:
    return any(each.uid == pod.metadata.uid for each in claim.metadata.owner_references)


def _claims(found: Found) -> list[PersistentVolumeClaim]:
    return [each for each in found.claims.values() if each is not None]


def _waits(claim: PersistentVolumeClaim, found: Found) -> bool:
    """Whether a claim gets its volume only once a pod has a node; one with a volume is just being bound."""
    kind = found.classes.get(claim.spec.storage_class_name or "")
    delayed = kind is not None and kind.volume_binding_mode == "WaitForFirstConsumer"
    return delayed and not claim.spec.volume_name


def _reaches(volume: PersistentVolume, node: Node) -> bool:
    affinity = volume.spec.node_affinity
    return affinity is None or affinity.required is None or matches_terms(affinity.required, node)


def _fits(volume: PersistentVolume, claim: PersistentVolumeClaim, node: Node) -> bool:
    """Whether a volume could be a claim's: nobody has it, or it was meant for this claim before."""
    spec, wanted = volume.spec, claim.spec
    if spec.claim_ref:
        return spec.claim_ref.uid == claim.metadata.uid and _reaches(volume, node)
    requests = wanted.resources.requests if wanted.resources else {}
    return (
        not volume.metadata.deletion_timestamp
        and volume.status.phase == "Available"
        and (spec.storage_class_name or "") == (wanted.storage_class_name or "")
        and (spec.volume_mode or "Filesystem") == (wanted.volume_mode or "Filesystem")
        and set(wanted.access_modes) <= set(spec.access_modes)
        and (wanted.selector is None or wanted.selector.matches(volume.metadata.labels))
        and _size(volume) >= requests.get("storage", Quantity(0))
        and _reaches(volume, node)
    )


def _smallest(volumes: Iterable[PersistentVolume]) -> PersistentVolume | None:
    return min(volumes, key=_size, default=None)


def _size(volume: PersistentVolume) -> Quantity:
    return volume.spec.capacity.get("storage", Quantity(0))


def _allows(kind: StorageClass, node: Node) -> bool:
    labels = node.metadata.labels
    return not kind.allowed_topologies or any(
        all(labels.get(each.key) in each.values for each in term.match_label_expressions)
        for term in kind.allowed_topologies
    )
