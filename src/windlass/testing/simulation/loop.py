from __future__ import annotations

import asyncio
import heapq
import sys
from collections import deque
from contextlib import contextmanager
from contextvars import Context, ContextVar
from itertools import count
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, TypeVar, TypeVarTuple, Unpack

from typing_extensions import override

from windlass.errors import SimulationError
from windlass.testing.simulation.forbidden import forbidding, refuse
from windlass.testing.simulation.waiting import waits

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Iterator
    from concurrent.futures import Executor

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

NOBODY: Final = Context()
"""The context of what belongs to no process."""

_OUT_OF_REACH: Final = (
    *("add_reader", "add_signal_handler", "add_writer", "connect_read_pipe", "connect_write_pipe"),
    *("create_connection", "create_datagram_endpoint", "create_server", "create_unix_connection"),
    *("create_unix_server", "getaddrinfo", "getnameinfo", "sendfile", "sock_accept", "sock_connect"),
    *("sock_recv", "sock_recv_into", "sock_sendall", "start_tls", "subprocess_exec", "subprocess_shell"),
)
_MOST_AT_ONCE: Final = 200_000
_EVERY_CLOSE: Final = 20


class Runner(Protocol):
    """Decides whether what it has scheduled runs."""

    def admit(self, handle: asyncio.Handle) -> bool:
        """Whether a callback may run now; one that may not is the runner's to keep, or to drop."""


RUNNER: ContextVar[Runner | None] = ContextVar("windlass_simulated_runner", default=None)


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
        super().__init__(coro, **options)

    @override
    def __hash__(self) -> int:
        return self.number


class SimulatedLoop(asyncio.AbstractEventLoop):
    """An event loop on virtual time that nothing outside can reach.

    When nothing is ready, time jumps to the next timer; when there is no timer either, nothing can ever
    happen again, and `SimulationError` says what each task waits for. Threads, sockets, processes and signals
    raise it too. What runs in a context whose `RUNNER` does not admit it, is kept or dropped.
    """

    def __init__(self) -> None:
        self._now = 0.0
        self._ready: deque[asyncio.Handle] = deque()
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._order = count(1)
        self._tasks: dict[int, SimulatedTask] = {}
        self._halted = False
        self._buried = False
        self._at_once = 0
        self.problems: list[str] = []

    @classmethod
    def new(cls) -> Self:
        """A loop at the beginning of time."""
        return cls()

    def run(self, main: Coroutine[Any, Any, T]) -> T | None:
        """Run `main` to its end, or until `halt`; afterwards nothing of this loop ever runs again.

        Raises:
            SimulationError: nothing can ever happen again, or time stands still.
        """
        with self._entered():
            try:
                task = self.create_task(main, context=NOBODY.copy())
                while not task.done() and not self._halted:
                    self._step()
                return task.result() if task.done() else None
            finally:
                self._bury()

    def halt(self) -> None:
        """End `run` after the present callback."""
        self._halted = True

    def resume(self, handles: Iterable[asyncio.Handle]) -> None:
        """Let callbacks run that were kept."""
        self._ready.extend(handles)

    @override
    def time(self) -> float:
        return self._now

    @override
    def call_soon(
        self, callback: Callable[[Unpack[Ts]], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        if not self._buried:
            self._ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon  # there is one thread

    @override
    def call_later(
        self,
        delay: float,
        callback: Callable[[Unpack[Ts]], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        return self.call_at(self._now + delay, callback, *args, context=context)

    @override
    def call_at(
        self,
        when: float,
        callback: Callable[[Unpack[Ts]], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        if not self._buried:
            heapq.heappush(self._timers, (when, next(self._order), timer))
        return timer

    @override
    def create_future(self) -> asyncio.Future[Any]:
        return SimulatedFuture(next(self._order), self)

    @override
    def create_task(
        self, coro: Any, *, name: object = None, context: Context | None = None, **_: Any
    ) -> asyncio.Task[Any]:
        if self._buried:
            coro.close()
            return self.create_future()  # type: ignore[return-value] # nobody gets to see that it is none
        number = next(self._order)
        task = SimulatedTask(number, coro, loop=self, name=str(name or f"Task-{number}"), context=context)
        self._tasks[number] = task
        task.add_done_callback(self._done, context=NOBODY)
        return task

    @override
    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if not self._buried:
            error = context.get("exception")
            self.problems.append(f"{context.get('message')}: {error!r}" if error else str(context["message"]))

    @override
    def get_debug(self) -> bool:
        return False

    @override
    def is_running(self) -> bool:
        return not self._buried

    @override
    def is_closed(self) -> bool:
        return False  # what is left of a process would complain about it

    @override
    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[Ts]], T], *args: *Ts
    ) -> asyncio.Future[T]:
        raise SimulationError(refuse("a thread was wanted"))

    def _done(self, task: asyncio.Future[Any]) -> None:
        assert isinstance(task, SimulatedTask)  # noqa: S101 - for the type checker
        self._tasks.pop(task.number, None)

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Every loop is told this by asyncio; a timer that was cancelled is dropped when it falls due."""

    def _step(self) -> None:
        if not self._ready:
            self._jump()
        handle = self._ready.popleft()
        self._at_once += 1
        if self._at_once > _MOST_AT_ONCE:
            raise SimulationError(
                f"time stands still at {self._now:.3f} s: something never waits\n{self._waits()}"
            )
        if handle.cancelled():
            return
        runner = handle._context.get(RUNNER)  # type: ignore[attr-defined] # noqa: SLF001 - where asyncio has it
        if runner is None or runner.admit(handle):
            handle._run()  # noqa: SLF001 - as every loop does

    def _jump(self) -> None:
        """Go on to the next timer, with all others of the same moment."""
        timers = self._timers
        while timers and timers[0][2].cancelled():
            heapq.heappop(timers)
        if not timers:
            raise SimulationError(f"nothing can ever happen again after {self._now:.3f} s\n{self._waits()}")
        when = timers[0][0]
        if when > self._now:
            self._now, self._at_once = when, 0
        while timers and timers[0][0] <= self._now:
            self._ready.append(heapq.heappop(timers)[2])

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
        if self._buried:
            _close(generator.aclose())
        else:
            self.create_task(generator.aclose())

    def _bury(self) -> None:
        """End every task without anybody noticing: its clean-up runs now, where it can reach nothing."""
        self._buried = True
        self._ready.clear()
        self._timers.clear()
        tasks, self._tasks = list(self._tasks.values()), {}
        for task in tasks:
            task._log_destroy_pending = False  # type: ignore[attr-defined] # noqa: SLF001 - as `gather` does
            coroutine = task.get_coro()
            if coroutine is not None:
                _close(coroutine)


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


def _refused(name: str) -> Callable[..., Any]:
    def refused(*_: Any, **__: Any) -> Any:
        raise SimulationError(refuse(f"the loop's {name} was called"))

    return refused


for _name in _OUT_OF_REACH:
    setattr(SimulatedLoop, _name, _refused(_name))
