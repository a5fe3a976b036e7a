"""Whom to send away so that a more important pod has room: as few and as unimportant as possible."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.cluster.scheduler.search import verdict_on
from windlass.cluster.scheduler.verdict import Rule, Verdict, told

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from random import Random

    from windlass.cluster.scheduler.ledger import Ledger
    from windlass.cluster.scheduler.node import NodeState
    from windlass.cluster.scheduler.pod import PodInfo
    from windlass.cluster.scheduler.search import Wanted
    from windlass.kinds.policy.v1 import PodDisruptionBudget

_NO_HELP: Final = Verdict(Rule.FIT, ("Preemption is not helpful for scheduling",), final=True)
_NOBODY: Final = Verdict(Rule.FIT, ("No preemption victims found for incoming pod",), final=True)
_NEVER: Final = "not eligible due to preemptionPolicy=Never."
_GOING: Final = "not eligible due to a terminating pod on the nominated node."
_PERCENT: Final = 10
_LEAST: Final = 100


class Clearance(NamedTuple):
    """A node, and the pods that have to go from it, the most important first."""

    node: str
    victims: tuple[PodInfo, ...]
    violations: int = 0


def ineligible(wanted: Wanted, ledger: Ledger, verdicts: Mapping[str, Verdict]) -> str:
    """Why a pod may not send others away now; empty where it may."""
    if wanted.spec.preemption_policy == "Never":
        return _NEVER
    pod = wanted.pod
    verdict = verdicts.get(pod.nominated)
    state = ledger.nodes.get(pod.nominated)
    if state is None or (verdict and verdict.final):
        return ""
    going = any(each.preempted and each.priority < pod.priority for each in state.pods.values())
    return _GOING if going else ""


def clear(
    wanted: Wanted,
    ledger: Ledger,
    verdicts: Mapping[str, Verdict],
    budgets: Sequence[PodDisruptionBudget],
    chance: Random,
) -> Clearance | str:
    """The node to clear and whom of; or, where that would not help, why not."""
    hopeful = [state for state in ledger.order if (why := verdicts.get(state.name)) and not why.final]
    start = chance.randrange(len(hopeful)) if hopeful else 0
    most = min(max(len(hopeful) * _PERCENT // 100, _LEAST), len(hopeful))
    found: list[Clearance] = []
    refused = dict.fromkeys(ledger.nodes, _NO_HELP)
    for offset in range(len(hopeful)):
        state = hopeful[(start + offset) % len(hopeful)]
        cleared = victims_on(wanted, state, ledger, budgets)
        if isinstance(cleared, Verdict):
            refused[state.name] = cleared
            continue
        found.append(cleared)
        if sum(not each.violations for each in found) >= most:
            break
    return min(found, key=_cost) if found else told(len(ledger.nodes), refused.values())


def victims_on(
    wanted: Wanted, state: NodeState, ledger: Ledger, budgets: Sequence[PodDisruptionBudget]
) -> Clearance | Verdict:
    """Whom a node would have to lose: all that are less important, but for those that can stay after all."""
    candidates = sorted(
        (each for each in state.pods.values() if each.priority < wanted.pod.priority), key=_importance
    )
    if not candidates:
        return _NOBODY
    verdict = _without(wanted, state, ledger, candidates)
    if verdict is not None:
        return verdict
    violating = violations(candidates, budgets)
    order = [each for each in candidates if each.key in violating]
    order += [each for each in candidates if each.key not in violating]
    gone = list(order)
    for pod in order:
        rest = [each for each in gone if each is not pod]
        if _without(wanted, state, ledger, rest) is None:
            gone = rest
    victims = tuple(sorted(gone, key=_importance))
    return Clearance(state.name, victims, sum(each.key in violating for each in victims))


def violations(pods: Iterable[PodInfo], budgets: Sequence[PodDisruptionBudget]) -> set[object]:
    """The keys of those that a disruption budget would rather keep, if the others go first."""
    left = [each.status.disruptions_allowed for each in budgets]
    found: set[object] = set()
    for pod in pods:
        for number, budget in enumerate(budgets):
            if _protects(budget, pod):
                left[number] -= 1
                if left[number] < 0:
                    found.add(pod.key)
    return found


def _without(wanted: Wanted, state: NodeState, ledger: Ledger, gone: Iterable[PodInfo]) -> Verdict | None:
    with ledger.supposing(gone=gone):
        return verdict_on(wanted, state, wanted.checks(ledger), ledger)


def _protects(budget: PodDisruptionBudget, pod: PodInfo) -> bool:
    selector = budget.spec.selector
    if budget.metadata.namespace != pod.key.namespace or not pod.labels or selector is None:
        return False
    if not (selector.match_labels or selector.match_expressions):
        return False
    return selector.matches(pod.labels) and pod.key.name not in budget.status.disrupted_pods


def _importance(pod: PodInfo) -> tuple[int, float]:
    """The most important first: by priority, and among equals the one that has run longest."""
    return -pod.priority, pod.start


def _cost(clearance: Clearance) -> tuple[float, ...]:
    """What is compared, one after the other, between nodes that could be cleared."""
    victims = clearance.victims
    highest = max((each.priority for each in victims), default=-(2**31))
    oldest = min((each.start for each in victims if each.priority == highest), default=inf)
    return (
        clearance.violations,
        highest,
        sum(each.priority + 2**31 for each in victims),
        len(victims),
        -oldest,
    )
