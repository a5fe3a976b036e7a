"""Which nodes a pod could lie on, and which of them it gets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.cluster.scheduler.between import between_checks
from windlass.cluster.scheduler.lone import lone_checks, named_nodes
from windlass.cluster.scheduler.score import scores
from windlass.cluster.scheduler.verdict import Rule, Verdict, first_verdict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from windlass.cluster.scheduler.ledger import Ledger
    from windlass.cluster.scheduler.node import NodeState
    from windlass.cluster.scheduler.pod import PodInfo
    from windlass.cluster.scheduler.verdict import Check
    from windlass.kinds.core.v1 import PodSpec

_ENOUGH: Final = 100
_LEAST_PERCENT: Final = 5
_NOT_NAMED: Final = Verdict(Rule.AFFINITY, ("node(s) didn't satisfy plugin(s) [NodeAffinity]",), final=True)


class Wanted(NamedTuple):
    """A pod that wants a node; `volumes` holds nodes against the volumes that it uses."""

    pod: PodInfo
    spec: PodSpec
    volumes: Check | None = None

    def checks(self, ledger: Ledger) -> list[Check]:
        """All rules that matter for the pod as things are now, in the order in which they are told."""
        checks = list(lone_checks(self.pod, self.spec))
        if self.volumes:
            checks.append(self.volumes)
        checks.extend(between_checks(self.pod, self.spec, ledger))
        return checks


@dataclass(slots=True)
class Search:
    """The nodes that do, and why the others do not; `looked` counts those that were asked."""

    fits: list[NodeState] = field(default_factory=list)
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    looked: int = 0


def enough(nodes: int) -> int:
    """How many nodes that do are enough to choose from: in a large cluster looking at all takes too long."""
    if nodes < _ENOUGH:
        return nodes
    percent = max(50 - nodes // 125, _LEAST_PERCENT)
    return max(nodes * percent // 100, _ENOUGH)


def search(wanted: Wanted, ledger: Ledger, start: int = 0) -> Search:
    """Look for nodes, beginning at a place in their order, so that each gets its turn.

    A node that was cleared for the pod by preemption is taken where it does, without another look around.
    """
    checks = wanted.checks(ledger)
    cleared = ledger.nodes.get(wanted.pod.nominated)
    if cleared and verdict_on(wanted, cleared, checks, ledger) is None:
        return Search(fits=[cleared], looked=1)
    named = named_nodes(wanted.spec)
    if named is not None:
        return _search_named(wanted, named, checks, ledger)
    nodes = ledger.order
    found, most = Search(), enough(len(nodes))
    for offset in range(len(nodes)):
        state = nodes[(start + offset) % len(nodes)]
        found.looked += 1
        if state.name in ledger.nominated:
            verdict = verdict_on(wanted, state, checks, ledger)
        else:
            verdict = first_verdict(checks, state)
        if verdict is not None:
            found.verdicts[state.name] = verdict
            continue
        found.fits.append(state)
        if len(found.fits) >= most:
            break
    return found


def choose(wanted: Wanted, fits: Sequence[NodeState], ledger: Ledger, chance: Random) -> NodeState:
    """The best of the nodes that do; chance decides between equals."""
    if len(fits) == 1:
        return fits[0]
    worth = scores(wanted.pod, wanted.spec, fits, ledger)
    best = max(worth)
    return chance.choice([state for state, score in zip(fits, worth, strict=True) if score == best])


def verdict_on(wanted: Wanted, state: NodeState, checks: Sequence[Check], ledger: Ledger) -> Verdict | None:
    """Hold one node against the rules, also with the pods there that are about to come to it.

    Those are pods for which others were sent away and which are at least as important.
    """
    coming = ledger.nominated.get(state.name)
    if coming:
        pod = wanted.pod
        ahead = [
            each.on(state.name)
            for each in coming.values()
            if each.priority >= pod.priority and each.key != pod.key
        ]
        if ahead:
            with ledger.supposing(there=ahead):
                verdict = first_verdict(wanted.checks(ledger), state)
            if verdict is not None:
                return verdict
    return first_verdict(checks, state)


def _search_named(wanted: Wanted, named: frozenset[str], checks: list[Check], ledger: Ledger) -> Search:
    found = Search(looked=len(ledger.nodes))
    for name, state in ledger.nodes.items():
        if name not in named:
            found.verdicts[name] = _NOT_NAMED
            continue
        verdict = verdict_on(wanted, state, checks, ledger)
        if verdict is None:
            found.fits.append(state)
        else:
            found.verdicts[name] = verdict
    return found
