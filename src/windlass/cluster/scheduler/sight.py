from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.cluster.scheduler.lone import with_room
from windlass.cluster.scheduler.pod import PodInfo
from windlass.cluster.scheduler.verdict import Rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Change, Json, Key
    from windlass.cluster.scheduler.ledger import Ledger
    from windlass.cluster.scheduler.node import NodeState
    from windlass.cluster.scheduler.stuck import Stuck
    from windlass.kinds.core.v1 import Namespace, Node, Pod
    from windlass.reconcile import Channel

SCHEDULER: Final = "default-scheduler"
_ENDED: Final = ("Succeeded", "Failed")
_BETWEEN: Final = (Rule.SPREAD, Rule.NEIGHBOUR)
_ROOM: Final = (Rule.FIT, Rule.PORT, *_BETWEEN)
_ALL: Final = tuple(Rule)


class Sight:
    """Sees what changes in the cluster: enters it into the ledger, and wakes the pods that it may help."""

    def __init__(self, ledger: Ledger, stuck: Stuck, woken: Channel) -> None:
        self._ledger = ledger
        self._stuck = stuck
        self._woken = woken

    def see_pod(self, change: Change[Pod]) -> None:
        """A pod came, went, got a node or ended."""
        new = change.new.data if change.new else None
        if new is None or new["status"].get("phase") in _ENDED:
            self._stuck.drop(change.key)
            left = self._ledger.drop(change.key)
            state = self._ledger.nodes.get(left.node) if left else None
            if state:
                self._wake(_ROOM, "a pod left", state)
            return
        old = change.old.data if change.old else None
        if old is not None and _bearing(old) == _bearing(new):
            return
        pod = PodInfo.of(change.latest.shared)
        if not pod.node:
            self._ledger.put_waiting(pod)
            return
        self._stuck.drop(change.key)
        self._ledger.put_placed(pod)
        self._wake(_BETWEEN, "a pod was placed")

    def see_node(self, change: Change[Node]) -> None:
        """A node came, went, or changed in what pods can see of it."""
        if change.new is None:
            if change.key.name in self._ledger.nodes:
                self._ledger.drop_node(change.key.name)
            self._wake(_BETWEEN, "a node left")
            return
        if change.old is not None and _offer(change.old.data) == _offer(change.new.data):
            return
        state = self._ledger.put_node(change.new.decode())
        self._wake(_ALL, "a node changed", state)

    def see_namespace(self, change: Change[Namespace]) -> None:
        """The labels of a namespace may have changed."""
        if change.new is None:
            self._ledger.namespaces.pop(change.key.name, None)
            return
        labels = dict(change.new.metadata.get("labels") or {})
        if self._ledger.namespaces.get(change.key.name) != labels:
            self._ledger.namespaces[change.key.name] = labels
            self._wake((Rule.NEIGHBOUR,), "a namespace changed")

    def see_storage(self, change: Change[Any]) -> None:
        """A claim, a volume or a class changed: who waits for one may have it now."""
        namespace = change.key.namespace
        self._send(
            self._stuck.let_go((Rule.VOLUME,), lambda key: namespace in ("", key.namespace)),
            f"a {change.kind.__kind__.name} changed",
        )

    def _wake(self, rules: Iterable[Rule], why: str, state: NodeState | None = None) -> None:
        """Try those again that these rules refused; where one node changed, those that it has room for."""
        self._send(self._stuck.let_go(rules, lambda key: state is None or self._is_room(key, state)), why)

    def _is_room(self, key: Key, state: NodeState) -> bool:
        pod = self._ledger.waiting.get(key)
        if pod is None or pod.nominated == state.name:
            return True
        return with_room(pod.requests)(state) is None

    def _send(self, keys: Iterable[Key], why: str) -> None:
        for key in keys:
            self._woken.send(key, why)


def is_waiting(change: Change[Pod]) -> bool:
    """Whether a change leaves a pod that we have to find a node for, and it is not about its status alone."""
    if change.new is None:
        return False
    new = change.new.data
    spec = new["spec"]
    if spec.get("nodeName") or spec.get("schedulingGates") or spec.get("schedulerName") != SCHEDULER:
        return False
    return change.old is None or _bearing(change.old.data) != _bearing(new)


def _bearing(pod: Json) -> tuple[object, ...]:
    """What of a pod bears on where it, and others, can lie."""
    metadata, status = pod["metadata"], pod["status"]
    return (
        metadata.get("uid"),
        metadata.get("labels"),
        metadata.get("deletionTimestamp"),
        pod["spec"],
        status.get("nominatedNodeName"),
        status.get("startTime"),
    )


def _offer(node: Json) -> tuple[object, ...]:
    """What of a node bears on which pods can lie there."""
    status = node.get("status") or {}
    return node["metadata"].get("labels"), node.get("spec"), status.get("allocatable")
