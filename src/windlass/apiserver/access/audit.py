from __future__ import annotations

import logging
from collections import deque
from contextlib import aclosing, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

import orjson

from windlass.apiserver.access.record import Record, lasts, routed
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
    from pathlib import Path

    from windlass.aio import Clock
    from windlass.apiserver.access.event import AuditEvent, Stage
    from windlass.apiserver.exchange import Call, Reply

_UNAUTHORIZED: Final = 401
_log = logging.getLogger("windlass.apiserver")


class Audit:
    """Tells each request to those who want to know; while nobody does, it costs nothing."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._listeners: list[Callable[[AuditEvent], object]] = []

    @property
    def is_on(self) -> bool:
        """Whether anybody wants to know."""
        return bool(self._listeners)

    def begin(self, call: Call) -> Record:
        """The record of a request that arrives now."""
        return Record(self._clock.now(), routed(call))

    def tell(self, call: Call, reply: Reply, record: Record) -> None:
        """Tell of a request that has its answer, and of the end of that when it comes."""
        if record.user is None:  # it came no further
            if reply.status == _UNAUTHORIZED:
                self._tell(call, reply, record, "ResponseStarted")
            return
        if lasts(record.route):
            self._tell(call, reply, record, "ResponseStarted")
        ended = partial(self._tell, call, reply, record, "ResponseComplete")
        if reply.upgrade is not None:
            reply.upgrade = reply.upgrade.followed(ended)
        elif reply.chunks is not None:
            reply.chunks = _followed(reply.chunks, ended)
        else:
            ended()

    def tell_cut(self, call: Call, reply: Reply, record: Record) -> None:
        """Tell of a request whose connection broke before the answer, which is not known to be lost."""
        record.status = {"status": "Success", "message": "Connection closed early"}
        self.tell(call, reply, record)

    @contextmanager
    def listening(self, listener: Callable[[AuditEvent], object]) -> Iterator[None]:
        """Call somebody with every event of the block."""
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners = [each for each in self._listeners if each is not listener]

    @contextmanager
    def recording(self, most: int) -> Iterator[Sequence[AuditEvent]]:
        """The events of the block in their order, the last `most` of them."""
        trail: deque[AuditEvent] = deque(maxlen=most)
        listener = trail.append
        with self.listening(listener):
            yield trail

    @contextmanager
    def writing(self, path: Path) -> Iterator[None]:
        """Append the events of the block to a file, each as a line of JSON.

        An event that cannot be written is lost, since its request has been carried out; the log says so.

        Raises:
            ConfigError: it cannot be opened.
        """
        try:
            opened = path.open("ab", buffering=0)
        except OSError as error:
            raise ConfigError(f"cannot write the audit log {path}: {error.strerror}") from error
        with opened as file:

            def write(event: AuditEvent) -> None:
                try:
                    file.write(orjson.dumps(event.json, option=orjson.OPT_APPEND_NEWLINE))
                except OSError as error:
                    _log.error("cannot write the audit log %s: %s", path, error.strerror)

            with self.listening(write):
                yield

    def _tell(self, call: Call, reply: Reply, record: Record, stage: Stage) -> None:
        if self._listeners:
            event = record.event(call, reply, stage, self._clock.now())
            for listener in self._listeners:
                listener(event)


async def _followed(
    chunks: AsyncGenerator[bytes, None], ended: Callable[[], None]
) -> AsyncGenerator[bytes, None]:
    """The pieces of an answer, and a word when it has ended, however it did."""
    try:
        async with aclosing(chunks):
            async for chunk in chunks:
                yield chunk
    finally:
        ended()
