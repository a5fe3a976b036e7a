from __future__ import annotations

import asyncio
import heapq
from collections import deque
from contextvars import Context, ContextVar
from itertools import count
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar, TypeVarTuple, Unpack

from typing_extensions import override

from windlass.errors import SimulationError
from windlass.testing.simulation.forbidden import refuse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
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


class Runner(Protocol):
    """Decides whether what it has scheduled runs."""

    def admit(self, handle: asyncio.Handle) -> bool:
        """Whether a callback may run now; one that may not is the runner's to keep, or to drop."""


RUNNER: ContextVar[Runner | None] = ContextVar("windlass_simulated_runner", default=None)


class Schedule(asyncio.AbstractEventLoop):
    """What of an event loop has to do with time: callbacks that are ready, and timers.

    Timers of one moment fire in the order in which they were set. Once it is `over`, it takes nothing more.
    """

    def __init__(self) -> None:
        self._now = 0.0
        self._ready: deque[asyncio.Handle] = deque()
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._order = count(1)
        self._at_once = 0
        self._over = False

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
        if not self._over:
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
        if not self._over:
            heapq.heappush(self._timers, (when, next(self._order), timer))
        return timer

    @override
    def get_debug(self) -> bool:
        return False

    @override
    def is_running(self) -> bool:
        return not self._over

    @override
    def is_closed(self) -> bool:
        return False  # what is left of a process would complain about it

    @override
    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[Ts]], T], *args: *Ts
    ) -> asyncio.Future[T]:
        raise SimulationError(refuse("a thread was wanted"))

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
        """What everybody waits for, in words."""
        return ""


def _refused(name: str) -> Callable[..., Any]:
    def refused(*_: Any, **__: Any) -> Any:
        raise SimulationError(refuse(f"the loop's {name} was called"))

    return refused


for _name in _OUT_OF_REACH:
    setattr(Schedule, _name, _refused(_name))
