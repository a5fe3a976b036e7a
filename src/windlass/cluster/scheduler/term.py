"""What a pod says about other pods: which to be near to, which to keep away from, how to spread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from windlass.api import Requirement, Selector

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.api import LabelSelector
    from windlass.kinds.core.v1 import (
        Affinity,
        PodAffinityTerm,
        TopologySpreadConstraint,
        WeightedPodAffinityTerm,
    )

Namespaces = dict[str, dict[str, str]]
"""The labels of each namespace."""


@dataclass(frozen=True, slots=True)
class Term:
    """Other pods, by their labels and namespaces, and the label of nodes that tells what is near."""

    topology: str
    selector: Selector | None
    namespaces: frozenset[str]
    elsewhere: Selector | None = None
    weight: int = 0

    def matches(self, namespace: str, labels: Mapping[str, str], known: Namespaces) -> bool:
        """Whether a pod with these labels is meant."""
        if self.selector is None or not self._has_place(namespace, known):
            return False
        return self.selector.matches(labels)

    def _has_place(self, namespace: str, known: Namespaces) -> bool:
        if namespace in self.namespaces:
            return True
        return self.elsewhere is not None and self.elsewhere.matches(known.get(namespace, {}))


@dataclass(frozen=True, slots=True)
class Terms:
    """Everything that a pod says about others near it: what must be, and what had better be."""

    near: tuple[Term, ...] = ()
    apart: tuple[Term, ...] = ()
    rather_near: tuple[Term, ...] = ()
    rather_apart: tuple[Term, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.near or self.apart or self.rather_near or self.rather_apart)


NO_TERMS = Terms()


@dataclass(frozen=True, slots=True)
class Spread:
    """How evenly pods that are alike are to lie over the values of a label of nodes."""

    topology: str
    selector: Selector
    max_skew: int
    min_domains: int = 1
    heeds_affinity: bool = True
    heeds_taints: bool = False


def terms_of(affinity: Affinity | None, namespace: str) -> Terms:
    """What a pod in a namespace says about others."""
    if affinity is None or (affinity.pod_affinity is None and affinity.pod_anti_affinity is None):
        return NO_TERMS
    near, apart = affinity.pod_affinity, affinity.pod_anti_affinity
    return Terms(
        _required(near.required_during_scheduling_ignored_during_execution if near else (), namespace),
        _required(apart.required_during_scheduling_ignored_during_execution if apart else (), namespace),
        _preferred(near.preferred_during_scheduling_ignored_during_execution if near else (), namespace),
        _preferred(apart.preferred_during_scheduling_ignored_during_execution if apart else (), namespace),
    )


def spreads_of(
    constraints: Iterable[TopologySpreadConstraint], labels: Mapping[str, str], action: str
) -> tuple[Spread, ...]:
    """The constraints of a pod with these labels that say `DoNotSchedule`, or `ScheduleAnyway`."""
    return tuple(
        Spread(
            each.topology_key,
            _with_keys(_selector(each.label_selector), each.match_label_keys, labels),
            each.max_skew,
            each.min_domains or 1,
            heeds_affinity=each.node_affinity_policy != "Ignore",
            heeds_taints=each.node_taints_policy == "Honor",
        )
        for each in constraints
        if each.when_unsatisfiable == action
    )


def _required(terms: Iterable[PodAffinityTerm], namespace: str) -> tuple[Term, ...]:
    return tuple(_term(each, namespace) for each in terms)


def _preferred(terms: Iterable[WeightedPodAffinityTerm], namespace: str) -> tuple[Term, ...]:
    return tuple(_term(each.pod_affinity_term, namespace, each.weight) for each in terms)


def _term(term: PodAffinityTerm, namespace: str, weight: int = 0) -> Term:
    """A term that names no namespace, and selects none, means the pod's own."""
    elsewhere = _selector(term.namespace_selector)
    own = frozenset() if term.namespaces or elsewhere is not None else frozenset((namespace,))
    return Term(
        term.topology_key, _selector(term.label_selector), own | frozenset(term.namespaces), elsewhere, weight
    )


def _selector(selector: LabelSelector | None) -> Selector | None:
    return None if selector is None else selector.selector()


def _with_keys(selector: Selector | None, keys: Iterable[str], labels: Mapping[str, str]) -> Selector:
    """A selector that also asks for the pod's own values of these labels; without one, of no pod at all."""
    if selector is None:
        return NOTHING
    own = tuple(Requirement(key, "In", (labels[key],)) for key in keys if key in labels)
    return Selector((*selector.requirements, *own))


NOTHING = Selector((Requirement("none", "Exists"), Requirement("none", "DoesNotExist")))
"""Selects no pod."""
