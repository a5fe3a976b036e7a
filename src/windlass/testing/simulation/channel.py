from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson
from typing_extensions import override

from windlass.client import Stream
from windlass.testing.simulation.schedule import NOBODY

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from windlass.client import Request, Transport
    from windlass.errors import ConnectionFailedError
    from windlass.testing.simulation.process import Process
    from windlass.testing.simulation.wire import Wire


@dataclass
class Channels:
    """The watches that are open. `lags` is the share of their events that come late, by up to `longest`."""

    wire: Wire
    lags: float = 0.0
    longest: float = 0.0
    open: dict[Channel, None] = field(default_factory=dict)


class Channel(Stream):
    """A watch of a process: its events come in order, each as late as the seed says."""

    def __init__(self, channels: Channels, process: Process, about: str) -> None:
        self._channels = channels
        self._wire = channels.wire
        self.process = process
        self.about = about
        self.silent = False
        self.opened: asyncio.Future[None] = self._wire.loop.create_future()
        self._name = self._wire.chance.next("watch", about)
        self._status = 0
        self._headers: Mapping[str, str] = {}
        self._warnings: tuple[str, ...] = ()
        self._lines: deque[bytes] = deque()
        self._count = 0
        self._last = 0.0
        self._end: Exception | None = None
        self._ended = False
        self._waiting: asyncio.Future[None] | None = None
        self._pump: asyncio.Task[None] | None = None

    @property
    @override
    def status(self) -> int:
        return self._status

    @property
    @override
    def headers(self) -> Mapping[str, str]:
        return self._headers

    @property
    @override
    def warnings(self) -> tuple[str, ...]:
        return self._warnings

    @override
    async def lines(self) -> AsyncIterator[bytes]:
        while True:
            while self._lines:
                yield self._lines.popleft()
            if self._ended:
                if self._end is not None:
                    raise self._end
                return
            self._waiting = self._wire.loop.create_future()
            await self._waiting

    def open(self, inner: Transport, request: Request, failure: ConnectionFailedError) -> None:
        """Ask the server for the watch."""
        self._failure = failure
        self._channels.open[self] = None
        self.process.at_death[self.close] = None
        pump = self._follow(inner, request)
        self._pump = self._wire.loop.create_task(pump, name=self.about, context=NOBODY.copy())

    def close(self) -> None:
        """Nobody reads it any more."""
        self._channels.open.pop(self, None)
        self.process.at_death.pop(self.close, None)
        if self._pump is not None:
            self._pump.cancel()

    def cut(self) -> None:
        """Break it off; what is on its way is lost."""
        if not self._ended:
            self._wire.trace.add(self.process.name, "cut", self.about)
            self._finish(self._failure)
            self.close()

    async def _follow(self, inner: Transport, request: Request) -> None:
        split = self._wire.splits.get(self.process)
        self._wire.trace.add(self.process.name, "refused" if split else "->", self.about)
        await asyncio.sleep(self._wire.delay("open", self._name))
        if split is not None:
            self._finish(self._failure)
            return
        async with inner.stream(request) as stream:
            self._status, self._headers, self._warnings = stream.status, stream.headers, stream.warnings
            if not self.opened.done():
                self.opened.set_result(None)
            async for line in stream.lines():
                self._send(self._deliver, line)
        self._send(self._finish, None)

    def _send(self, arrive: Any, what: Any) -> None:
        """Have something arrive after all that was sent before."""
        wire, name = self._wire, f"{self._name}:{self._count}"
        self._count += 1
        delay = wire.delay("event", name)
        late = wire.chance.happens(self._channels.lags, "lag", self.about)
        if late:
            delay = wire.chance.between(0.1, self._channels.longest, "lag", late)
        self._last = max(self._last, wire.loop.time() + delay)
        wire.loop.call_at(self._last, arrive, what, context=NOBODY)

    def _deliver(self, line: bytes) -> None:
        if self._ended or self.silent or self.process.state == "dead":
            return
        if self._wire.splits.get(self.process) is not None:
            self.silent = True  # what a split network swallows does not come later
            return
        self._wire.trace.add(self.process.name, "hears", _said(line))
        self._lines.append(line)
        self._wake()

    def _finish(self, error: Exception | None) -> None:
        if self._ended or (self.silent and error is None):
            return
        self._ended, self._end = True, error
        if not self.opened.done():
            self.opened.set_exception(error or self._failure)
        self._wake()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


def _said(line: bytes) -> str:
    """An event in short: `MODIFIED Widget w at 17`."""
    event = orjson.loads(line)
    about = event["object"]
    metadata = about.get("metadata") or {}
    kind, name = about.get("kind", ""), metadata.get("name", "")
    return f"{event['type']} {kind} {name} at {metadata.get('resourceVersion', '')}".replace("  ", " ")
