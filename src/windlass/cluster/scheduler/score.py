"""Which of the nodes that do is the best: each view gives 0 to 100, and the views are weighed."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Final

from windlass.cluster.placement import preference, untolerated
from windlass.cluster.scheduler.between import counts_for, pods_by_node
from windlass.cluster.scheduler.request import CPU, MEMORY
from windlass.cluster.scheduler.term import spreads_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windlass.cluster.scheduler.ledger import Kin, Ledger
    from windlass.cluster.scheduler.node import NodeState
    from windlass.cluster.scheduler.pod import Likeness, PodInfo
    from windlass.cluster.scheduler.term import Spread, Term
    from windlass.kinds.core.v1 import PodSpec

_MOST: Final = 100
_TAINT_WEIGHT: Final = 3
_AFFINITY_WEIGHT: Final = 2
_SPREAD_WEIGHT: Final = 2
_NEIGHBOUR_WEIGHT: Final = 2
_HOSTNAME: Final = "kubernetes.io/hostname"
_ZONE: Final = "topology.kubernetes.io/zone"
_SYSTEM_SKEW: Final = {_HOSTNAME: 3, _ZONE: 5}
"""How far replicas of a pod that says nothing about it may lie unevenly before it weighs."""

Scores = list[int]


def scores(pod: PodInfo, spec: PodSpec, nodes: Sequence[NodeState], ledger: Ledger) -> Scores:
    """What each of these nodes is worth to a pod; the highest is the best."""
    totals = room_scores(pod, nodes)
    views = (
        (_TAINT_WEIGHT, taint_scores(spec, nodes)),
        (_AFFINITY_WEIGHT, affinity_scores(spec, nodes)),
        (_SPREAD_WEIGHT, spread_scores(pod, spec, nodes, ledger)),
        (_NEIGHBOUR_WEIGHT, neighbour_scores(pod, nodes, ledger)),
    )
    for weight, view in views:
        if view is not None:
            totals = [total + weight * score for total, score in zip(totals, view, strict=True)]
    return totals


def room_scores(pod: PodInfo, nodes: Sequence[NodeState]) -> Scores:
    """The more is left on a node, and the more evenly of CPU and memory, the better."""
    cpu, memory = pod.requests.get(CPU, 0), pod.requests.get(MEMORY, 0)
    known = (cpu, memory, *pod.supposed)
    found: Scores = []
    for state in nodes:
        score = state.memo.get(known)
        if score is None:
            score = _left(state, pod.supposed)
            if cpu or memory:
                score += _balance(state, cpu, memory)
            state.memo[known] = score
        found.append(score)
    return found


def taint_scores(spec: PodSpec, nodes: Sequence[NodeState]) -> Scores | None:
    """The fewer taints a pod had better avoid, the better."""
    if all(state.is_plain for state in nodes):
        return None
    counts = [
        sum(
            untolerated(spec.tolerations, (taint,), ("PreferNoSchedule",)) is not None
            for taint in state.node.spec.taints
        )
        if state.node and state.node.spec.taints
        else 0
        for state in nodes
    ]
    most = max(counts)
    return [_MOST - _MOST * each // most for each in counts] if most else None


def affinity_scores(spec: PodSpec, nodes: Sequence[NodeState]) -> Scores | None:
    """The more of the node affinity's preferences, the better."""
    affinity = spec.affinity.node_affinity if spec.affinity else None
    if affinity is None or not affinity.preferred_during_scheduling_ignored_during_execution:
        return None
    sums = [preference(spec, state.node) if state.node else 0 for state in nodes]
    most = max(sums)
    return [_MOST * each // most for each in sums] if most else None


def spread_scores(pod: PodInfo, spec: PodSpec, nodes: Sequence[NodeState], ledger: Ledger) -> Scores | None:
    """The fewer pods of the same kind in the node's domains, the better."""
    if spec.topology_spread_constraints:
        spreads = spreads_of(spec.topology_spread_constraints, pod.labels, "ScheduleAnyway")
        return _wished_spread(pod, spec, spreads, nodes, ledger) if spreads else None
    if not pod.likeness.owner:
        return None
    alike: Counter[str] = Counter()
    for likeness, kin in ledger.kin.get(pod.key.namespace, {}).items():
        if likeness.owner == pod.likeness.owner and not likeness.terminating:
            alike.update(kin)
    if not alike:
        return None
    raw = [0.0] * len(nodes)
    for topology, skew in _SYSTEM_SKEW.items():
        counts = _by_domain(topology, alike, ledger)
        _add_counts(raw, nodes, (topology, skew), counts)
    return _inverted([round(each) for each in raw], [True] * len(nodes))


def neighbour_scores(pod: PodInfo, nodes: Sequence[NodeState], ledger: Ledger) -> Scores | None:
    """The more pods that this one likes, or that like this one, in the node's domains, the better."""
    worth: Counter[tuple[str, str]] = Counter()
    for term, weight, kin in _liked(pod, ledger):
        for name, number in kin.items():
            state = ledger.nodes.get(name)
            if state and term.topology in state.labels:
                worth[term.topology, state.labels[term.topology]] += weight * number
    if not worth:
        return None
    topologies = {topology for topology, _ in worth}
    sums = [
        sum(worth[topology, state.labels[topology]] for topology in topologies if topology in state.labels)
        for state in nodes
    ]
    least, most = min(sums), max(sums)
    return [int(_MOST * (each - least) / (most - least)) for each in sums] if most > least else None


def _left(state: NodeState, supposed: tuple[int, int]) -> int:
    shares = []
    for name, taken, wanted in zip((CPU, MEMORY), state.supposed, supposed, strict=True):
        room = state.allocatable.get(name, 0)
        if room:
            shares.append(max(room - taken - wanted, 0) * _MOST // room)
    return sum(shares) // len(shares) if shares else 0


def _balance(state: NodeState, cpu: int, memory: int) -> int:
    """How much more even a node becomes: 75 where nothing changes."""
    taken = (state.taken.get(CPU, 0), state.taken.get(MEMORY, 0))
    after = _evenness(state, (taken[0] + cpu, taken[1] + memory))
    return _MOST // 2 + (_MOST // 2 + after - _evenness(state, taken)) // 2


def _evenness(state: NodeState, taken: tuple[int, int]) -> int:
    room = (state.allocatable.get(CPU, 0), state.allocatable.get(MEMORY, 0))
    if not all(room):
        return _MOST
    first, second = (min(part / whole, 1.0) for part, whole in zip(taken, room, strict=True))
    return int((1 - abs(first - second) / 2) * _MOST)


def _wished_spread(
    pod: PodInfo, spec: PodSpec, spreads: tuple[Spread, ...], nodes: Sequence[NodeState], ledger: Ledger
) -> Scores:
    takes_part = [all(each.topology in state.labels for each in spreads) for state in nodes]
    raw = [0.0] * len(nodes)
    for spread in spreads:
        alike = pods_by_node(spread.selector, pod.key.namespace, ledger)
        counted = {
            state.name: alike[state.name]
            for state in ledger.order
            if alike[state.name]
            and (spread.topology == _HOSTNAME or counts_for(spread, spec, state))
            and all(each.topology in state.labels for each in spreads)
        }
        counts = _by_domain(spread.topology, counted, ledger)
        _add_counts(raw, nodes, (spread.topology, spread.max_skew), counts)
    return _inverted([round(each) for each in raw], takes_part)


def _by_domain(topology: str, alike: dict[str, int], ledger: Ledger) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name, number in alike.items():
        state = ledger.nodes.get(name)
        domain = state.labels.get(topology) if state else None
        if domain is not None:
            counts[domain] = counts.get(domain, 0) + number
    return counts


def _add_counts(
    raw: list[float], nodes: Sequence[NodeState], wish: tuple[str, int], counts: dict[str, int]
) -> None:
    """Add what pods in the same domains weigh: the more domains there are, the more one pod does."""
    topology, skew = wish
    domains = [state.labels.get(topology) for state in nodes]
    weight = math.log(len({*domains} - {None}) + 2)
    for position, domain in enumerate(domains):
        if domain is not None:
            raw[position] += counts.get(domain, 0) * weight + skew - 1


def _inverted(raw: list[int], takes_part: list[bool]) -> Scores:
    """Few is good: the one with the least gets the most."""
    counted = [each for each, part in zip(raw, takes_part, strict=True) if part]
    least, most = min(counted, default=0), max(counted, default=0)
    return [
        0 if not part else _MOST if not most else _MOST * (most + least - each) // most
        for each, part in zip(raw, takes_part, strict=True)
    ]


def _liked(pod: PodInfo, ledger: Ledger) -> Iterator[tuple[Term, int, Kin]]:
    """Pods that matter to this one or the other way round, by which term, and how much each is worth."""
    own, known = pod.likeness.terms, ledger.namespaces
    wishes = [(each, each.weight) for each in own.rather_near]
    wishes += [(each, -each.weight) for each in own.rather_apart]
    if wishes:
        for alike in ledger.kin.values():
            for likeness, kin in alike.items():
                labels = dict(likeness.labels)
                for term, weight in wishes:
                    if term.matches(likeness.namespace, labels, known):
                        yield term, weight, kin
    for likeness, kin in ledger.with_terms.items():
        for term, weight in _wishes_of(likeness):
            if term.matches(pod.key.namespace, pod.labels, known):
                yield term, weight, kin


def _wishes_of(likeness: Likeness) -> Iterator[tuple[Term, int]]:
    """What a pod that is there likes; what it must be near to it likes a little more than nothing."""
    terms = likeness.terms
    yield from ((each, 1) for each in terms.near)
    yield from ((each, each.weight) for each in terms.rather_near)
    yield from ((each, -each.weight) for each in terms.rather_apart)
