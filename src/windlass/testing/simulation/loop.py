from __future__ import annotations

import asyncio
import sys
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from typing_extensions import override

from windlass.errors import SimulationError
from windlass.testing.simulation.forbidden import forbidding
from windlass.testing.simulation.schedule import NOBODY, RUNNER, Schedule
from windlass.testing.simulation.waiting import waits

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Coroutine, Iterator
    from contextvars import Context

T = TypeVar("T")

_EVERY_CLOSE: Final = 20


class SimulatedFuture(asyncio.Future[Any]):
    """A future that has the same place in a set each time."""

    @override
    def __init__(self, number: int, loop: SimulatedLoop) -> None:
        super().__init__(loop=loop)
        self._number = number

    @override
    def __hash__(self) -> int:
        return self._number


class SimulatedTask(asyncio.Task[Any]):
    """A task that has the same place in a set each time: task groups and `asyncio.wait` keep sets of them."""

    @override
    def __init__(self, number: int, coro: Any, **options: Any) -> None:
        self.number = number  # before asyncio files the task in a set of its own
        context: Context | None = options.get("context")
        self.runner = RUNNER.get() if context is None else context.get(RUNNER)
        super().__init__(coro, **options)

    @override
    def __hash__(self) -> int:
        return self.number


class SimulatedLoop(Schedule):
    """An event loop on virtual time that nothing outside can reach.

    When nothing is ready, time jumps to the next timer; when there is no timer either, nothing can ever
    happen again, and `SimulationError` says what each task waits for. Threads, sockets, processes and signals
    raise it too. What runs in a context whose `RUNNER` does not admit it, is kept or dropped.
    """

    def __init__(self) -> None:
        super().__init__()
        self._tasks: dict[int, SimulatedTask] = {}
        self._halted = False
        self._problems: list[str] = []
        self._failed: list[SimulatedTask] = []

    @classmethod
    def new(cls) -> Self:
        """A loop at the beginning of time."""
        return cls()

    def run(self, main: Coroutine[Any, Any, T]) -> T | None:
        """Run `main` to its end, or until `halt`; afterwards nothing of this loop ever runs again.

        Raises:
            SimulationError: nothing can ever happen again, time stands still, something tried to leave the
                simulation, or a part of the world failed unheard.
        """
        with self._entered():
            try:
                task = self.create_task(main, context=NOBODY.copy())
                while not task.done() and not self._halted:
                    self._step()
                problems = [*self._problems, *self._unheard(task)]
                if problems:
                    raise SimulationError(problems[0])
                return task.result() if task.done() else None
            finally:
                self._bury()

    def halt(self) -> None:
        """End `run` after the present callback."""
        self._halted = True

    @override
    def create_future(self) -> asyncio.Future[Any]:
        return SimulatedFuture(next(self._order), self)

    @override
    def create_task(
        self, coro: Any, *, name: object = None, context: Context | None = None, **_: Any
    ) -> asyncio.Task[Any]:
        if self._over:
            coro.close()
            return self.create_future()  # type: ignore[return-value] # nobody gets to see that it is none
        number = next(self._order)
        task = SimulatedTask(number, coro, loop=self, name=str(name or f"Task-{number}"), context=context)
        self._tasks[number] = task
        task.add_done_callback(self._done, context=NOBODY)
        return task

    @override
    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Something failed that nobody waits for; what a process does not care about is its own affair."""
        task = context.get("task") or context.get("future")
        if not self._over and isinstance(task, SimulatedTask) and task.runner is None:
            self._problems.append(f"{task.get_name()} failed: {context.get('exception')!r}")

    def _done(self, task: asyncio.Future[Any]) -> None:
        assert isinstance(task, SimulatedTask)  # noqa: S101 - for the type checker
        self._tasks.pop(task.number, None)
        if task.runner is None and task._log_traceback:  # noqa: SLF001 - as below
            self._failed.append(task)

    def _unheard(self, main: asyncio.Task[Any]) -> Iterator[str]:
        """What failed in the world and was asked by nobody; when asyncio would say so is left to Python."""
        for task in self._failed:
            if task is not main and task._log_traceback:  # noqa: SLF001 - nothing else tells
                yield f"{task.get_name()} failed: {task.exception()!r}"

    @override
    def _waits(self) -> str:
        return waits(list(self._tasks.values()))

    @contextmanager
    def _entered(self) -> Iterator[None]:
        outer, hooks = asyncio._get_running_loop(), sys.get_asyncgen_hooks()  # noqa: SLF001 - as below
        sys.set_asyncgen_hooks(firstiter=lambda _: None, finalizer=self._finalize)
        asyncio._set_running_loop(self)  # noqa: SLF001 - as every loop does
        try:
            with forbidding() as refused:
                yield
            if refused:  # an operator takes it for a failure like any other
                raise SimulationError(refused[0])
        finally:
            asyncio._set_running_loop(outer)  # noqa: SLF001 - as above
            sys.set_asyncgen_hooks(*hooks)

    def _finalize(self, generator: AsyncGenerator[Any, Any]) -> None:
        """Nobody iterates over a generator any more."""
        if self._over:
            _close(generator.aclose())
        else:
            self.create_task(generator.aclose())

    def _bury(self) -> None:
        """End every task without anybody noticing: its clean-up runs now, where it can reach nothing."""
        self._over = True
        self._ready.clear()
        self._timers.clear()
        tasks, self._tasks = list(self._tasks.values()), {}
        with in_silence():
            for task in tasks:
                task._log_destroy_pending = False  # type: ignore[attr-defined] # noqa: SLF001 - as `gather` does
                coroutine = task.get_coro()
                if coroutine is not None:
                    _close(coroutine)


@contextmanager
def in_silence() -> Iterator[None]:
    """Let Python say nothing about what is left of processes, for the length of a block."""
    hook = sys.unraisablehook
    sys.unraisablehook = lambda _: None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.unraisablehook = hook


def _close(coroutine: Any) -> None:
    """Close a coroutine, however often it goes on waiting."""
    for _ in range(_EVERY_CLOSE):
        try:
            coroutine.close()
        except RuntimeError:  # it waits again in its clean-up
            continue
        except BaseException:  # noqa: BLE001 - whatever its clean-up raises concerns nobody any more
            return
        return
