"""Who lies where: nodes, the pods on them and the pods that wait, kept in step with what is seen."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from windlass.cluster.scheduler.node import NodeState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from windlass.api import Key
    from windlass.cluster.scheduler.pod import Likeness, PodInfo
    from windlass.cluster.scheduler.term import Namespaces
    from windlass.kinds.core.v1 import Node

Kin = dict[str, int]
"""How many pods that are alike lie on each node."""


class Ledger:
    """Everything that a decision is made from, ready to be looked up; it decides nothing.

    Pods that are alike are counted together, so that a rule between pods is held against thousands of
    replicas once. A pod that was given a node is `assumed` there until the cluster says the same.
    """

    def __init__(self) -> None:
        self.nodes: dict[str, NodeState] = {}
        self.kin: dict[str, dict[Likeness, Kin]] = {}
        self.with_terms: dict[Likeness, Kin] = {}
        self.namespaces: Namespaces = {}
        self.waiting: dict[Key, PodInfo] = {}
        self.nominated: dict[str, dict[Key, PodInfo]] = {}
        self._states: dict[str, NodeState] = {}
        self._placed: dict[Key, PodInfo] = {}
        self._assumed: set[Key] = set()
        self._order: Sequence[NodeState] | None = None

    @property
    def order(self) -> Sequence[NodeState]:
        """The nodes in an order that only changes when one comes or goes."""
        if self._order is None:
            self._order = tuple(self.nodes.values())
        return self._order

    def placed(self, key: Key) -> PodInfo | None:
        """A pod that has a node, be it assumed."""
        return self._placed.get(key)

    def put_node(self, node: Node) -> NodeState:
        """A node is there, or has changed."""
        state = self._state(node.metadata.name)
        state.become(node)
        if state.name not in self.nodes:
            self.nodes[state.name] = state
            self._order = None
        return state

    def drop_node(self, name: str) -> None:
        """A node is gone; the pods on it may yet be there."""
        state = self.nodes.pop(name)
        state.become(None)
        self._order = None
        self._tidy(state)

    def put_waiting(self, pod: PodInfo) -> None:
        """A pod has no node, or none that the cluster knows of yet."""
        found = self._placed.get(pod.key)
        if found is not None and found.uid == pod.uid:
            return
        self.drop(pod.key)
        self.waiting[pod.key] = pod
        if pod.nominated:
            self.nominated.setdefault(pod.nominated, {})[pod.key] = pod

    def put_placed(self, pod: PodInfo) -> None:
        """A pod lies on a node."""
        self.drop(pod.key)
        self._place(pod)

    def drop(self, key: Key) -> PodInfo | None:
        """A pod is gone, or has ended; returns what was known of it where it had a node."""
        waiting = self.waiting.pop(key, None)
        if waiting is not None and waiting.nominated:
            those = self.nominated[waiting.nominated]
            del those[key]
            if not those:
                del self.nominated[waiting.nominated]
        self._assumed.discard(key)
        placed = self._placed.get(key)
        if placed is not None:
            self._displace(placed)
        return placed

    def assume(self, pod: PodInfo, node: str) -> None:
        """Take a pod for placed while the cluster is told."""
        self.put_placed(pod.on(node))
        self._assumed.add(pod.key)

    def release(self, pod: PodInfo) -> None:
        """It was not placed after all."""
        if pod.key in self._assumed:
            self.drop(pod.key)
            self.put_waiting(pod)

    @contextmanager
    def supposing(self, *, gone: Iterable[PodInfo] = (), there: Iterable[PodInfo] = ()) -> Iterator[None]:
        """What if some pods were not there, and others were? For the length of a block without waits."""
        gone, there = tuple(gone), tuple(there)
        for pod in gone:
            self._displace(pod)
        for pod in there:
            self._place(pod)
        try:
            yield
        finally:
            for pod in there:
                self._displace(pod)
            for pod in gone:
                self._place(pod)

    def _place(self, pod: PodInfo) -> None:
        self._placed[pod.key] = pod
        self._state(pod.node).add(pod)
        kin = self.kin.setdefault(pod.likeness.namespace, {}).setdefault(pod.likeness, {})
        kin[pod.node] = kin.get(pod.node, 0) + 1
        if pod.likeness.terms:
            self.with_terms[pod.likeness] = kin

    def _displace(self, pod: PodInfo) -> None:
        del self._placed[pod.key]
        state = self._states[pod.node]
        state.remove(pod)
        self._tidy(state)
        alike = self.kin[pod.likeness.namespace]
        kin = alike[pod.likeness]
        kin[pod.node] -= 1
        if kin[pod.node]:
            return
        del kin[pod.node]
        if not kin:
            del alike[pod.likeness]
            self.with_terms.pop(pod.likeness, None)
            if not alike:
                del self.kin[pod.likeness.namespace]

    def _state(self, name: str) -> NodeState:
        found = self._states.get(name)
        if found is None:
            found = self._states[name] = NodeState(name)
        return found

    def _tidy(self, state: NodeState) -> None:
        if state.node is None and not state.pods:
            del self._states[state.name]
