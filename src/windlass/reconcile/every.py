from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from typing_extensions import override

from windlass.reconcile.cause import Cause
from windlass.reconcile.check import check_period
from windlass.reconcile.timer import Timer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import timedelta

    from windlass.api import Key
    from windlass.reconcile.source import Sink


class Every(Timer):
    """Wakes all objects once in each period, the first time when one has passed.

    `jitter` is the part of the period by which each wake may come earlier, so that operators that were
    started together do not stay together. `Result.ready(again=…)` does the same for one object. With `keys`
    it wakes these alone, as for a `KeyReconciler`, which has no objects.

        sources = (Every(timedelta(hours=1)),)
    """

    def __init__(self, period: timedelta, *, jitter: float = 0.1, keys: Iterable[Key] = ()) -> None:
        super().__init__(keys)
        check_period("Every", period)
        if not 0 <= jitter < 1:
            raise ValueError(f"Every: jitter={jitter} is not in [0, 1)")
        self._period = period
        self._jitter = jitter

    @override
    async def run(self, sink: Sink) -> None:
        cause = Cause(f"every {self._period}")
        for wait in self._waits(sink):
            await sink.clock.sleep(wait)
            self.ring(sink, cause)

    def _waits(self, sink: Sink) -> Iterator[timedelta]:
        # From the moment of the start: it differs between processes, and repeats in a simulation.
        chance = Random(sink.clock.now().isoformat())  # noqa: S311 - nobody gains by guessing it
        while True:
            yield self._period * (1 - self._jitter * chance.random())
