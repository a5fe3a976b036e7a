"""What the operator tells Prometheus of each Ptemplate."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from windlass.manager import Readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.api import Key
    from windlass.manager import Metrics

_LABELS = ("namespace", "name")


class Meters:
    """Reconciles and consumers of each Ptemplate, under the names that the first operator gave them.

    Both are shown as gauges: a counter would have to be called `Ptemplate_reconcile_count_total`.
    """

    def __init__(self) -> None:
        self._runs: Counter[tuple[str, Key]] = Counter()
        self._consumers: dict[tuple[str, Key], int] = {}
        self._count = Readings("Ptemplate_reconcile_count", "Reconciles of a Ptemplate.", _LABELS)
        self._gauge = Readings("Ptemplate_consumers", "Consumers of a Ptemplate.", _LABELS)
        self._count.read(lambda: _read(self._runs))
        self._gauge.read(lambda: _read(self._consumers))

    def show(self, metrics: Metrics) -> None:
        """Let the manager show them with its own."""
        metrics.show(self._count, self._gauge)

    def ran(self, controller: str, key: Key) -> None:
        """A Ptemplate was looked at."""
        self._runs[controller, key] += 1

    def has(self, controller: str, key: Key, consumers: int) -> None:
        """A Ptemplate has so many consumers."""
        self._consumers[controller, key] = consumers

    def forget(self, controller: str, key: Key) -> None:
        """A Ptemplate is gone, and its numbers with it."""
        self._runs.pop((controller, key), None)
        self._consumers.pop((controller, key), None)


def _read(numbers: Mapping[tuple[str, Key], int]) -> Iterable[tuple[tuple[str, str], float]]:
    return [((key.namespace, key.name), float(number)) for (_, key), number in sorted(numbers.items())]
