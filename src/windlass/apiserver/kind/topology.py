"""Where a node is: the labels that its pods inherit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from windlass.apiserver.world import World

_LABELS: Final = ("topology.kubernetes.io/zone", "topology.kubernetes.io/region")


def topology_labels(world: World, node: str) -> dict[str, str]:
    """The labels that a pod gets with its node; none if there is no such node."""
    record = world.store.collection("/nodes").get(node)
    found = record.object()["metadata"].get("labels", {}) if record else {}
    return {name: found[name] for name in _LABELS if name in found}


def inherit_topology(pod: dict[str, Any], world: World) -> None:
    """Label a new pod that has a node with where that is."""
    node = pod["spec"].get("nodeName")
    labels = topology_labels(world, node) if node else {}
    if labels:
        pod["metadata"]["labels"] = {**pod["metadata"].get("labels", {}), **labels}
