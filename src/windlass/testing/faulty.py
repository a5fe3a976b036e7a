from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Literal

from typing_extensions import override

from windlass.aio import Clock, SystemClock
from windlass.client import Transport
from windlass.errors import ConnectionFailedError
from windlass.testing.fault_answer import answer, can_conflict, timed_out
from windlass.testing.faults import CALM, Faults, Injection
from windlass.testing.faulty_stream import FaultyStream, RefusedStream, unheard

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Request, Response, Stream
    from windlass.testing.faults import Answer, Fault, Loss

Partition = Literal["refused", "silent", "deaf"]
"""What a split network does with a request: refuse it, swallow it, or deliver it and swallow the answer."""

_FEW_LINES = 10


class FaultyTransport(Transport):
    """A way to an API server on which things go wrong, as often as `faults` says, the same for each seed.

    It wraps any transport. What it answers has the form of the real server's answers.

        faults = Faults(conflict=0.03, busy=0.03, failed=0.03, cut_every=timedelta(seconds=1))
        client = Client(FaultyTransport(cluster.transport(), faults, random=Random(4711)))

    `faults` may be exchanged at any time for what comes after; `CALM` ends them all. `log` tells what befell
    whom. A partition lasts until `heal`, and comes before everything else.
    """

    def __init__(
        self,
        transport: Transport,
        faults: Faults = CALM,
        *,
        clock: Clock | None = None,
        random: Random | None = None,
    ) -> None:
        self.faults = faults
        self.log: list[Injection] = []
        self._transport = transport
        self._clock = clock or SystemClock()
        self._random = random or Random(0)  # noqa: S311 - it is to be the same each time
        self._partition: Partition | None = None
        self._swallowed: set[asyncio.Timeout] = set()
        self._streams: set[FaultyStream] = set()

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return len(self._streams)

    def count(self, fault: Fault) -> int:
        """How often a fault has happened."""
        return sum(each.fault == fault for each in self.log)

    def cut(self) -> None:
        """Break off every open stream."""
        for stream in self._streams:
            stream.cut()

    def partition(self, how: Partition = "refused") -> None:
        """Split the network between client and server until `heal`, for streams that are open too."""
        self._partition = how
        for stream in self._streams:
            if how == "refused":
                stream.cut()
            else:
                stream.silence()

    def heal(self) -> None:
        """Make the network whole; what was swallowed breaks off, as a connection does that one end forgot."""
        self._partition = None
        now = asyncio.get_running_loop().time()
        for waiting in self._swallowed:
            if not waiting.expired():
                waiting.reschedule(now)
        for stream in self._streams:
            if stream.is_silent:
                stream.cut()

    @override
    async def send(self, request: Request) -> Response:
        if self._partition is not None:
            await self._part(request, self._partition)
        early, delay = self._delay(request)
        if early:
            await self._hold(request, delay, sent=False)
        response = await self._answered(request)
        if not early:
            await self._hold(request, delay, sent=True)
        if self._partition is not None:  # it came about while the answer was on its way
            raise self._broken("partition", request, sent=True)
        return response

    @override
    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[Stream]:
        if self._partition is not None:
            await self._part(request, self._partition)
        fault = self._drawn(request)
        if fault == "refused" or fault == "lost":  # noqa: PLR1714 - mypy understands this one
            raise self._broken(fault, request, sent=fault == "lost")
        if fault is not None:
            self._note(fault, request)
            yield RefusedStream(timed_out() if fault == "timed_out" else answer(fault, request))
            return
        async with self._transport.stream(request) as inner, self._followed(inner, request) as stream:
            yield stream

    @override
    async def close(self) -> None:
        await self._transport.close()

    @asynccontextmanager
    async def _followed(self, inner: Stream, request: Request) -> AsyncIterator[FaultyStream]:
        """A stream that this transport can break while it is open."""
        stream = FaultyStream(inner, request, self._clock)
        faults = self._meant(request)
        stream.breaks = lambda: self._happens("cut", faults.cut, request)
        if self._random.random() < faults.silent:
            lines = iter(range(self._random.randrange(_FEW_LINES)))
            stream.falls_silent = lambda: next(lines, None) is None and self._happens("silent", 1, request)
        ending = asyncio.ensure_future(self._end(stream, request, faults.cut_every))
        self._streams.add(stream)
        try:
            yield stream
        finally:
            self._streams.discard(stream)
            ending.cancel()
            with suppress(asyncio.CancelledError):
                await ending

    async def _end(self, stream: FaultyStream, request: Request, after: timedelta | None) -> None:
        if after is not None:
            await self._clock.sleep(after)
            self._note("cut", request)
            stream.cut()

    async def _answered(self, request: Request) -> Response:
        """What a request is answered, be it by the server or in its place."""
        match self._drawn(request):
            case None:
                return await self._transport.send(request)
            case "refused":
                raise self._broken("refused", request, sent=False)
            case "lost":
                await self._transport.send(request)
                raise self._broken("lost", request, sent=True)
            case "timed_out":
                await self._transport.send(request)
                self._note("timed_out", request)
                return timed_out()
            case fault:
                _leave(request)
                self._note(fault, request)
                return answer(fault, request)

    async def _part(self, request: Request, how: Partition) -> None:
        """Let a request run into a partition.

        Raises:
            ConnectionFailedError: always, and by then somebody may have healed the network.
        """
        if how == "refused":
            raise self._broken("partition", request, sent=False)
        if how == "deaf":
            await self._transport.send(request)
        else:
            _leave(request)
        self._note("partition", request)
        waiting = asyncio.timeout(None)  # no time is measured: `heal` ends it
        self._swallowed.add(waiting)
        try:
            async with waiting:
                await unheard(self._clock, request.timeout)
        except TimeoutError:
            raise _lost(request) from None
        finally:
            self._swallowed.discard(waiting)

    def _delay(self, request: Request) -> tuple[bool, timedelta]:
        """Whether a request is held back before it is sent rather than before it is answered; how long."""
        faults = self._meant(request)
        if not self._happens("late", faults.late, request):
            return False, timedelta()
        return self._random.random() < 1 / 2, faults.longest_delay * self._random.random()

    async def _hold(self, request: Request, delay: timedelta, *, sent: bool) -> None:
        if not delay:
            return
        if request.timeout is not None and delay >= request.timeout:
            await self._clock.sleep(request.timeout)
            raise ConnectionFailedError(f"{request}: no answer came in time", sent=sent)
        await self._clock.sleep(delay)

    def _drawn(self, request: Request) -> Answer | Loss | None:
        fault = self._meant(request).draw(self._random)
        return None if fault == "conflict" and not can_conflict(request) else fault

    def _meant(self, request: Request) -> Faults:
        only = self.faults.only
        return self.faults if only is None or only(request) else CALM

    def _happens(self, fault: Fault, share: float, request: Request) -> bool:
        happens = bool(share) and self._random.random() < share
        if happens:
            self._note(fault, request)
        return happens

    def _broken(self, fault: Fault, request: Request, *, sent: bool) -> ConnectionFailedError:
        self._note(fault, request)
        return _lost(request) if sent else ConnectionFailedError(f"{request}: the connection was refused")

    def _note(self, fault: Fault, request: Request) -> None:
        self.log.append(Injection(fault, request))


def _lost(request: Request) -> ConnectionFailedError:
    return ConnectionFailedError(f"{request}: the connection was lost", sent=True)


def _leave(request: Request) -> None:
    """Let a request leave that does not arrive: who sends it must still be allowed to."""
    if request.guard is not None:
        request.guard()
