from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from windlass.api import masked_logger
from windlass.controller.event_book import EventBook, EventOptions, Report, Series, Subject
from windlass.controller.event_form import event_name, event_of, reason_of, short, update_of
from windlass.controller.message import plain_message
from windlass.errors import (
    AlreadyExists,
    ConnectionFailedError,
    NotFound,
    ServerError,
    TooManyRequests,
    WindlassError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from random import Random

    from windlass.aio import Clock
    from windlass.api import Json, Resource
    from windlass.client import Client

__all__ = ["EventOptions", "EventRecorder"]

_log = masked_logger("windlass.controller")


class Reporter:
    """Says something about objects under one name, which events tell as their source."""

    def __init__(self, note: Callable[[Report], None], name: str) -> None:
        self._note = note
        self._name = name

    def event(
        self, kind: type[Resource], about: Json, reason: str, message: str, *, warning: bool = False
    ) -> None:
        """Say something about an object, given as it stands on the wire."""
        metadata = about["metadata"]
        subject = Subject(
            kind.__kind__.api_version,
            kind.__kind__.name,
            metadata.get("namespace", ""),
            metadata["name"],
            metadata.get("uid", ""),
        )
        type_ = "Warning" if warning else "Normal"
        self._note(Report(subject, type_, reason_of(reason), short(plain_message(message)), self._name))


class EventRecorder:
    """Tells people about objects by Events, without delaying or failing whoever has something to tell.

    `event` only takes note; `run` sends, one after the other, while it runs. What repeats becomes one event
    with a count, what is too much is counted in `dropped`, and what cannot be sent is logged.
    """

    def __init__(
        self,
        client: Client,
        component: str,
        *,
        clock: Clock,
        random: Random,
        options: EventOptions | None = None,
    ) -> None:
        self._client = client
        self._component = component
        self._process = f"{random.getrandbits(32):08x}"
        self._clock = clock
        self._random = random
        self._options = options or EventOptions()
        self._book = EventBook(self._options)
        self._news = asyncio.Event()
        self._failing = False

    @property
    def dropped(self) -> int:
        """How many events were not sent: too many about one object, too many at once, or refused."""
        return self._book.dropped

    def event(
        self, kind: type[Resource], about: Json, reason: str, message: str, *, warning: bool = False
    ) -> None:
        """Say something about an object, given as it stands on the wire."""
        self.by("").event(kind, about, reason, message, warning=warning)

    def by(self, name: str) -> Reporter:
        """One who says something under a name of its own; where that is empty, under the component's."""
        return Reporter(self._note, name or self._component)

    def _note(self, report: Report) -> None:
        self._book.note(report, self._clock.now(), self._clock.monotonic())
        self._news.set()

    async def run(self) -> None:
        """Send until cancelled; then what is left, for as long as the options say."""
        try:
            while True:
                series = self._book.take(self._clock.monotonic())
                if series is None:
                    await self._wait(self._book.next_due)
                else:
                    await self._send(series)
        except asyncio.CancelledError:
            await self._flush()
            raise

    async def _wait(self, due: float | None) -> None:
        """Until there is news, or something falls due."""
        self._news.clear()
        if due is None:
            await self._news.wait()
            return
        delay = timedelta(seconds=max(due - self._clock.monotonic(), 1e-6))
        await _first_of(self._news.wait(), self._clock.sleep(delay))

    async def _flush(self) -> None:
        await _first_of(self._send_all(), self._clock.sleep(self._options.flush))

    async def _send_all(self) -> None:
        """Send what waits, each once, also what was to wait for more repetitions."""
        while (series := self._book.take(float("inf"))) is not None:
            series.attempts = self._options.attempts
            await self._send(series)

    async def _send(self, series: Series) -> None:
        count = series.count
        try:
            await (self._update(series) if series.known else self._create(series))
        except asyncio.CancelledError:
            self._book.put_back(series, self._clock.monotonic())
            raise
        except (ConnectionFailedError, ServerError, TooManyRequests) as error:
            self._tell(error)
            self._book.failed(series, self._clock.monotonic())
        except WindlassError as error:
            self._tell(error)
            self._book.refused(series)
        else:
            self._failing = False
            self._book.sent(series, count, self._clock.monotonic())

    async def _create(self, series: Series) -> None:
        series.name = series.name or event_name(series.report.about.name, self._random)
        try:
            await self._client.create(event_of(series, self._process))
        except AlreadyExists:  # an attempt before this one did arrive
            await self._update(series)

    async def _update(self, series: Series) -> None:
        from windlass.kinds.events.v1 import Event

        if series.count == 1:
            return
        try:
            namespace = series.report.about.namespace or "default"
            await self._client.patch(Event, series.name, update_of(series), namespace)
        except NotFound:  # events are kept for an hour or so
            series.name = event_name(series.report.about.name, self._random)
            await self._client.create(event_of(series, self._process))

    def _tell(self, error: WindlassError) -> None:
        """Log the first of several failures in a row."""
        log = _log.debug if self._failing else _log.warning
        log("an event could not be sent: %s", error)
        self._failing = True


async def _first_of(*either: Coroutine[Any, Any, Any]) -> None:
    """Wait for the first of several to end, and end the others."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(each) for each in either]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
