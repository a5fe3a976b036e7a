"""Charts that are fetched in the background, so that slow repositories hold no worker."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from windlass.api import Key
from windlass.helm.turns import Turn, Turns

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.helm.chart import Chart
    from windlass.helm.source.origin import Charts, Wanted

_UNWANTED_SECONDS: Final = 60.0
"""How long a fetch waits, or its chart is kept, without a request; queued objects make one each 10 s."""

_FAILED_SECONDS: Final = 3600.0


@dataclass(eq=False)
class _Job:
    """What was asked for one object. `turn` is what the fetch is called where it waits for its turn."""

    wanted: Wanted
    wake: Callable[[], None]
    parent: asyncio.Task[Any] | None
    turn: Turn
    asked: float
    task: asyncio.Task[Chart] | None = None
    is_waiting: bool = False
    failure: Exception | None = field(default=None, repr=False)

    @property
    def is_over(self) -> bool:
        """Whether the task that asked is gone, and the fetch with it."""
        return self.parent is not None and self.parent.done()

    @property
    def is_unwanted(self) -> bool:
        """Whether the last request was long ago, as when the object is gone."""
        # A failure is asked for with exponential backoff.
        patience = _UNWANTED_SECONDS if self.failure is None else _FAILED_SECONDS
        return _now() - self.asked > patience


class Fetches:
    """Fetch charts in the background: a few at a time, fewer of one namespace, the namespaces in turn.

    A fetch belongs to the task that asks for it, such as a worker of a controller, and is cancelled when that
    task ends. `charts` limits how long it takes.
    """

    def __init__(self, charts: Charts, most: int, of_namespace: int) -> None:
        self._charts = charts
        self._turns = Turns(most, of_namespace)
        self._jobs: dict[Key, _Job] = {}
        self._numbers = count()

    def ask(self, key: Key, wanted: Wanted, wake: Callable[[], None]) -> Chart | None:
        """Return the chart for an object, or None while it is fetched; `wake` is called when that has ended.

        An outcome is kept until it is asked for. After a failure, asking again fetches again, and raises the
        failure until there is another outcome.

        Raises:
            ChartError: the chart could not be fetched.
        """
        self._drop_unwanted()
        job = self._jobs.get(key)
        if job is None or job.wanted != wanted:
            self.forget(key)
            job = self._jobs[key] = self._job(key, wanted, wake)
        job.wake, job.asked = wake, _now()
        if job.is_over:
            job.parent = asyncio.current_task()
        if job.task is not None and job.task.done():
            return self._outcome(key, job)
        if job.task is None and not job.is_waiting:
            self._begin(job)
        if job.failure is not None:
            raise job.failure
        return None

    def is_fetching(self, key: Key) -> bool:
        """Whether a chart for an object is being fetched now, rather than waiting for its turn."""
        job = self._jobs.get(key)
        return job is not None and job.task is not None

    def forget(self, key: Key) -> None:
        """Cancel the fetch for an object, and forget its outcome."""
        job = self._jobs.pop(key, None)
        if job is None:
            return
        self._turns.forget(job.turn.release)
        job.is_waiting = False
        if job.task is not None:
            job.task.cancel()

    def _job(self, key: Key, wanted: Wanted, wake: Callable[[], None]) -> _Job:
        own = Key(key.namespace, f"{key.name}#{next(self._numbers)}")  # an earlier one may not have ended yet
        return _Job(wanted, wake, asyncio.current_task(), Turn(own, key.namespace), _now())

    def _outcome(self, key: Key, job: _Job) -> Chart | None:
        """Return or raise how a fetch has ended; one that was cancelled begins anew."""
        task, job.task = job.task, None
        if task is None or task.cancelled():
            self._begin(job)
            return None
        error = task.exception()
        if error is None:
            del self._jobs[key]
            return task.result()
        if not isinstance(error, Exception):
            raise error
        job.failure = error.with_traceback(None)  # what its frames hold may be large
        raise job.failure

    def _begin(self, job: _Job) -> None:
        """Start a fetch, or wait for a turn."""
        loop = asyncio.get_running_loop()

        def begin() -> None:
            loop.call_soon(self._begin_waiting, job)

        job.is_waiting = not self._turns.take(job.turn, begin)
        if job.is_waiting:
            return
        task = job.task = loop.create_task(self._charts.fetch(job.wanted), name=f"fetch {job.wanted.name}")
        parent = job.parent

        def cancel(_: object) -> None:
            task.cancel()

        def end(_: object) -> None:
            if parent is not None:
                parent.remove_done_callback(cancel)
            self._turns.leave(job.turn.release)
            if not task.cancelled():
                task.exception()  # it is told to who asks, if anybody does
                job.wake()

        task.add_done_callback(end)
        if parent is not None:
            parent.add_done_callback(cancel)

    def _begin_waiting(self, job: _Job) -> None:
        """Take the turn that is free now; without anybody who wants it, hand it on."""
        if not job.is_waiting:
            return
        if job.is_over or job.is_unwanted:
            job.is_waiting = False
            if self._turns.take(job.turn, lambda: None):
                self._turns.leave(job.turn.release)
            self._turns.forget(job.turn.release)
            return
        self._begin(job)

    def _drop_unwanted(self) -> None:
        """Forget outcomes that are no longer requested, as those of objects that are gone."""
        for key, job in list(self._jobs.items()):
            if job.is_unwanted and (job.task is None or job.task.done()):
                self.forget(key)


def _now() -> float:
    return asyncio.get_running_loop().time()
