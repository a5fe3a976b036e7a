from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any
from uuid import UUID

from windlass.controller.assembly import Assembly
from windlass.controller.breaker import Breaker
from windlass.controller.declared import Declared
from windlass.controller.exit import Exit
from windlass.controller.journal import Recorder
from windlass.controller.log import BoundLogger
from windlass.controller.own import OwnWrites
from windlass.controller.run import Facilities, Run
from windlass.controller.settled import Settled
from windlass.controller.turn import turn_of_key, turn_of_object
from windlass.controller.watchdog import Watchdog
from windlass.controller.writer import Writer
from windlass.errors import Conflict, NotLeadingError
from windlass.reconcile import Cause, KeyReconciler, Reconciler
from windlass.workqueue import Priority, QueueClosed, WorkQueue

if TYPE_CHECKING:
    from datetime import timedelta

    from windlass.aio import Clock
    from windlass.api import Change, Key
    from windlass.controller.environment import ControllerObserver, Environment
    from windlass.controller.options import ControllerOptions
    from windlass.workqueue import Item

_log = logging.getLogger("windlass.controller")
_AGAIN = Cause("again")
_RETRY = Cause("retry")


class Controller:
    """Runs one reconciler: hears what changed, queues whom it concerns, and calls it, one run per object.

    It hears and queues from the moment it is made, so that a process in waiting is warm; it acts while `run`
    runs, which may end and begin again. It is the `Sink` of the reconciler's sources.
    """

    def __init__(
        self,
        reconciler: Reconciler[Any] | KeyReconciler,
        environment: Environment,
        options: ControllerOptions,
        observer: ControllerObserver,
    ) -> None:
        self.reconciler = reconciler
        self._environment = environment
        self._options = options
        self._observer = observer
        self._running: dict[Key, Run] = {}
        self._log = BoundLogger(_log, _fields(reconciler))
        self._breaker = Breaker(options.breaker, environment.clock)
        self._watchdog = Watchdog(environment.clock, options.time_limit)
        self.queue: WorkQueue[Key, Cause] = WorkQueue(
            options.queue,
            clock=environment.clock,
            random=environment.random,
            group=lambda key: key.namespace,
            observer=observer.queue,
        )
        self._facilities = _facilities(reconciler, environment)
        self._assembly = Assembly(environment, self.declared, self._facilities.own, self._heard)
        self._primaries = self._assembly.assemble(reconciler)
        self._found = Cause("found", self._kind_name)

    @property
    def name(self) -> str:
        """What logs and metrics call it."""
        return self.reconciler.name

    @property
    def declared(self) -> Declared:
        """The informers that it stands on."""
        return self._facilities.declared

    @property
    def clock(self) -> Clock:
        """The time that it lives in."""
        return self._environment.clock

    def wake(self, key: Key, cause: Cause) -> None:
        """Reconcile an object as soon as there is a free worker."""
        running = self._running.get(key)
        if running is not None:
            running.arrived.append(cause)  # it may be the run's own write, whose answer is still on its way
        else:
            self._add(key, cause)

    def wake_all(self, cause: Cause) -> None:
        """Reconcile every object that is cached, after everything that is fresh."""
        for informer in self._primaries:
            for key in informer.keys():
                self.queue.add(key, cause, priority=Priority.BACKGROUND)

    async def run(self) -> None:
        """Reconcile until cancelled, or until `drain` has let the last run end."""
        self._log.info("Starting Controller")
        for informer in self.declared:
            await informer.synced()
        self._log.info("Starting workers", extra={"windlass": {"worker count": self._options.workers}})
        async with asyncio.TaskGroup() as group:
            beside = [group.create_task(self._watchdog.run())]
            beside += [group.create_task(source.run(self)) for source in self.reconciler.sources]
            workers = [group.create_task(self._work()) for _ in range(self._options.workers)]
            await asyncio.wait(workers)
            for task in beside:
                task.cancel()
        self._log.info("All workers finished")

    def drain(self) -> None:
        """Begin nothing new; `run` returns when the running reconciles have ended."""
        self.queue.close()

    def close(self) -> None:
        """Listen no more."""
        self._assembly.disassemble()

    async def _work(self) -> None:
        while True:
            try:
                item = await self.queue.take()
            except QueueClosed:
                return
            try:
                await self._process(item)
            except asyncio.CancelledError:  # the work is not done: whoever leads next, or we again, does it
                self.queue.done(item.key)
                for cause in item.causes:
                    self.queue.add(item.key, cause)
                raise
            self.queue.done(item.key)

    async def _process(self, item: Item[Key, Cause]) -> None:
        began = self.clock.monotonic()
        recorder = Recorder(self.name, item, self.clock.now(), self._environment.random)
        self._observer.began()
        try:
            exit_ = await self._ended(item, recorder)
        finally:
            self._let_in(item.key)
        took = self.clock.monotonic() - began
        self._environment.journal.add(recorder.run(exit_, took))
        self._observer.ended(exit_, took)
        self._conclude(item, exit_, recorder)

    async def _ended(self, item: Item[Key, Cause], recorder: Recorder) -> Exit:
        """How the turn of an object ended, whatever happened."""
        run = self._running[item.key] = self._run(item, recorder)
        log = BoundLogger(_log, {**self._log.fields, **_about(self._kind_name, item.key, recorder.id)})
        try:
            with self._watchdog.limited():
                return await self._turn(run, log)
        except Exception as error:  # noqa: BLE001 - one object's fault must not stop the others; it is told
            return Exit.of_error(error)

    async def _turn(self, run: Run, log: BoundLogger) -> Exit:
        if isinstance(self.reconciler, KeyReconciler):
            return await turn_of_key(self.reconciler, run, log)
        if run.snapshot is None:
            await self.reconciler.forget(run.key)
            self._breaker.forget(run.key)
            return Exit("gone", "Gone")
        return await turn_of_object(self.reconciler, run, run.snapshot, log)

    def _run(self, item: Item[Key, Cause], recorder: Recorder) -> Run:
        snapshot = None
        if isinstance(self.reconciler, Reconciler):
            snapshot = self.declared.holding(self.reconciler.of, item.key).snapshot(item.key)
        return Run(self._facilities, item.key, item.causes, recorder, snapshot)

    def _let_in(self, key: Key) -> None:
        """Queue what came while the object was being reconciled, but for the run's own writes."""
        run = self._running.pop(key)
        own = self._facilities.own
        for cause in run.arrived:
            if cause.change is None or own.writer(cause.change) != key:
                self._add(key, cause)

    def _conclude(self, item: Item[Key, Cause], exit_: Exit, recorder: Recorder) -> None:
        """Come back when that is due, and tell people what they need to know."""
        log = BoundLogger(_log, {**self._log.fields, **_about(self._kind_name, item.key, recorder.id)})
        if exit_.outcome == "failed":
            delay = self.queue.retry(item.key, _RETRY)
            self._tell_failure(log, exit_, delay)
        else:
            self.queue.forget(item.key)
            if exit_.error is not None:
                log.error("Reconciler error, waiting for a change", exc_info=exit_.error)
            if exit_.result is not None and exit_.result.again is not None:
                self.queue.add(item.key, _AGAIN, priority=Priority.BACKGROUND, after=exit_.result.again)
        finding = self._breaker.ran(item.key, item.causes, recorder.write_count)
        if finding is not None:
            self._observer.slowed()
            log.warning("%s", finding)
            self._facilities.events.event(...)

    def _tell_failure(self, log: BoundLogger, exit_: Exit, delay: timedelta) -> None:
        fields = {"windlass": {"retryAfter": f"{delay.total_seconds():.3g}s"}}
        if isinstance(exit_.error, Conflict | NotLeadingError):
            log.info("Trying again: %s", exit_.message, extra=fields)
        else:
            log.error("Reconciler error", exc_info=exit_.error, extra=fields)

    def _heard(self, key: Key, change: Change[Any]) -> None:
        """A change in the cache concerns an object."""
        first = change.listed and change.old is None
        if first and key not in self._running:
            self.queue.add(key, self._found, priority=Priority.BACKGROUND)
        else:
            self.wake(key, Cause(change.event, change.kind.__kind__.name, change.key, change))

    def _add(self, key: Key, cause: Cause) -> None:
        self.queue.add(key, cause, after=self._breaker.held(key))

    @property
    def _kind_name(self) -> str:
        return self.reconciler.of.__kind__.name if isinstance(self.reconciler, Reconciler) else ""
