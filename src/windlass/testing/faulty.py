from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from random import Random
from typing import TYPE_CHECKING, Literal

from typing_extensions import override

from windlass.aio import Clock, SystemClock
from windlass.apiserver import Reply
from windlass.apiserver.fault import CALM, Dice, Faults, Flow, Injection, answer, route, unheard
from windlass.client import Response, Transport
from windlass.errors import ConfigError, ConnectionFailedError
from windlass.testing.faulty_stream import FaultyStream, RefusedStream

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import timedelta

    from windlass.apiserver.fault import Answer, Fate, Fault, Route
    from windlass.client import Request, Stream

Partition = Literal["refused", "silent", "deaf"]
"""What a split network does with a request: refuse it, swallow it, or deliver it and swallow the answer."""


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
        self.log: list[Injection] = []
        self._transport = transport
        self._clock = clock or SystemClock()
        self._random = random or Random(0)  # noqa: S311 - it is to be the same each time
        self.faults = faults
        self._partition: Partition | None = None
        self._swallowed: set[asyncio.Timeout] = set()
        self._streams: set[Flow] = set()

    @property
    def faults(self) -> Faults:
        """What goes wrong at present.

        Raises:
            ConfigError: when it is set, to what only a server can do.
        """
        return self._dice.faults

    @faults.setter
    def faults(self, faults: Faults) -> None:
        faults.refuse("only a server can do this, not the way to it", "delayed", "stale", "compacted")
        if faults.only is not None and faults.only.user is not None:
            raise ConfigError("only: the way to a server does not know who asks; say it without the user")
        self._dice = Dice(faults, self._random)

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
        fate = self._fate(request, streaming=False)
        if fate.early or fate.late:
            self._note("late", request)
        await self._hold(request, fate.early, sent=False)
        response = await self._answered(request, fate)
        await self._hold(request, fate.late, sent=True)
        if self._partition is not None:  # it came about while the answer was on its way
            raise self._broken("partition", request, sent=True)
        return response

    @override
    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[Stream]:
        if self._partition is not None:
            await self._part(request, self._partition)
        fate = self._fate(request, streaming=True)
        match fate.outcome:
            case None:
                async with (
                    self._transport.stream(request) as inner,
                    self._followed(inner, request, fate) as stream,
                ):
                    yield stream
            case "refused" | "dropped" | "lost" as loss:
                raise self._broken(loss, request, sent=loss != "refused")
            case kind:
                self._note(kind, request)
                yield RefusedStream(refused_response(kind, request))

    @override
    async def close(self) -> None:
        await self._transport.close()

    @asynccontextmanager
    async def _followed(self, inner: Stream, request: Request, fate: Fate) -> AsyncIterator[FaultyStream]:
        """A stream that this transport can break while it is open."""
        stream = FaultyStream(inner, request, self._clock, fate.streams[0] if fate.streams else None)
        flow = stream.flow
        flow.told = lambda fault: self._note(fault, request)
        self._streams.add(flow)
        try:
            async with flow.lasting():
                yield stream
        finally:
            self._streams.discard(flow)

    async def _answered(self, request: Request, fate: Fate) -> Response:
        """What a request is answered, be it by the server or in its place."""
        match fate.outcome:
            case None:
                return await self._transport.send(request)
            case "refused":
                raise self._broken("refused", request, sent=False)
            case "dropped":
                _leave(request)
                raise self._broken("dropped", request, sent=True)
            case "lost":
                await self._transport.send(request)
                raise self._broken("lost", request, sent=True)
            case "timed_out":
                await self._transport.send(request)
            case _:
                _leave(request)
        self._note(fate.outcome, request)
        return refused_response(fate.outcome, request)

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

    async def _hold(self, request: Request, delay: timedelta, *, sent: bool) -> None:
        if not delay:
            return
        if request.timeout is not None and delay >= request.timeout:
            await self._clock.sleep(request.timeout)
            raise ConnectionFailedError(f"{request}: no answer came in time", sent=sent)
        await self._clock.sleep(delay)

    def _fate(self, request: Request, *, streaming: bool) -> Fate:
        return self._dice.fate(_route(request), streaming=streaming)

    def _broken(self, fault: Fault, request: Request, *, sent: bool) -> ConnectionFailedError:
        self._note(fault, request)
        return _lost(request) if sent else ConnectionFailedError(f"{request}: the connection was refused")

    def _note(self, fault: Fault, request: Request) -> None:
        self.log.append(Injection(fault, str(request)))


def _lost(request: Request) -> ConnectionFailedError:
    return ConnectionFailedError(f"{request}: the connection was lost", sent=True)


def _leave(request: Request) -> None:
    """Let a request leave that does not arrive: who sends it must still be allowed to."""
    if request.guard is not None:
        request.guard()


def _route(request: Request) -> Route | None:
    watching = any(name == "watch" and value not in ("0", "false") for name, value in request.query)
    return route(request.method, request.path, watching=watching)


def refused_response(kind: Answer | Literal["timed_out"], request: Request) -> Response:
    """What the server might have answered."""
    said = answer(kind, _route(request))
    reply = said if isinstance(said, Reply) else Reply.refusing(said)
    headers = {"content-type": reply.content_type, **reply.headers}
    return Response(status=reply.status, headers=headers, body=reply.body)
