"""What a DaemonSet reports of its nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.cluster.controller.pod_state import is_ready
from windlass.kinds.apps.v1 import DaemonSetStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.cluster.controller.daemon_set.eligible import Place
    from windlass.cluster.controller.daemon_set.plan import Rules


def status_of(places: Sequence[Place], rules: Rules, collisions: int) -> DaemonSetStatus:
    """The counts of nodes; of several pods on one, the first speaks for it."""
    wanted = [place for place in places if place.wants]
    first = [place.pods[0] for place in wanted if place.pods]
    ready = [pod for pod in first if is_ready(pod)]
    available = sum(rules.is_available(pod) for pod in ready)
    counts: dict[str, Any] = {
        "updated_number_scheduled": sum(rules.is_updated(pod) for pod in first),
        "number_available": available,
        "number_unavailable": len(wanted) - available,
        "collision_count": collisions,
    }
    return DaemonSetStatus(
        observed_generation=rules.owner.metadata.generation,
        desired_number_scheduled=len(wanted),
        current_number_scheduled=len(first),
        number_misscheduled=sum(bool(place.pods) and not place.wants for place in places),
        number_ready=len(ready),
        **{name: count for name, count in counts.items() if count},  # as Go writes them: zeros are left out
    )
