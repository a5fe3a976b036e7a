"""When a pod has to leave a node that has taints which drive pods off."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from windlass.api import format_time
from windlass.cluster.placement import EVICTING, tolerates

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from windlass.api import Json
    from windlass.kinds.core.v1 import Pod, Taint, Toleration


def stay(tolerations: Sequence[Toleration], taints: Sequence[Taint]) -> timedelta | None:
    """How long a pod may stay in spite of these taints; None for as long as it likes."""
    used = [_first(tolerations, taint) for taint in taints]
    if any(each is None for each in used):
        return timedelta()
    limits = [each.toleration_seconds for each in used if each and each.toleration_seconds is not None]
    return timedelta(seconds=max(min(limits), 0)) if limits else None


def eviction_condition(pod: Pod, now: datetime) -> Json:
    """The condition of a pod that is driven off."""
    generation = pod.metadata.generation
    return {
        "type": "DisruptionTarget",
        "status": "True",
        "reason": "DeletionByTaintManager",
        "message": "Taint manager: deleting due to NoExecute taint",
        "lastTransitionTime": format_time(now),
        **({"observedGeneration": generation} if generation else {}),
    }


def _first(tolerations: Sequence[Toleration], taint: Taint) -> Toleration | None:
    return next((each for each in tolerations if tolerates((each,), (taint,), EVICTING)), None)
