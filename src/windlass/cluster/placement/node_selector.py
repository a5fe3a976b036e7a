"""Which nodes a pod asks for by their labels and names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.kinds.core.v1 import (
        Node,
        NodeAffinity,
        NodeSelector,
        NodeSelectorRequirement,
        NodeSelectorTerm,
        PodSpec,
    )

_NAME = "metadata.name"
_MOST = 2**63 - 1


def matches_node_selector(spec: PodSpec, node: Node) -> bool:
    """Whether a node has the labels of `nodeSelector` and what the node affinity requires."""
    labels = node.metadata.labels
    if any(labels.get(key) != value for key, value in spec.node_selector.items()):
        return False
    affinity = _node_affinity(spec)
    required = affinity.required_during_scheduling_ignored_during_execution if affinity else None
    return required is None or matches_terms(required, node)


def matches_terms(selector: NodeSelector, node: Node) -> bool:
    """Whether a node satisfies one of the terms; a selector without terms asks for no node at all."""
    return any(_matches_term(term, node) for term in selector.node_selector_terms)


def preference(spec: PodSpec, node: Node) -> int:
    """How much the node affinity prefers a node: the sum of the weights of the terms that it satisfies."""
    affinity = _node_affinity(spec)
    preferred = affinity.preferred_during_scheduling_ignored_during_execution if affinity else ()
    return sum(each.weight for each in preferred if _matches_term(each.preference, node))


def _node_affinity(spec: PodSpec) -> NodeAffinity | None:
    return spec.affinity.node_affinity if spec.affinity else None


def _matches_term(term: NodeSelectorTerm, node: Node) -> bool:
    """Whether a node satisfies all of a term; an empty one is satisfied by none."""
    if not term.match_expressions and not term.match_fields:
        return False
    name = {_NAME: node.metadata.name}
    return _matches_all(term.match_expressions, node.metadata.labels) and all(
        each.operator in ("In", "NotIn") and len(each.values) == 1 and _matches(each, name)
        for each in term.match_fields
    )


def _matches_all(requirements: Iterable[NodeSelectorRequirement], labels: Mapping[str, str]) -> bool:
    return all(_matches(each, labels) for each in requirements)


def _matches(requirement: NodeSelectorRequirement, labels: Mapping[str, str]) -> bool:
    """Whether labels satisfy a requirement; what makes no sense is satisfied by none."""
    found, values = labels.get(requirement.key), requirement.values
    match requirement.operator:
        case "In":
            return found in values
        case "NotIn":
            return bool(values) and found not in values
        case "Exists":
            return found is not None and not values
        case "DoesNotExist":
            return found is None and not values
        case "Gt" | "Lt" if len(values) == 1:
            return _is_beyond(_number(found), requirement.operator, _number(values[0]))
        case _:
            return False


def _is_beyond(number: int | None, operator: str, bound: int | None) -> bool:
    if number is None or bound is None:
        return False
    return number > bound if operator == "Gt" else number < bound


def _number(text: str | None) -> int | None:
    """The whole number that a text is, if 64 bits can hold it."""
    if text is None or not re.fullmatch(r"[-+]?[0-9]{1,63}", text, re.ASCII):
        return None
    number = int(text)
    return number if -_MOST - 1 <= number <= _MOST else None
