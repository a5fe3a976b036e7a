from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

import orjson

from windlass.api import read_json
from windlass.cache.feed import INITIAL_EVENTS_END, read_page
from windlass.cache.pace import Backoff, Pace
from windlass.cache.watchdog import Silence, Watchdog
from windlass.errors import (
    Answer,
    ApiError,
    BadRequest,
    ConfigError,
    ConnectionFailedError,
    Forbidden,
    Gone,
    Invalid,
    NotFound,
    WindlassError,
    api_error,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from windlass.api import Json
    from windlass.cache.feed import Feed
    from windlass.cache.health import Health
    from windlass.cache.intake import Intake
    from windlass.cache.options import Environment
    from windlass.cache.replica import Replica
    from windlass.client import Request

_SHORTEST: Final = 300.0
_LONGEST: Final = 600.0
"""A watch lasts between these numbers of seconds, so that not all of them end together."""

_PATIENCE: Final = timedelta(seconds=10)
"""A server that streams no lists is silent after the last object, where one that does closes the list."""

_AT_ONCE: Final = 1.0
"""A watch that ends so soon, in seconds, and said nothing, did not work."""


class Interrupted(WindlassError):
    """The watch was ended by us, to go on in another way."""


class NotStreamed(WindlassError):
    """The server did not close the list that it was to stream."""


class Reflector:
    """Keeps an intake in step with the server for as long as it runs, whatever happens between them.

    It lists and then watches, on one stream where the server can do that; goes on from where it was after a
    cut; lists again when the server no longer knows where that was; and waits for a kind that is not there.
    """

    def __init__(self, feed: Feed, replica: Replica[Any], intake: Intake[Any], health: Health) -> None:
        self._feed = feed
        self._replica = replica
        self._intake = intake
        self._health = health
        self._streams = True
        self._doubtful = False
        self._anew = False
        self._reform = False
        self._is_failing = False
        self._missing = 0
        self._expired = 0
        self._watchdog: Watchdog | None = None

    def list_anew(self) -> None:
        """Read everything again: what is kept of each object, or what is made of it, has changed."""
        self._anew = self._intake.reformed = True
        self._interrupt()

    def reform(self) -> None:
        """Bring what is kept into the present form, and go on in it."""
        self._reform = True
        self._interrupt()

    async def run(self, environment: Environment) -> None:
        """Follow the server until cancelled."""
        self._environment = environment
        self._pace = Pace(environment.clock)
        random = environment.random
        self._backoff = Backoff(timedelta(seconds=0.8), timedelta(seconds=30), random)
        self._slow = Backoff(timedelta(seconds=10), timedelta(minutes=1), random)
        self._poll = Backoff(timedelta(seconds=1), timedelta(seconds=30), random)
        while True:
            try:
                await self._advance()
            except Interrupted:
                continue
            except NotFound as error:
                pause = await self._lose_kind(error)
            except Gone as error:
                pause = self._start_over(error)
            except Forbidden as error:
                pause = self._fall_behind(error, self._slow)
            except (ApiError, ConnectionFailedError, ConfigError) as error:
                pause = self._fall_behind(error, self._backoff)
            else:
                continue
            await environment.clock.sleep(pause)

    async def _advance(self) -> None:
        """One list, or one watch, until it ends."""
        if self._reform:
            await self._reform_all()
        if self._anew or not self._intake.position:
            self._anew = False
            await self._list()
        elif not self._doubtful or await self._is_same_history():
            self._doubtful = False
            await self._follow()

    async def _list(self) -> None:
        if self._streams:
            try:
                await self._stream()
            except (BadRequest, Invalid, NotStreamed):
                if self._intake.position:
                    raise
            else:
                return
        await self._read_pages()
        self._streams = False  # it works the other way, so the next time need not be lost

    async def _stream(self) -> None:
        request = self._feed.stream(self._replica.form, self._duration())
        self._intake.begin()
        try:
            await self._watch(request, _PATIENCE)
        except Silence as error:
            if self._intake.position:
                self._doubtful = True
                return
            raise NotStreamed(f"{request}: {error}") from error
        if not self._intake.position:
            raise NotStreamed(f"{request}: it ended before the list did")

    async def _follow(self) -> None:
        request = self._feed.follow(self._replica.form, self._intake.position, self._duration())
        try:
            await self._watch(request, self._environment.options.idle)
        except Silence:  # the server is asked how far it is, and tells if it is out of reach
            self._doubtful = True

    async def _watch(self, request: Request, patience: timedelta) -> None:
        """Take in a stream of events until it ends."""
        clock, pace = self._environment.clock, self._pace
        opened, silent = clock.monotonic(), True
        self._watchdog = watchdog = Watchdog(clock, patience)
        try:
            async with watchdog, self._environment.client.stream(request) as stream:
                self._health.in_step()
                async for line in stream.lines():
                    if line:
                        silent = False
                        watchdog.heard()
                        bookmark = self._take(request, line)
                        if bookmark is not None:
                            await self._take_bookmark(request, bookmark)
                        if pace.due():
                            await pace.rest()
        finally:
            self._watchdog = None
        if silent and clock.monotonic() - opened < _AT_ONCE:
            raise ConnectionFailedError(f"{request}: the watch ended at once", sent=True)

    def _take(self, request: Request, line: bytes) -> Json | None:
        """Take in an event; the metadata of a bookmark is returned, since that may take a while."""
        try:
            kind, obj = _event(line)
        except (orjson.JSONDecodeError, KeyError, TypeError) as error:
            raise ConnectionFailedError(f"{request}: a line is cut off, or no event", sent=True) from error
        if kind == "ERROR":
            raise _refused(request, obj)
        if kind == "BOOKMARK":
            metadata: Json = obj["metadata"]
            return metadata
        self._intake.take(kind, obj)
        self._went_on()
        return None

    async def _take_bookmark(self, request: Request, metadata: Json) -> None:
        if self._intake.position:
            self._intake.caught_up(metadata["resourceVersion"])
        elif INITIAL_EVENTS_END in (metadata.get("annotations") or {}):
            await self._complete(metadata["resourceVersion"])
            if self._watchdog is not None:
                self._watchdog.patience = self._environment.options.idle
        else:
            raise NotStreamed(f"{request}: a bookmark came before the end of the list")
        self._went_on()

    async def _read_pages(self) -> None:
        """The list in pages; if the server forgets between two of them what it was about, in one piece."""
        size: int | None = self._environment.options.page_size
        more = ""
        self._intake.begin()
        while True:
            request = self._feed.page(self._replica.form, size, more)
            try:
                page = await read_page(self._environment.client, request)
            except Gone:
                if not more:
                    raise
                size, more = None, ""
                continue
            self._health.progress()
            await self._take_items(page.get("items") or [])
            more = page["metadata"].get("continue") or ""
            if not more:
                await self._complete(page["metadata"]["resourceVersion"])
                return

    async def _take_items(self, items: list[Json]) -> None:
        items.reverse()  # each is let go as soon as it is taken in
        while items:
            self._intake.take("ADDED", items.pop())
            if self._pace.due():
                await self._pace.rest()

    async def _complete(self, version: str) -> None:
        await self._paced(self._intake.end(version))
        self._missing = 0
        self._doubtful = False
        if not self._anew:  # nothing more was asked for while this was under way
            self._intake.reformed = self._replica.index_anew = False
            self._health.listed = True
        self._health.in_step()
        self._worked()

    def _went_on(self) -> None:
        if self._intake.position:
            self._expired = 0
        self._worked()

    def _worked(self) -> None:
        self._health.progress()
        if self._is_failing:
            self._is_failing = False
            self._backoff.reset()
            self._slow.reset()
            self._poll.reset()

    async def _is_same_history(self) -> bool:
        """Whether the server has at least come to where we are; one that was restored may not have."""
        page = await read_page(self._environment.client, self._feed.page(self._replica.form, 1))
        if self._intake.is_behind(page["metadata"]["resourceVersion"]):
            self._intake.position = ""
            return False
        self._health.progress()
        return True

    def _start_over(self, error: Gone) -> timedelta:
        """The place to go on from is not known any more; when that happens again, not at once."""
        self._intake.position = ""
        self._expired += 1
        if self._expired == 1:
            return timedelta()
        return self._fall_behind(error, self._backoff)

    def _fall_behind(self, error: WindlassError, backoff: Backoff) -> timedelta:
        self._doubtful = self._is_failing = True
        self._health.behind(str(error))
        wanted = error.answer.retry_after if isinstance(error, ApiError) else None
        return max(backoff.next(), timedelta(seconds=wanted or 0))

    async def _lose_kind(self, error: NotFound) -> timedelta:
        """The kind is not there; its objects are gone with it once the server has said so twice."""
        self._is_failing = True
        self._missing += 1
        self._intake.position = ""
        self._health.waiting(str(error))
        if self._missing > 1:
            await self._paced(self._intake.vanish())
        return self._poll.next()

    async def _reform_all(self) -> None:
        self._reform = False
        await self._paced(self._replica.reform())
        self._replica.is_reforming = self._reform

    async def _paced(self, steps: Iterator[None]) -> None:
        for _ in steps:
            if self._pace.due():
                await self._pace.rest()

    def _duration(self) -> timedelta:
        return timedelta(seconds=self._environment.random.uniform(_SHORTEST, _LONGEST))

    def _interrupt(self) -> None:
        if self._watchdog is not None:
            self._watchdog.end(Interrupted("the watch goes on in another way"))


def _event(line: bytes) -> tuple[str, Json]:
    """What happened, and to what.

    Raises:
        orjson.JSONDecodeError, KeyError, TypeError: it is no event.
    """
    said = read_json(line)
    kind, obj = said["type"], said["object"]
    if kind == "ERROR":
        return kind, obj if type(obj) is dict else {}
    known_by = "resourceVersion" if kind == "BOOKMARK" else "name"
    if not obj["metadata"][known_by]:
        raise KeyError(known_by)
    return kind, obj


def _refused(request: Request, said: Json) -> ApiError:
    """The error that a watch ended with."""
    return api_error(
        Answer(
            code=said.get("code") or 0,
            reason=said.get("reason") or "",
            message=said.get("message") or "",
            details=said.get("details"),
            request=str(request),
        )
    )
