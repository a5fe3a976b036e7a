from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.api import format_time

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from windlass.api import Key
    from windlass.kinds.core.v1 import Pod, Service

TRIGGER: Final = "endpoints.kubernetes.io/last-change-trigger-time"


class TriggerTimes:
    """Since when endpoints could have been other than they are: the time that a rollout loses on its way."""

    def __init__(self) -> None:
        self._seen: dict[Key, dict[str, datetime]] = {}

    def since(self, key: Key, service: Service, pods: Sequence[Pod]) -> str | None:
        """The earliest change since this was last asked for a service; at first, its creation."""
        known = self._seen.get(key)
        times = {pod.metadata.name: moment for pod in pods if (moment := _moment(pod)) is not None}
        self._seen[key] = times
        if known is None:
            created = service.metadata.creation_timestamp
            return format_time(created) if created else None
        new = [moment for name, moment in times.items() if name not in known or moment > known[name]]
        return format_time(min(new)) if new else None

    def forget(self, key: Key) -> None:
        """A service is gone."""
        self._seen.pop(key, None)


def _moment(pod: Pod) -> datetime | None:
    return next((each.last_transition_time for each in pod.status.conditions if each.type == "Ready"), None)
