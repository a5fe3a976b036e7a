from __future__ import annotations

import asyncio
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from windlass.testing.simulation.process import Process, never
from windlass.testing.simulation.schedule import NOBODY

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from windlass.testing.simulation.chance import Chance
    from windlass.testing.simulation.loop import SimulatedLoop
    from windlass.testing.simulation.trace import Trace
    from windlass.testing.simulation.weather import Forecast

T = TypeVar("T")
Split = Literal["refused", "silent", "deaf"]

SENDER: ContextVar[Process | None] = ContextVar("windlass_simulated_sender", default=None)
"""For whom the server, or something outside, works at the moment."""

_STEADY = 0.001
_LATE = (1.0, 20.0)
_FAULTS = ("refused", "dropped", "lost", "late")
_REFUSALS = ("busy", "failed")
_PHASES = ("before", "sent", "done")


@dataclass(frozen=True, kw_only=True)
class Parcel(Generic[T]):
    """Something that a process asks of somebody else.

    `about` names it in the trace and in decisions. `work` does it, at the other end. `guard` is asked at the
    last moment. `failure` is what is raised when no answer comes: was it sent? `refusal`, where there is one,
    is what the other end answers when it does nothing. `risky` is what a crash may happen around. What is
    `fenced` can be held back at the last moment; what is not, has left once it was begun.
    """

    about: str
    work: Callable[[], Awaitable[T]]
    failure: Callable[[bool], Exception]
    said: Callable[[T], str]
    guard: Callable[[], None] | None = None
    refusal: Callable[[Any], T] | None = None
    timeout: float | None = None
    risky: bool = True
    fenced: bool = True
    notice: Callable[[], None] = lambda: None


class Wire:
    """The way between processes and everybody else: it takes time, and loses things, as the seed decides."""

    def __init__(self, loop: SimulatedLoop, chance: Chance, forecast: Forecast, trace: Trace) -> None:
        self.loop = loop
        self.chance = chance
        self.trace = trace
        self.splits: dict[Process, Split] = {}
        self.on_crash: Callable[[Process, str], None] = lambda process, _: process.crash()
        self._longest = forecast.weather.longest_delay if chance.allows("uneven delays") else 0.0
        self._faults = forecast.share("faults")
        self._crashes = forecast.share("crashes")
        self._stalls = forecast.share("stalls")
        self._longest_stall = forecast.weather.longest_pause

    async def carry(self, process: Process, parcel: Parcel[T]) -> T:
        """Bring a parcel to the other end, and its answer back.

        Raises:
            Exception: what `parcel.failure` makes of it, when no answer comes; or what the work raised.
        """
        journey = _Journey(self, process, parcel)
        if process.state == "dead" or journey.crash == "before":
            await self.fall(process, journey.crash_name)
        if parcel.fenced:
            await self._stall(process, parcel)
        if self.splits.get(process) == "refused" or journey.fault == "refused":
            self.trace.add(process.name, "refused", parcel.about)
            await asyncio.sleep(journey.out)
            raise parcel.failure(False)  # noqa: FBT003 - the name is in its type
        if parcel.guard is not None:
            parcel.guard()
        self.trace.add(process.name, "->", parcel.about)
        parcel.notice()
        self.loop.call_later(journey.out, journey.arrive, context=NOBODY)
        if journey.crash == "sent":
            await self.fall(process, journey.crash_name)
        answer = await journey.answered()
        if not parcel.fenced:
            await self._stall(process, parcel)
        return answer

    async def fall(self, process: Process, name: str) -> None:
        """Let a process crash here, in the midst of what it does."""
        if process.state != "dead":
            self.on_crash(process, name)
        await never()

    async def _stall(self, process: Process, parcel: Parcel[Any]) -> None:
        """Let a process stand still here, if the seed says so."""
        name = self.chance.happens(self._stalls, "stall", parcel.about) if parcel.risky else ""
        if name and process.state == "running":
            self.trace.add(process.name, "stalls", parcel.about)
            process.freeze()
            duration = self.chance.between(0.5, self._longest_stall, "for", name)
            self.loop.call_later(duration, process.thaw, context=NOBODY)
            await asyncio.sleep(0)  # it goes on when the process does

    def delay(self, *name: object) -> float:
        """How long something takes that is not late."""
        return self.chance.between(_STEADY, self._longest, "delay", *name) if self._longest else _STEADY

    def fault(self, parcel: Parcel[Any]) -> tuple[str, str]:
        """What goes wrong with a parcel, and by which disturbance."""
        name = self.chance.happens(self._faults, "fault", parcel.about)
        kinds = _FAULTS + (_REFUSALS if parcel.refusal else ())
        return (self.chance.choice(kinds, "which", name), name) if name else ("", "")

    def crash(self, parcel: Parcel[Any]) -> tuple[str, str]:
        """When a process crashes around a parcel, and by which disturbance."""
        name = self.chance.happens(self._crashes, "crash", parcel.about) if parcel.risky else ""
        return (self.chance.choice(_PHASES, "phase", name), name) if name else ("", "")


class _Journey(Generic[T]):
    """One parcel on its way there and back."""

    def __init__(self, wire: Wire, process: Process, parcel: Parcel[T]) -> None:
        self._wire = wire
        self._process = process
        self._parcel = parcel
        self._name = wire.chance.next("request", parcel.about)
        self._answer: asyncio.Future[T] = wire.loop.create_future()
        self.crash, self.crash_name = wire.crash(parcel)
        self.fault, self._fault_name = wire.fault(parcel)
        self.out = wire.delay("there", self._name)
        self._back = wire.delay("back", self._name)
        if self.fault == "late":
            late = wire.chance.between(*_LATE, "late", self._name)
            self.out, self._back = (late, self._back) if late % 1 < 1 / 2 else (self.out, late)

    async def answered(self) -> T:
        """Wait for the answer, as long as the parcel's time allows."""
        timeout, wire = self._parcel.timeout, self._wire
        timer = wire.loop.call_later(timeout, self._break) if timeout is not None else None
        try:
            return await self._answer
        finally:
            if timer is not None:
                timer.cancel()

    def arrive(self) -> None:
        """It is at the other end, unless it was lost."""
        wire, process, about = self._wire, self._process, self._parcel.about
        if self.fault:
            wire.trace.add(process.name, self.fault, about)
        if process.state == "dead" and wire.chance.number("in flight", self._name) < 1 / 2:
            wire.trace.add(process.name, "vanished", about)
        elif self.fault == "dropped":
            wire.loop.call_later(self._back, self._break, context=NOBODY)
        elif wire.splits.get(process) == "silent":
            wire.trace.add(process.name, "swallowed", about)
            self._break_if_endless()
        elif self._parcel.refusal is not None and self.fault in _REFUSALS:
            self._return(self._parcel.refusal(self.fault))
        else:
            context = NOBODY.copy()
            context.run(SENDER.set, process)
            wire.loop.create_task(self._work(), name=about, context=context)

    async def _work(self) -> None:
        wire, process, parcel = self._wire, self._process, self._parcel
        try:
            result = await parcel.work()
        except Exception as error:  # noqa: BLE001 - it is the answer, and goes back to who asked
            wire.trace.add(process.name, "failed", f"{parcel.about}: {error}")
            wire.loop.call_later(self._back, self._raise, error, context=NOBODY)
            return
        wire.trace.add(process.name, "done", f"{parcel.about} {parcel.said(result)}".rstrip())
        if self.crash == "done" and process.state != "dead":
            wire.on_crash(process, self.crash_name)
        elif self.fault == "lost":
            if wire.chance.number("at once", self._name) < 1 / 2:
                wire.loop.call_later(self._back, self._break, context=NOBODY)
            else:
                self._break_if_endless()
        else:
            self._return(result)

    def _return(self, result: T) -> None:
        self._wire.loop.call_later(self._back, self._deliver, result, context=NOBODY)

    def _deliver(self, result: T) -> None:
        if self._wire.splits.get(self._process) in ("silent", "deaf"):
            self._wire.trace.add(self._process.name, "unheard", self._parcel.about)
            self._break_if_endless()
        elif not self._answer.done():
            self._wire.trace.add(self._process.name, "<-", self._parcel.about)
            self._answer.set_result(result)

    def _raise(self, error: Exception) -> None:
        if not self._answer.done():
            self._answer.set_exception(error)

    def _break(self) -> None:
        self._raise(self._parcel.failure(True))  # noqa: FBT003 - the name is in its type

    def _break_if_endless(self) -> None:
        """Nobody waits for ever: what has no limit of its own breaks off some time."""
        if self._parcel.timeout is None:
            self._wire.loop.call_later(_LATE[1], self._break, context=NOBODY)
