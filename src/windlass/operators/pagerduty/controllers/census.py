from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from windlass.manager import Readings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Change, Json, Key
    from windlass.manager import Metrics


class Census:
    """How many objects of each kind are ready, and why the others are not, for Prometheus."""

    def __init__(self) -> None:
        self._states: dict[tuple[str, Key], tuple[str, str]] = {}
        self._objects = Readings(
            "pagerduty_objects",
            "Objects by kind, by what their condition Ready says, and its reason.",
            ("kind", "ready", "reason"),
        )
        self._objects.read(self._counted)

    def show(self, metrics: Metrics) -> None:
        """Let the manager show it with its own metrics."""
        metrics.show(self._objects)

    def see(self, change: Change[Any]) -> None:
        """An object was found, or has changed, or is gone."""
        key = change.kind.__kind__.name, change.key
        if change.new is None:
            self._states.pop(key, None)
        else:
            self._states[key] = _ready(change.new.data)

    def _counted(self) -> Iterable[tuple[tuple[str, str, str], float]]:
        counts = Counter((kind, *state) for (kind, _), state in self._states.items())
        return [(labels, float(count)) for labels, count in sorted(counts.items())]


def _ready(data: Json) -> tuple[str, str]:
    """What the condition says; unknown until there is one."""
    for each in (data.get("status") or {}).get("conditions") or ():
        if each.get("type") == "Ready":
            return each.get("status", ""), each.get("reason", "")
    return "Unknown", ""
