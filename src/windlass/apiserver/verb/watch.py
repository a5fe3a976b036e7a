"""watch: what exists, if that is wanted, and then each change as it happens."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

from windlass.apiserver.exchange import Reply
from windlass.apiserver.failure import report
from windlass.apiserver.negotiate import JSON, PROTOBUF, YAML
from windlass.apiserver.number import seconds_of
from windlass.apiserver.outside import settled
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.store import Expired
from windlass.apiserver.verb.answer import Mismatch, check_table
from windlass.apiserver.verb.event import Encoder
from windlass.apiserver.verb.read import prefix_of
from windlass.apiserver.verb.select import selection
from windlass.apiserver.verb.version import begins_with_all, parse_version

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Sequence

    from windlass.apiserver.store import Change, Record
    from windlass.apiserver.verb.operation import Operation

_BOOKMARK_EVERY: Final = timedelta(minutes=1)
_SHORTEST: Final = timedelta(minutes=30)
_INITIAL_EVENTS_END: Final = "k8s.io/initial-events-end"
_AT_ONCE: Final = 500
_WORTH_SENDING: Final = 64 * 1024


def watch(operation: Operation) -> Reply:
    """Begin a watch. Its history is kept once for all watches: one that is read slowly holds up nobody."""
    query = operation.call.query
    chosen = selection(operation)
    media = operation.form.media
    if media == YAML:
        accepted = f"{JSON};stream=watch, {PROTOBUF};stream=watch"
        raise Refusal(406, f"only the following media types are accepted: {accepted}")
    try:
        version = parse_version(query.text("resourceVersion"))
    except Refusal as refusal:
        raise Refusal(500, refusal.message.removeprefix("invalid resource version: "), "") from refusal
    check_table(operation)
    encoder = Encoder(operation, chosen, prefix_of(operation, chosen))
    content_type = JSON if media == JSON else f"{media};stream=watch"
    return Reply(chunks=_Watch(operation, encoder, version).chunks(), content_type=content_type)


class _Watch:
    """One watch on its way through the history."""

    def __init__(self, operation: Operation, encoder: Encoder, version: int) -> None:
        self._operation = operation
        self._collection = operation.resource.collection
        self._encoder = encoder
        self._query = operation.call.query
        self._bookmarks = self._query.flag("allowWatchBookmarks")
        self._due: list[str] = []
        self._position = 0
        newest = operation.world.store.revision if operation.past is None else operation.past
        self._revision = str(newest)
        self._initial_wanted = begins_with_all(self._query)
        self._initial: Sequence[Record] = ()
        self._since = version
        if self._initial_wanted:
            self._initial = self._collection.page(encoder.prefix, revision=operation.past).records
        if self._initial_wanted or not version:
            self._since = newest

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        """The lines of the answer, several at a time where there are several."""
        with self._collection.listening() as listener:
            alarm = asyncio.ensure_future(self._ring(listener))
            try:
                yield b""  # the answer begins before there is any event
                self._position = self._collection.position(self._since)
                async for chunk in self._begin():
                    yield chunk
                while True:
                    chunk = await self._lines(self._next())
                    if chunk:
                        yield chunk
                    elif self._collection.closed or listener.dismissed:
                        return
                    elif self._due:
                        reason = self._due.pop()
                        if self._bookmarks:
                            yield self._bookmark()
                        if reason == "end":
                            return
                    else:
                        await listener.wait()
                    listener.clear()
            except Expired as expired:
                message = f"too old resource version: {expired.revision} ({expired.oldest})"
                yield self._encoder.error(Refusal(410, message))
            except Exception as error:  # noqa: BLE001 - who watches is told that it is not the end of the list
                yield self._told(error)
            finally:
                alarm.cancel()
                await asyncio.wait((alarm,))  # to await it and suppress its end could suppress our own

    def _told(self, error: Exception) -> bytes:
        """What is said of a failure; of objects that are no lists the real server says nothing."""
        if isinstance(error, Mismatch):
            return b""
        return self._encoder.error(report(self._operation.call, error))

    async def _begin(self) -> AsyncIterator[bytes]:
        """What existed when the watch was asked for, where that is wanted."""
        chunk = b""
        for start in range(0, len(self._initial), _AT_ONCE):
            records = self._initial[start : start + _AT_ONCE]
            chunk += await settled(self._operation.world, partial(self._encoder.initial, records))
            if len(chunk) >= _WORTH_SENDING:
                yield chunk
                chunk = b""
        if chunk:
            yield chunk
        if self._initial_wanted and self._bookmarks:
            annotations = {_INITIAL_EVENTS_END: "true"}
            yield self._encoder.bookmark({"resourceVersion": self._revision, "annotations": annotations})
        self._initial = ()

    async def _lines(self, changes: Sequence[Change]) -> bytes:
        """What these changes mean to the watch, if there are any."""
        if not changes:
            return b""
        return await settled(self._operation.world, partial(self._encoder.lines, changes))

    def _next(self) -> Sequence[Change]:
        changes = self._collection.changes(self._position)
        self._position += len(changes)
        return changes

    def _bookmark(self) -> bytes:
        return self._encoder.bookmark({"resourceVersion": str(self._operation.world.store.revision)})

    async def _ring(self, woken: asyncio.Event) -> None:
        """Say when a bookmark is due, and when the time of the watch is over."""
        clock, left = self._operation.world.clock, self._time()
        while left > _BOOKMARK_EVERY:
            await clock.sleep(_BOOKMARK_EVERY)
            left -= _BOOKMARK_EVERY
            self._due.append("bookmark")
            woken.set()
        await clock.sleep(left)
        self._due.append("end")
        woken.set()

    def _time(self) -> timedelta:
        seconds = self._operation.call.query.number("timeoutSeconds")
        if seconds:
            return max(seconds_of(seconds), timedelta())
        return _SHORTEST * (1 + self._operation.world.chance.random())
