"""The rules between pods: to be near some, to keep away from others, to lie evenly."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from windlass.cluster.placement import matches_node_selector, tolerates
from windlass.cluster.scheduler.term import spreads_of
from windlass.cluster.scheduler.verdict import Rule, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from windlass.api import Selector
    from windlass.cluster.scheduler.ledger import Kin, Ledger
    from windlass.cluster.scheduler.node import NodeState
    from windlass.cluster.scheduler.pod import Likeness, PodInfo
    from windlass.cluster.scheduler.term import Spread
    from windlass.cluster.scheduler.verdict import Check
    from windlass.kinds.core.v1 import PodSpec

Counts = Counter[tuple[str, str]]
"""How many pods there are in each domain: the name of a label of nodes, and its value."""

_NOT_NEAR = Verdict(Rule.NEIGHBOUR, ("node(s) didn't match pod affinity rules",), final=True)
_NOT_APART = Verdict(Rule.NEIGHBOUR, ("node(s) didn't match pod anti-affinity rules",))
_UNWELCOME = Verdict(Rule.NEIGHBOUR, ("node(s) didn't satisfy existing pods anti-affinity rules",))
_UNEVEN = Verdict(Rule.SPREAD, ("node(s) didn't match pod topology spread constraints",))
_NO_DOMAIN = Verdict(
    Rule.SPREAD,
    ("node(s) didn't match pod topology spread constraints (missing required label)",),
    final=True,
)


def between_checks(pod: PodInfo, spec: PodSpec, ledger: Ledger) -> Iterator[Check]:
    """The rules that matter for a pod, in the order in which they are told."""
    spreads = spreads_of(spec.topology_spread_constraints, pod.labels, "DoNotSchedule")
    if spreads:
        yield evenly(pod, spec, spreads, ledger)
    if pod.likeness.terms.near:
        yield near(pod, ledger)
    if pod.likeness.terms.apart:
        yield apart(pod, ledger)
    repelled = unwelcome_domains(pod, ledger)
    if repelled:
        yield welcome(repelled)


def near(pod: PodInfo, ledger: Ledger) -> Check:
    """Pods that this one must be near to are in the node's domains.

    The first of several that want to be near each other finds nobody, and may lie anywhere.
    """
    terms = pod.likeness.terms.near
    counts: Counts = Counter()
    for likeness, kin in _all_kin(ledger):
        if all(each.matches(likeness.namespace, dict(likeness.labels), ledger.namespaces) for each in terms):
            for term in terms:
                _count(counts, term.topology, kin, ledger)
    is_first = not counts and all(
        each.matches(pod.key.namespace, pod.labels, ledger.namespaces) for each in terms
    )

    def check(state: NodeState) -> Verdict | None:
        labels = state.labels
        if any(term.topology not in labels for term in terms):
            return _NOT_NEAR
        found = all(counts[term.topology, labels[term.topology]] for term in terms)
        return None if found or is_first else _NOT_NEAR

    return check


def apart(pod: PodInfo, ledger: Ledger) -> Check:
    """No pod that this one keeps away from is in the node's domains."""
    counts: Counts = Counter()
    for term in pod.likeness.terms.apart:
        for likeness, kin in _all_kin(ledger):
            if term.matches(likeness.namespace, dict(likeness.labels), ledger.namespaces):
                _count(counts, term.topology, kin, ledger)
    return _outside(counts, _NOT_APART)


def unwelcome_domains(pod: PodInfo, ledger: Ledger) -> Counts:
    """Where pods lie that keep away from pods such as this one."""
    counts: Counts = Counter()
    for likeness, kin in ledger.with_terms.items():
        for term in likeness.terms.apart:
            if term.matches(pod.key.namespace, pod.labels, ledger.namespaces):
                _count(counts, term.topology, kin, ledger)
    return counts


def welcome(repelled: Counts) -> Check:
    """No pod in the node's domains keeps away from this one."""
    return _outside(repelled, _UNWELCOME)


def evenly(pod: PodInfo, spec: PodSpec, spreads: Iterable[Spread], ledger: Ledger) -> Check:
    """One more pod in the node's domains does not make them uneven."""
    spreads = tuple(spreads)
    limits = [(each.topology, *_allowed(each, spreads, pod, spec, ledger)) for each in spreads]

    def check(state: NodeState) -> Verdict | None:
        for topology, most, counts in limits:
            domain = state.labels.get(topology)
            if domain is None:
                return _NO_DOMAIN
            if counts[domain] > most:
                return _UNEVEN
        return None

    return check


def _allowed(
    spread: Spread, spreads: tuple[Spread, ...], pod: PodInfo, spec: PodSpec, ledger: Ledger
) -> tuple[int, Counter[str]]:
    """How many pods a domain may have before this one comes, and how many each has."""
    counts: Counter[str] = Counter()
    alike = pods_by_node(spread.selector, pod.key.namespace, ledger)
    for state in ledger.order:
        if all(each.topology in state.labels for each in spreads) and counts_for(spread, spec, state):
            counts[state.labels[spread.topology]] += alike[state.name]
    fewest = min(counts.values(), default=0) if len(counts) >= spread.min_domains else 0
    itself = spread.selector.matches(pod.labels)
    return spread.max_skew + fewest - itself, counts


def counts_for(spread: Spread, spec: PodSpec, state: NodeState) -> bool:
    """Whether a node is one of those over which pods are spread."""
    node = state.node
    if node is None or (spread.heeds_affinity and not matches_node_selector(spec, node)):
        return False
    return not spread.heeds_taints or tolerates(spec.tolerations, node.spec.taints)


def pods_by_node(selector: Selector, namespace: str, ledger: Ledger) -> Counter[str]:
    """How many pods of a namespace are selected on each node; those that are going do not count."""
    counts: Counter[str] = Counter()
    if not selector.requirements:
        return counts
    for likeness, kin in ledger.kin.get(namespace, {}).items():
        if not likeness.terminating and selector.matches(dict(likeness.labels)):
            counts.update(kin)
    return counts


def _outside(counts: Counts, verdict: Verdict) -> Check:
    topologies = {topology for topology, _ in counts}

    def check(state: NodeState) -> Verdict | None:
        labels = state.labels
        for topology in topologies:
            domain = labels.get(topology)
            if domain is not None and counts[topology, domain]:
                return verdict
        return None

    return check


def _all_kin(ledger: Ledger) -> Iterator[tuple[Likeness, Kin]]:
    for alike in ledger.kin.values():
        yield from alike.items()


def _count(counts: Counts, topology: str, kin: Kin, ledger: Ledger) -> None:
    """Add pods to the domains that they lie in."""
    for node, number in kin.items():
        state = ledger.nodes.get(node)
        domain = state.labels.get(topology) if state else None
        if domain is not None:
            counts[topology, domain] += number
