"""On which nodes a DaemonSet wants a pod, and where it lets one be."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from windlass.cluster.controller.daemon_set.desired import target_of, tolerations
from windlass.cluster.placement import EVICTING, matches_node_selector, tolerates

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.kinds.apps.v1 import DaemonSet
    from windlass.kinds.core.v1 import Node, Pod, Toleration


class Place(NamedTuple):
    """A node that a set looks at: whether it wants a pod there, whether one may stay, and those that are."""

    name: str
    wants: bool
    keeps: bool
    pods: Sequence[Pod]


def places(owner: DaemonSet, nodes: Iterable[Node], pods: Iterable[Pod]) -> list[Place]:
    """Every node with the pods of the set, the one that counts first; and nodes that are gone, likewise."""
    accepted = tolerations(owner)
    here = _by_node(pods)
    found = []
    for node in nodes:
        wants, keeps = _judged(owner, accepted, node)
        found.append(Place(node.metadata.name, wants, keeps, here.pop(node.metadata.name, ())))
    # Pods that were never placed and whose node is gone will not be collected by anybody else.
    lost = [
        Place(name, wants=False, keeps=False, pods=[pod for pod in those if not pod.spec.node_name])
        for name, those in here.items()
    ]
    return [*found, *(place for place in lost if place.pods)]


def _judged(owner: DaemonSet, accepted: Sequence[Toleration], node: Node) -> tuple[bool, bool]:
    """Whether a set wants a pod on a node, and whether one that is there may stay."""
    spec = owner.spec.template.spec
    if spec is None or (spec.node_name or node.metadata.name) != node.metadata.name:
        return False, False
    if not matches_node_selector(spec, node):
        return False, False
    taints = node.spec.taints
    return tolerates(accepted, taints), tolerates(accepted, taints, EVICTING)


def _by_node(pods: Iterable[Pod]) -> dict[str, list[Pod]]:
    found: dict[str, list[Pod]] = {}
    for pod in sorted(pods, key=_rank):
        ended = pod.status.phase in ("Failed", "Succeeded")
        target = target_of(pod)
        if target and not (ended and pod.metadata.deletion_timestamp):
            found.setdefault(target, []).append(pod)
    return found


def _rank(pod: Pod) -> tuple[bool, str, str]:
    """Of two pods on a node, the one that is placed counts, then the older one."""
    made = pod.metadata.creation_timestamp
    return not pod.spec.node_name, made.isoformat() if made else "", pod.metadata.name
