from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.api import Key
from windlass.cluster.controller.node_lifecycle.health import READY

if TYPE_CHECKING:
    from windlass.api import Change
    from windlass.kinds.core.v1 import Node, Pod
    from windlass.reconcile import Channel


class Roll:
    """Which pods lie on which node, and which nodes are ready; wakes the nodes that a change concerns.

    Where no node is ready at all it is rather we who are cut off than they: then nobody is driven off.
    """

    def __init__(self, woken: Channel) -> None:
        self._woken = woken
        self._pods: dict[str, set[Key]] = {}
        self._ready: dict[str, bool] = {}
        self._evicting: set[str] = set()
        self._any_ready = False

    @property
    def evicts(self) -> bool:
        """Whether pods are driven off nodes that are not ready."""
        return self._any_ready

    def pods_on(self, node: str) -> list[Key]:
        """The pods on a node, by name."""
        return sorted(self._pods.get(node, ()))

    def see_pod(self, change: Change[Pod]) -> None:
        """A pod got a node, or is gone."""
        node = str(change.latest.data["spec"].get("nodeName", ""))
        if not node:
            return
        if change.new is None:
            those = self._pods.get(node, set())
            those.discard(change.key)
            if not those:
                self._pods.pop(node, None)
            return
        self._pods.setdefault(node, set()).add(change.key)
        if node in self._evicting:
            self._woken.send(Key("", node), "a pod on a node that drives pods off")

    def see_node(self, change: Change[Node]) -> None:
        """A node came, went, or may have become ready or not."""
        name = change.key.name
        if change.new is None:
            self._ready.pop(name, None)
            self._evicting.discard(name)
        else:
            data = change.new.data
            conditions = (data.get("status") or {}).get("conditions") or ()
            self._ready[name] = any(each["type"] == READY and each["status"] == "True" for each in conditions)
            taints = (data.get("spec") or {}).get("taints") or ()
            drives_off = any(each.get("effect") == "NoExecute" for each in taints)
            (self._evicting.add if drives_off else self._evicting.discard)(name)
        any_ready = any(self._ready.values())
        if any_ready != self._any_ready:
            self._any_ready = any_ready
            for each, is_ready in self._ready.items():
                if not is_ready:
                    self._woken.send(Key("", each), "other nodes became ready or not")
