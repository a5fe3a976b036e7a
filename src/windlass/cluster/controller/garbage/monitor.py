from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.aio import within
from windlass.api import Selection, Untyped
from windlass.client import survey
from windlass.cluster.controller.garbage.ledger import key_of
from windlass.errors import ApiError, ConnectionFailedError
from windlass.reconcile import Cause, Sink, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from windlass.aio import Clock
    from windlass.api import Change, Kind
    from windlass.cache import Cache, Informer
    from windlass.client import Client, Served
    from windlass.cluster.controller.garbage.graph import Node
    from windlass.cluster.controller.garbage.ledger import Ledger

_log = logging.getLogger("windlass.cluster")
_METADATA: Final = Selection(metadata_only=True)
_VERBS: Final = frozenset({"list", "watch", "delete"})
_DEFINING: Final = ("customresourcedefinitions.apiextensions.k8s.io", "apiservices.apiregistration.k8s.io")
_PATIENCE: Final = timedelta(seconds=30)
"""A kind that cannot be listed for so long holds nobody up any more."""

_SOON: Final = timedelta(seconds=2)  # a definition is there before all that follows from it
_LATER: Final = timedelta(minutes=5)
_UNKNOWN: Final = timedelta(seconds=30)


class Monitor:
    """The watch of one kind. `is_settled` once everything is there, or has been waited for long enough."""

    def __init__(self, informer: Informer[Any], hear: Callable[[Change[Any]], None]) -> None:
        self.informer = informer
        self.is_settled = False
        self.dismiss = informer.listen(hear)

    async def settle(self, clock: Clock, settled: Callable[[], None]) -> None:
        """Wait until it is, and say so."""
        try:
            await within(clock, _PATIENCE, self.informer.synced())
        except TimeoutError:
            _log.warning("%s cannot be listed: garbage is collected without it", self.informer)
        self.is_settled = True
        settled()


class Monitors(Source):
    """Watches the metadata of every kind that can be deleted, as kinds come and go, and keeps the ledger.

    It wakes objects by their uid. Nobody is woken before every kind has been listed: until then most owners
    have not been seen yet.
    """

    def __init__(self, cache: Cache, client: Client, ledger: Ledger) -> None:
        self._cache = cache
        self._client = client
        self._ledger = ledger
        self._monitors: dict[Kind, Monitor] = {}
        self._settling: dict[Kind, asyncio.Task[None]] = {}
        self._news = asyncio.Event()
        self._is_open = False
        self._sink: Sink | None = None

    @override
    async def run(self, sink: Sink) -> None:
        self._sink, self._is_open = sink, False
        try:
            async with asyncio.TaskGroup() as group:
                while True:
                    self._news.clear()
                    pause = await self._look(group, sink.clock)
                    if await _is_set(self._news, pause, sink.clock):
                        await self._look(group, sink.clock)
                        await sink.clock.sleep(_SOON)
        finally:
            for kind in tuple(self._monitors):
                self._stop(kind)
            self._sink, self._ledger.is_complete = None, False

    async def _look(self, group: asyncio.TaskGroup, clock: Clock) -> timedelta:
        """Ask which kinds there are, and watch those; returns when to ask again."""
        try:
            found = await survey(self._client)
        except (ApiError, ConnectionFailedError) as error:
            _log.warning("Which kinds there are could not be learnt, and is asked again: %s", error)
            return _UNKNOWN
        kept = [kind for kind in self._monitors if kind.api_version in found.unknown]
        self._ledger.serve([*kept, *(each.kind for each in found.served)])
        wanted = dict.fromkeys([*kept, *deletable(found.served, found.unknown)])
        for kind in [each for each in self._monitors if each not in wanted]:
            self._wake(self._stop(kind), "kind gone")
        for kind in [each for each in wanted if each not in self._monitors]:
            self._ledger.is_complete = False
            informer = self._cache.informer(Untyped.of(kind), _METADATA)
            monitor = self._monitors[kind] = Monitor(informer, self._hear)
            self._settling[kind] = group.create_task(monitor.settle(clock, self._review))
        self._review()
        return _UNKNOWN if found.unknown else _LATER

    def _stop(self, kind: Kind) -> Sequence[Node]:
        monitor = self._monitors.pop(kind)
        self._settling.pop(kind).cancel()
        monitor.dismiss()
        if monitor.informer in self._cache.informers:
            self._cache.remove(monitor.informer)
        return self._ledger.graph.lose(kind)

    def _review(self) -> None:
        """Look at everything once no kind is waited for any more: owners that were missing may be there."""
        if self._ledger.is_complete or not all(each.is_settled for each in self._monitors.values()):
            return
        self._is_open = self._ledger.is_complete = True
        self._wake(self._ledger.graph.suspects(), "all kinds listed")

    def _hear(self, change: Change[Any]) -> None:
        if change.kind.__kind__.resource in _DEFINING:
            self._news.set()
        self._wake(self._ledger.hear(change), change.event)

    def _wake(self, nodes: Iterable[Node], why: str) -> None:
        if self._sink is None or not self._is_open:
            return
        for node in nodes:
            self._sink.wake(key_of(node), Cause(why, node.kind.name, node.key))


async def _is_set(event: asyncio.Event, limit: timedelta, clock: Clock) -> bool:
    """Wait for an event; whether it came before the time was over."""
    try:
        await within(clock, limit, event.wait())
    except TimeoutError:
        return False
    return True


def deletable(served: Iterable[Served], unknown: Sequence[str]) -> list[Kind]:
    """The kinds to watch: each in one version, the one that the server prefers; no events.

    Nothing is begun with a version of which the server does not know itself whether it is there.
    """
    found: dict[str, Kind] = {}
    for each in served:
        kind = each.kind
        is_event = kind.plural == "events" and kind.group in ("", "events.k8s.io")
        if not is_event and set(each.verbs) >= _VERBS and kind.api_version not in unknown:
            found.setdefault(kind.resource, kind)
    return list(found.values())
