"""Why a node does not do, and how that is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.cluster.scheduler.node import NodeState


class Rule(StrEnum):
    """What a pod is refused by; whatever may change that wakes it."""

    UNSCHEDULABLE = "NodeUnschedulable"
    TAINT = "TaintToleration"
    AFFINITY = "NodeAffinity"
    PORT = "NodePorts"
    FIT = "NodeResourcesFit"
    VOLUME = "VolumeBinding"
    SPREAD = "PodTopologySpread"
    NEIGHBOUR = "InterPodAffinity"


class Verdict(NamedTuple):
    """Why a pod cannot lie on a node; `final` where it could not either if other pods made room."""

    rule: Rule
    reasons: tuple[str, ...]
    final: bool = False


Check = Callable[["NodeState"], Verdict | None]
"""Holds a node against one rule for one pod; None where it does."""


def first_verdict(checks: Iterable[Check], node: NodeState) -> Verdict | None:
    """The first objection against a node."""
    for check in checks:
        verdict = check(node)
        if verdict is not None:
            return verdict
    return None


def told(total: int, verdicts: Iterable[Verdict]) -> str:
    """What people read, such as `0/3 nodes are available: 1 Insufficient cpu, 2 Too many pods.`."""
    counted = Counter(reason for each in verdicts for reason in each.reasons)
    reasons = ", ".join(sorted(f"{count} {reason}" for reason, count in counted.items()))
    return f"0/{total} nodes are available: {reasons}." if reasons else f"0/{total} nodes are available:"
