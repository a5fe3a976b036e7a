from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from windlass.aio import is_cancelled
from windlass.api import masked_logger, masking_secrets
from windlass.cache import Phase
from windlass.controller.annotation import asks_for_a_look
from windlass.controller.blocking import Blocking
from windlass.controller.breaker import Breaker
from windlass.controller.burden import Burden
from windlass.controller.exit import CANCELLED, Exit
from windlass.controller.facilities import facilities_of
from windlass.controller.journal import Recorder
from windlass.controller.known import is_missing, known
from windlass.controller.log import BoundLogger, about_controller, about_object
from windlass.controller.outcome import Failures
from windlass.controller.running import Running
from windlass.controller.turn import GONE, turn_of_key, turn_of_object
from windlass.errors import Conflict, NotLeadingError, QueueClosed
from windlass.reconcile import SOONEST, Cause, Reconciler, check_reconciler
from windlass.workqueue import Priority, WorkQueue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.aio import Clock
    from windlass.api import Change, Key, Resource
    from windlass.cache import Informer
    from windlass.controller.declared import Declared
    from windlass.controller.environment import ControllerObserver, Environment
    from windlass.controller.options import ControllerOptions
    from windlass.controller.record import Run
    from windlass.reconcile import KeyReconciler, Source
    from windlass.workqueue import Item

_log = masked_logger("windlass.controller")
_AGAIN = Cause("again")
_RETRY = Cause("retry")
_INTERRUPTED = Cause("interrupted")
_MISSED = Cause("changed in waiting")
_SOURCE_PAUSE = timedelta(seconds=10)


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
        check_reconciler(reconciler)
        self.reconciler = reconciler
        self._environment = environment
        self.options = options
        self._observer = observer
        self._running: dict[Key, Running] = {}
        self._stopped = asyncio.Event()
        self._stopped.set()
        self._halted = False
        self._draining = asyncio.Event()
        self._log = BoundLogger(_log, about_controller(reconciler))
        self._found = Cause(
            "found", reconciler.of.__kind__.name if isinstance(reconciler, Reconciler) else ""
        )
        self._breaker = Breaker(options.breaker, environment.clock)
        self._blocking = Blocking(options.blocking, environment.clock)
        self._tasks: dict[asyncio.Task[Any], Key] = {}
        self._burden = Burden()
        self._failures = Failures()
        self.queue: WorkQueue[Key, Cause] = WorkQueue(
            options.queue.starting_at(reconciler.first_retry),
            clock=environment.clock,
            random=environment.random,
            group=lambda key: key.namespace,
            observer=observer.queue,
        )
        self._facilities = facilities_of(reconciler, environment, observer, options.time_limit, self._heard)
        self._primaries = self._facilities.assembly.assemble(reconciler)

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

    @property
    def required_primaries(self) -> Sequence[Informer[Any]]:
        """The informers of the kind that is reconciled, none if that is optional."""
        is_optional = isinstance(self.reconciler, Reconciler) and self.reconciler.optional
        return () if is_optional else tuple(self._primaries)

    def can_do_without(self, kind: type[Resource]) -> bool:
        """Whether the reconciler declares a kind as optional, and as nothing else."""
        return self._facilities.assembly.is_optional(kind)

    def wake(self, key: Key, cause: Cause) -> None:
        """Reconcile an object as soon as there is a free worker."""
        running = self._running.get(key)
        if running is not None:
            running.arrive(cause)  # it may be the run's own write, whose answer is still on its way
        else:
            self.queue.add(key, cause, after=self._delay(key, cause))

    def wake_all(self, cause: Cause) -> None:
        """Reconcile every object that is cached, after everything that is fresh."""
        for informer in self._primaries:
            for key in informer.keys():  # noqa: SIM118 - it is no dictionary
                self.queue.add(key, cause, priority=Priority.BACKGROUND)

    async def run(self) -> None:
        """Reconcile until cancelled, or until `drain` has let the last run end."""
        self._log.info("Starting Controller")
        self._stopped.clear()
        self._halted = False
        try:
            await self._act()
        finally:
            self._stopped.set()
        self._log.info("All workers finished")

    async def stopped(self) -> None:
        """Wait until it does not act: before `run`, between two of them, and after `drain`."""
        await self._stopped.wait()

    def blocked(self, task: asyncio.Task[Any] | None, took: timedelta, place: str) -> bool:
        """Hold the object back whose run blocked the event loop, if the task runs one of ours."""
        key = self._tasks.get(task) if task is not None else None
        if key is None:
            return False
        blocked = self._blocking.note(key, took, place)
        self._observer.blocked(took)
        run = self._running.get(key)  # it may have ended without a break
        log = BoundLogger(_log, about_object(self.reconciler, key, run.recorder.id if run else ""))
        log.warning("%s: %s", key, blocked)
        self._tell(key, "BlockedEventLoop", str(blocked))
        return True

    def drain(self) -> None:
        """Begin nothing new; `run` returns when the running reconciles have ended."""
        self._draining.set()
        self.queue.close()

    def close(self) -> None:
        """Listen no more."""
        self._facilities.assembly.disassemble()

    async def _act(self) -> None:
        async with asyncio.TaskGroup() as group:
            beside = [group.create_task(self._facilities.watchdog.run())]
            beside.append(group.create_task(self._await_kinds()))
            for informer in self._facilities.assembly.required:
                self._log.bind(source=f"kind source: {informer}").info("Starting EventSource")
                await known(informer, self._draining)
            beside += [group.create_task(self._heed(source)) for source in self.reconciler.sources]
            self._log.bind(**{"worker count": self.options.workers}).info("Starting workers")
            workers = [group.create_task(self._work()) for _ in range(self.options.workers)]
            try:
                await asyncio.wait(workers)
            except asyncio.CancelledError:
                self._halted = True
                raise
            for task in beside:
                task.cancel()

    async def _await_kinds(self) -> None:
        """Look at every object whenever a kind comes that was missing, also one that is declared later."""
        awaited: set[Informer[Any]] = set()
        async with asyncio.TaskGroup() as group:
            while True:
                fresh = [each for each in self.declared if each not in awaited]
                awaited.update(fresh)
                for informer in fresh:
                    group.create_task(self._await_kind(informer))
                await self.declared.grown()

    async def _await_kind(self, informer: Informer[Any]) -> None:
        while True:
            await informer.reach(Phase.WAITING)
            await informer.synced()
            self.wake_all(Cause("served", informer.kind.__kind__.name))

    async def _heed(self, source: Source) -> None:
        """Have a source run, and again a while after it failed."""
        while True:
            try:
                await source.run(self)
            except (Exception, asyncio.CancelledError) as error:  # somebody else's function, and told
                if is_cancelled() and isinstance(error, asyncio.CancelledError):
                    raise
                self._log.exception("A source failed, and is started again in %s", _SOURCE_PAUSE)
            else:
                return
            if is_cancelled():  # that was its way to end
                return
            await self.clock.sleep(_SOURCE_PAUSE)

    async def _work(self) -> None:
        task = asyncio.current_task()
        while not self._halted:  # a reconcile may have kept the cancellation to itself
            try:
                item = await self.queue.take()
            except QueueClosed:
                return
            if task is not None:
                self._tasks[task] = item.key  # until the next one: a block is reported after the break below
            with masking_secrets(self.name, self._found.kind, *item.key):
                await self._take_on(item)
            await asyncio.sleep(0)  # a run that waits for nothing would let nobody else have a turn

    async def _take_on(self, item: Item[Key, Cause]) -> None:
        """Process an item, or hold it back; see that it comes again if that does not succeed."""
        try:
            if (held := self._held(item)) > timedelta():
                for cause in item.causes:
                    self.queue.add(item.key, cause, after=held)
            else:
                await self._process(item)
        except asyncio.CancelledError:  # the work is not done: the next leader does it
            for cause in (_INTERRUPTED, *item.causes):
                self.queue.add(item.key, cause, after=self._blocking.held(item.key))
            raise
        except Exception:  # noqa: BLE001 - what cannot even be recorded must not stop the others; it is told
            self._log.exception("The end of a reconcile of %s could not be handled", item.key)
            self.queue.retry(item.key, _RETRY)
        finally:
            self.queue.done(item.key)

    def _held(self, item: Item[Key, Cause]) -> timedelta:
        """How long an object has to wait that blocked the event loop; what a person asks for does not."""
        held = self._blocking.held(item.key)
        if held and any(each.change is not None and asks_for_a_look(each.change) for each in item.causes):
            return timedelta()
        return held

    async def _process(self, item: Item[Key, Cause]) -> None:
        began = self.clock.monotonic()
        recorder = Recorder(self.name, item, self.clock.now(), self._environment.random)
        log = BoundLogger(_log, about_object(self.reconciler, item.key, recorder.id))
        number = self._observer.began()
        exit_ = CANCELLED
        try:
            exit_ = await self._ended(item, recorder, log)
        finally:
            self._let_in(item.key)
            took = timedelta(seconds=self.clock.monotonic() - began)
            self._observer.ended(number, exit_, took)
            self._record(recorder.run(exit_, took), log)
        self._come_back(item.key, exit_, log)
        self._look_for_a_loop(item, recorder, log)

    def _record(self, run: Run, log: BoundLogger) -> None:
        self._environment.journal.add(run)
        if log.isEnabledFor(logging.DEBUG):
            log.bind(**run.to_dict()).debug("Reconciled")

    async def _ended(self, item: Item[Key, Cause], recorder: Recorder, log: BoundLogger) -> Exit:
        """How the turn of an object ended, whatever happened."""
        run = self._running[item.key] = Running(self._facilities, item.key, item.causes, recorder, log)
        try:
            exit_ = await self._turn(run, log)
        except Exception as error:  # noqa: BLE001 - one object's fault must not stop the others; it is told
            exit_ = Exit.of_error(error)
        note = self._failures.note(item.key, exit_, item.attempt, run.warnings)
        if note:
            self._tell(item.key, exit_.reason, note)
        return exit_

    async def _turn(self, run: Running, log: BoundLogger) -> Exit:
        reconciler = self.reconciler
        if not isinstance(reconciler, Reconciler):
            return await turn_of_key(reconciler, run, log)
        informer = self.declared.find(reconciler.of, run.key)
        snapshot = await informer.read(run.key) if informer else None
        if snapshot is None:  # it is gone, or lies in a namespace that is not ours
            with run.shared.watchdog.limited():
                await reconciler.forget(run.key)
            self._breaker.forget(run.key)
            self._blocking.forget(run.key)
            self._failures.forget(run.key)
            return GONE
        run.begin(snapshot)
        needed = self._facilities.assembly.required
        run.missing = next((each.kind.__kind__ for each in needed if is_missing(each)), None)
        return await turn_of_object(reconciler, run, snapshot, log)

    def _let_in(self, key: Key) -> None:
        """Queue what came while the object was being reconciled, but for the run's own writes."""
        run = self._running.pop(key)
        self._burden.ran(key, run.read_count)
        for cause in run.arrived:
            if cause.change is None or self._facilities.authors.writer(cause.change) != key:
                self.wake(key, cause)

    def _come_back(self, key: Key, exit_: Exit, log: BoundLogger) -> None:
        """See that the object is looked at again when that is due, and say what went wrong."""
        if exit_.outcome == "failed":
            delay = self._retry(key, exit_)
            log = log.bind(retryAfter=f"{delay.total_seconds():.3g}s")
            if isinstance(exit_.error, Conflict | NotLeadingError):
                log.info("Trying again: %s", exit_.message)
            else:
                log.error("Reconciler error", exc_info=exit_.error)
            return
        self.queue.forget(key)
        if exit_.error is not None:
            log.error("Reconciler error, waiting for a change", exc_info=exit_.error)
        if exit_.result is not None and exit_.result.again is not None:
            after = max(exit_.result.again, SOONEST, self._blocking.held(key))
            self.queue.add(key, _AGAIN, priority=Priority.BACKGROUND, after=after)

    def _retry(self, key: Key, exit_: Exit) -> timedelta:
        """Schedule the retry of a failed run; return the delay."""
        after, held = exit_.result.again if exit_.result is not None else None, self._blocking.held(key)
        if after is None and not held:
            return self.queue.retry(key, _RETRY)
        delay = max(after or SOONEST, SOONEST, held)
        self.queue.add(key, _RETRY, priority=Priority.BACKGROUND, after=delay)
        return delay

    def _delay(self, key: Key, cause: Cause) -> timedelta:
        """How long a cause waits, for a loop to slow down or for others: it may be one of many that are read.

        What a person asks for does not.
        """
        held, change = max(self._breaker.held(key), self._blocking.held(key)), cause.change
        if change is None:
            return held
        if self._is_about(key, change):
            return timedelta() if held and asks_for_a_look(change) else held
        return max(held, self._burden.collect(key))

    def _look_for_a_loop(self, item: Item[Key, Cause], recorder: Recorder, log: BoundLogger) -> None:
        finding = self._breaker.ran(item.key, item.causes, recorder.write_count)
        if finding is None:
            return
        self._observer.slowed()
        log.warning("%s", finding)
        self._tell(item.key, "HotLoop", str(finding))

    def _tell(self, key: Key, reason: str, message: str) -> None:
        """Record a warning about an object."""
        if isinstance(self.reconciler, Reconciler):
            kind = self.reconciler.of
            informer = self.declared.find(kind, key)
            snapshot = informer.snapshot(key) if informer else None
            if snapshot is not None:
                self._observer.event(reason, warning=True)
                self._facilities.events.event(kind, snapshot.data, reason, message, warning=True)

    def _heard(self, key: Key, change: Change[Any]) -> None:
        """A change in the cache concerns an object."""
        is_first = change.listed and change.old is None and key not in self._running
        if self._stopped.is_set():
            self._hear_in_waiting(key, change)
        elif is_first:
            self.queue.add(key, self._found, priority=Priority.BACKGROUND)
        else:
            self.wake(key, Cause(change.event, change.kind.__kind__.name, change.key, change))

    def _hear_in_waiting(self, key: Key, change: Change[Any]) -> None:
        """Queue an object for the term to come, without the change: it would keep old states for nobody.

        What comes and goes while we wait is not kept at all; the `forget` of a reconciler is for what it had
        to do with in an earlier term.
        """
        is_itself = self._is_about(key, change)
        if self._is_there(key):
            is_new = is_itself and change.old is None
            self.queue.add(key, self._found if is_new else _MISSED, priority=Priority.BACKGROUND)
        elif not self.queue.withdraw(key, self._found) and is_itself:
            self.queue.add(key, _MISSED, priority=Priority.BACKGROUND)

    def _is_about(self, key: Key, change: Change[Any]) -> bool:
        """Whether the object itself changed; a part of it may have its name, and a kind of that name."""
        kind = self._facilities.kind
        return kind is not None and change.key == key and change.kind.__kind__ == kind.__kind__

    def _is_there(self, key: Key) -> bool:
        """Whether there is an object to reconcile; where none is wanted, the key is enough."""
        if not isinstance(self.reconciler, Reconciler):
            return True
        return any(informer.snapshot(key) is not None for informer in self._primaries)
