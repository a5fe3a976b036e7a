"""The rules that look at one pod and one node: its labels, its taints, what room it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.cluster.placement import matches_node_selector, tolerates
from windlass.cluster.scheduler.verdict import Rule, Verdict
from windlass.kinds.core.v1 import Taint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.cluster.scheduler.node import NodeState
    from windlass.cluster.scheduler.pod import PodInfo
    from windlass.cluster.scheduler.request import Amounts
    from windlass.cluster.scheduler.verdict import Check
    from windlass.kinds.core.v1 import PodSpec

_CORDONED = Taint(key="node.kubernetes.io/unschedulable", effect="NoSchedule")
_UNSCHEDULABLE = Verdict(Rule.UNSCHEDULABLE, ("node(s) were unschedulable",), final=True)
_TAINTED = Verdict(Rule.TAINT, ("node(s) had untolerated taint(s)",), final=True)
_UNMATCHED = Verdict(Rule.AFFINITY, ("node(s) didn't match Pod's node affinity/selector",), final=True)
_PORT_TAKEN = Verdict(Rule.PORT, ("node(s) didn't have free ports for the requested pod ports",))
_CROWDED = "Too many pods"


def lone_checks(pod: PodInfo, spec: PodSpec) -> Iterator[Check]:
    """The rules that matter for a pod, in the order in which they are told."""
    yield open_to(spec)
    if spec.node_selector or (spec.affinity and spec.affinity.node_affinity):
        yield selected(spec)
    if pod.ports:
        yield with_ports(pod)
    yield with_room(pod.requests)


def open_to(spec: PodSpec) -> Check:
    """Nobody has put the node out of service, and it has no taints that keep the pod away."""
    tolerations = spec.tolerations
    minds = not tolerates(tolerations, [_CORDONED])

    def check(state: NodeState) -> Verdict | None:
        if state.is_plain or state.node is None:
            return None
        if minds and state.node.spec.unschedulable:
            return _UNSCHEDULABLE
        return None if tolerates(tolerations, state.node.spec.taints) else _TAINTED

    return check


def selected(spec: PodSpec) -> Check:
    """The node has the labels that the pod requires."""

    def check(state: NodeState) -> Verdict | None:
        return None if state.node and matches_node_selector(spec, state.node) else _UNMATCHED

    return check


def with_ports(pod: PodInfo) -> Check:
    """The ports of the node that the pod wants are free."""

    def check(state: NodeState) -> Verdict | None:
        taken = (port for other in state.pods.values() for port in other.ports)
        return _PORT_TAKEN if any(port.collides(wanted) for port in taken for wanted in pod.ports) else None

    return check


def with_room(requests: Amounts) -> Check:
    """The node has room for one more pod, and for what this one asks for."""
    wanted = tuple((name, value) for name, value in requests.items() if value)

    def check(state: NodeState) -> Verdict | None:
        room, taken = state.allocatable, state.taken
        if len(state.pods) < state.room:
            for name, value in wanted:
                if value > room.get(name, 0) - taken.get(name, 0):
                    break
            else:
                return None
        return _short(state, wanted)

    return check


def _short(state: NodeState, wanted: tuple[tuple[str, int], ...]) -> Verdict:
    """What a node has too little of; no pod that goes helps where it could not even hold this one alone."""
    room, taken = state.allocatable, state.taken
    missing = [name for name, value in wanted if value > room.get(name, 0) - taken.get(name, 0)]
    reasons = [f"Insufficient {name}" for name in missing]
    if len(state.pods) >= state.room:
        reasons.insert(0, _CROWDED)
    hopeless = any(value > room.get(name, 0) for name, value in wanted)
    return Verdict(Rule.FIT, tuple(reasons), final=hopeless)


def named_nodes(spec: PodSpec) -> frozenset[str] | None:
    """The only nodes for a pod, by their names, as for one of a daemon set; None where it names none."""
    affinity = spec.affinity.node_affinity if spec.affinity else None
    required = affinity.required_during_scheduling_ignored_during_execution if affinity else None
    if required is None or not required.node_selector_terms:
        return None
    names: set[str] = set()
    for term in required.node_selector_terms:
        fields = [each for each in term.match_fields if each.key == "metadata.name" and each.operator == "In"]
        if not fields:
            return None
        names |= set.intersection(*(set(each.values) for each in fields))
    return frozenset(names)
