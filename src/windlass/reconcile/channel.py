from __future__ import annotations

import asyncio
from threading import Lock
from typing import TYPE_CHECKING

from typing_extensions import override

from windlass.reconcile.cause import Cause
from windlass.reconcile.source import Sink, Source

if TYPE_CHECKING:
    from windlass.api import Key


class Channel(Source):
    """Wakes an object when somebody says so: a webhook's handler, a message bus, another controller.

    What is sent before the controller runs, or after it stopped, is kept until it does, one for each key. A
    channel that is given to several controllers reaches each of those that run.

        pushed = Channel()
        manager.add(RepositoryController(sources=(pushed,)))
        pushed.send(Key("default", "shop"), "push")
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._sinks: list[Sink] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._kept: dict[Key, Cause] = {}

    def send(self, key: Key, reason: str = "sent") -> None:
        """Wake one object; from the event loop's own thread only."""
        cause = Cause(reason)
        with self._lock:
            sinks = tuple(self._sinks)
            if not sinks:
                self._kept[key] = cause
        for sink in sinks:
            sink.wake(key, cause)

    def send_soon(self, key: Key, reason: str = "sent") -> None:
        """Wake one object; from any thread."""
        with self._lock:
            if self._loop is None:
                self._kept[key] = Cause(reason)
            else:
                self._loop.call_soon_threadsafe(self.send, key, reason)

    @override
    async def run(self, sink: Sink) -> None:
        loop = asyncio.get_running_loop()
        with self._lock:
            kept, self._kept = self._kept, {}
            self._sinks.append(sink)
            self._loop = loop
        try:
            for key, cause in kept.items():
                sink.wake(key, cause)
            await loop.create_future()
        finally:
            with self._lock:
                self._sinks.remove(sink)
                self._loop = loop if self._sinks else None
