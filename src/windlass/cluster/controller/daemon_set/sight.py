"""What a DaemonSet sees of nodes and pods: little of each, since there are very many of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.kinds.core.v1 import Node, Pod

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from windlass.api import Change, Json, Snapshot

_OF_POD = ("name", "uid", "labels", "creationTimestamp", "deletionTimestamp")


class Nodes:
    """All nodes by their names, labels and taints; what else they say of themselves is of no interest."""

    def __init__(self) -> None:
        self._known: dict[str, Node] = {}

    @property
    def all(self) -> Collection[Node]:
        """Those that there are now."""
        return self._known.values()

    def see(self, change: Change[Node]) -> None:
        """A node came, changed or went."""
        if change.new is None:
            self._known.pop(change.key.name, None)
        elif takes_others(change) or change.key.name not in self._known:
            data = change.new.data
            metadata = {"name": change.key.name, "labels": data["metadata"].get("labels") or {}}
            self._known[change.key.name] = Node.from_wire(
                {"metadata": metadata, "spec": {"taints": _taints(data)}}
            )


def takes_others(change: Change[Any]) -> bool:
    """Whether a node may want other pods than before; most of what changes are its heartbeats."""
    if change.old is None or change.new is None:
        return True
    old, new = change.old.data, change.new.data
    labels = [each["metadata"].get("labels") for each in (old, new)]
    return labels[0] != labels[1] or _taints(old) != _taints(new)


def glimpse(snapshot: Snapshot[Pod]) -> Pod:
    """A pod as far as its set has to know it: who it is, where, and how it is."""
    data = snapshot.data
    spec, status = data["spec"], data.get("status") or {}
    of_nodes = (spec.get("affinity") or {}).get("nodeAffinity") or {}
    ready = [each for each in status.get("conditions") or () if each["type"] == "Ready"]
    return Pod.from_wire(
        {
            "metadata": _chosen(data["metadata"], *_OF_POD),
            "spec": {
                "containers": [],
                **_chosen(spec, "nodeName"),
                "affinity": {
                    "nodeAffinity": _chosen(of_nodes, "requiredDuringSchedulingIgnoredDuringExecution")
                },
            },
            "status": {**_chosen(status, "phase"), "conditions": ready},
        }
    )


def _chosen(data: Mapping[str, Any], *names: str) -> Json:
    return {name: data[name] for name in names if name in data}


def _taints(node: Json) -> list[Json]:
    return (node.get("spec") or {}).get("taints") or []
