"""What a DaemonSet sees of nodes: little of each, since there are very many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.kinds.core.v1 import Node

if TYPE_CHECKING:
    from collections.abc import Collection

    from windlass.api import Change, Json


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


def _taints(node: Json) -> list[Json]:
    return (node.get("spec") or {}).get("taints") or []
