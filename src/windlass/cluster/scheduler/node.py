from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.cluster.scheduler.request import PODS, Amounts, amounts

if TYPE_CHECKING:
    from windlass.api import Key
    from windlass.cluster.scheduler.pod import PodInfo
    from windlass.kinds.core.v1 import Node


class NodeState:
    """One node, and what the pods on it have taken; sums are kept, not counted anew.

    `is_plain` says that nothing about the node itself keeps a pod away. `memo` is for what follows from all
    this alone: it is emptied with every change.
    """

    __slots__ = (
        "allocatable",
        "is_plain",
        "labels",
        "memo",
        "name",
        "node",
        "pods",
        "room",
        "supposed",
        "taken",
    )

    def __init__(self, name: str) -> None:
        self.name = name
        self.node: Node | None = None
        self.is_plain = True
        self.labels: dict[str, str] = {}
        self.allocatable: Amounts = {}
        self.room = 0
        self.pods: dict[Key, PodInfo] = {}
        self.taken: Amounts = {}
        self.supposed = (0, 0)
        self.memo: dict[object, int] = {}

    def become(self, node: Node | None) -> None:
        """The node has changed, or is there no more."""
        self.node = node
        self.is_plain = node is None or not (node.spec.taints or node.spec.unschedulable)
        self.labels = node.metadata.labels if node else {}
        self.allocatable = amounts(node.status.allocatable) if node else {}
        self.room = self.allocatable.get(PODS, 0)
        self.memo.clear()

    def add(self, pod: PodInfo) -> None:
        """A pod is placed here."""
        self.pods[pod.key] = pod
        self._count(pod, 1)

    def remove(self, pod: PodInfo) -> None:
        """A pod that was here is gone, or has ended."""
        del self.pods[pod.key]
        self._count(pod, -1)

    def _count(self, pod: PodInfo, sign: int) -> None:
        taken = self.taken
        for name, value in pod.requests.items():
            taken[name] = taken.get(name, 0) + sign * value
        cpu, memory = self.supposed
        self.supposed = (cpu + sign * pod.supposed[0], memory + sign * pod.supposed[1])
        self.memo.clear()
