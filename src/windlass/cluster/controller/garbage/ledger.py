from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.api import Key
from windlass.cluster.controller.garbage.graph import Graph, Reference, node_of
from windlass.cluster.controller.garbage.memory import Absentees

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Change, Kind
    from windlass.cluster.controller.garbage.graph import Node


class Ledger:
    """What is known of the objects and kinds of a cluster: the watches write it, the collector reads it.

    `is_complete` tells whether the objects of all kinds are in the graph, as far as that can be had.
    """

    def __init__(self) -> None:
        self.graph = Graph()
        self.absentees = Absentees()
        self.is_complete = False
        self._served: dict[tuple[str, str], Kind] = {}

    def serve(self, kinds: Iterable[Kind]) -> None:
        """The server serves these kinds, and no others."""
        self._served = {(kind.api_version, kind.name): kind for kind in kinds}

    def kind(self, api_version: str, name: str) -> Kind | None:
        """The kind that a reference names, if the server serves it."""
        return self._served.get((api_version, name))

    def hear(self, change: Change[Any]) -> list[Node]:
        """Take in a change; returns whom to look at because of it."""
        kind, key, metadata = change.kind.__kind__, change.key, change.latest.metadata
        if change.new is not None:
            return self.graph.observe(node_of(kind, key, metadata))
        uid = str(metadata["uid"])
        if not change.listed:  # the server said so of this very object; a list only does not have it
            self.absentees.add(Reference(uid, kind.api_version, kind.name, key.name), key.namespace)
        return self.graph.forget(uid, kind)


def key_of(node: Node) -> Key:
    """By what a queue knows an object: its uid; the namespace only makes for a fair order."""
    return Key(node.key.namespace, node.uid)
