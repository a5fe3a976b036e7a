from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from windlass.controller.record import Recorder, Run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from windlass.api import Key

__all__ = ["Journal", "JournalOptions", "Recorder", "Run"]


@dataclass(frozen=True, kw_only=True)
class JournalOptions:
    """How much a journal remembers: how many objects, runs of each, and bytes in all, each at most."""

    objects: int = 1000
    runs: int = 8
    bytes: int = 4_000_000

    def __post_init__(self) -> None:
        if min(self.objects, self.runs, self.bytes) < 1:
            raise ValueError("JournalOptions: a journal has room for something")


class Journal:
    """The last runs of the objects that ran last: why they ran, what they saw and did, how they ended.

    It forgets the runs of the object that has been quiet for the longest time first. `listener`, if there is
    one, is told of each run as it is added.
    """

    def __init__(self, options: JournalOptions | None = None) -> None:
        self._options = options or JournalOptions()
        self._objects: OrderedDict[tuple[str, Key], deque[Run]] = OrderedDict()
        self._bytes = 0
        self.listener: Callable[[Run], None] | None = None

    def __len__(self) -> int:
        """How many runs it remembers."""
        return sum(map(len, self._objects.values()))

    @property
    def bytes(self) -> int:
        """About how much memory the runs take."""
        return self._bytes

    def add(self, run: Run) -> None:
        """Remember a run."""
        whose = (run.controller, run.key)
        runs = self._objects.get(whose)
        if runs is None:
            runs = self._objects[whose] = deque()
        else:
            self._objects.move_to_end(whose)
        runs.append(run)
        self._bytes += run.size
        if len(runs) > self._options.runs:
            self._bytes -= runs.popleft().size
        while len(self._objects) > self._options.objects or self._is_full():
            _, gone = self._objects.popitem(last=False)
            self._bytes -= sum(each.size for each in gone)
        if self.listener is not None:
            self.listener(run)

    def runs(self, controller: str, key: Key) -> Sequence[Run]:
        """The runs of one object, the last one first."""
        return tuple(reversed(self._objects.get((controller, key), ())))

    def recent(self, limit: int = 100) -> Sequence[Run]:
        """The runs of all objects, the last one first."""
        runs = sorted((run for each in self._objects.values() for run in each), key=lambda run: run.started)
        return tuple(islice(reversed(runs), limit))

    def find(self, controller: str = "", namespace: str = "", name: str = "") -> Sequence[dict[str, Any]]:
        """The runs in question as plain data, the last one first; an empty argument means any."""
        found = sorted(self._matching(controller, namespace, name), key=lambda run: run.started)
        return [run.to_dict() for run in reversed(found)]

    def _matching(self, controller: str, namespace: str, name: str) -> Iterator[Run]:
        for (whose, key), runs in self._objects.items():
            if controller in ("", whose) and namespace in ("", key.namespace) and name in ("", key.name):
                yield from runs

    def _is_full(self) -> bool:
        return self._bytes > self._options.bytes and len(self._objects) > 1
