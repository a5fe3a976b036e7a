"""Which taints of a node a pod puts up with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from windlass.kinds.core.v1 import Taint, Toleration

REPELLING: Final = frozenset({"NoSchedule", "NoExecute"})
"""Effects that keep a pod from being placed on a node."""

EVICTING: Final = frozenset({"NoExecute"})
"""Effects that drive a pod away that is there already."""


def tolerates(
    tolerations: Collection[Toleration], taints: Iterable[Taint], effects: Collection[str] = REPELLING
) -> bool:
    """Whether every taint that has one of these effects is tolerated."""
    return untolerated(tolerations, taints, effects) is None


def untolerated(
    tolerations: Collection[Toleration], taints: Iterable[Taint], effects: Collection[str] = REPELLING
) -> Taint | None:
    """The first taint with one of these effects that is not tolerated, as a scheduler names it."""
    for taint in taints:
        if taint.effect in effects and not any(_tolerates(each, taint) for each in tolerations):
            return taint
    return None


def _tolerates(toleration: Toleration, taint: Taint) -> bool:
    """Whether one toleration covers one taint; no effect means all of them, and no key all keys."""
    if toleration.effect and toleration.effect != taint.effect:
        return False
    if toleration.key and toleration.key != taint.key:
        return False
    if toleration.operator == "Exists":
        return True
    return toleration.operator in (None, "", "Equal") and (toleration.value or "") == (taint.value or "")
