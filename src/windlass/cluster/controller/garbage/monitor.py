from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.aio import within
from windlass.api import Key, Selection, Untyped
from windlass.client import survey
from windlass.cluster.controller.garbage.graph import Reference, node_of
from windlass.errors import ApiError, ConnectionFailedError
from windlass.reconcile import Cause, Sink, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from windlass.api import Change, Kind
    from windlass.cache import Cache, Informer
    from windlass.client import Client, Served
    from windlass.cluster.controller.garbage.graph import Graph, Node
    from windlass.cluster.controller.garbage.memory import Absentees

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

    def __init__(self, informer: Informer[Any], dismiss: Callable[[], None]) -> None:
        self.informer = informer
        self.dismiss = dismiss
        self.is_settled = False


class Monitors(Source):
    """Watches the metadata of every kind that can be deleted, as kinds come and go, and keeps the graph.

    It wakes objects by their uid. Nobody is woken before every kind has been listed: until then most owners
    have not been seen yet.
    """

    def __init__(self, cache: Cache, client: Client, graph: Graph, absentees: Absentees) -> None:
        self._cache = cache
        self._client = client
        self._graph = graph
        self._absentees = absentees
        self._monitors: dict[Kind, Monitor] = {}
        self._served: dict[tuple[str, str], Kind] = {}
        self._news = asyncio.Event()
        self._is_open = False
        self._sink: Sink | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the graph has the objects of all kinds, as far as that can be had."""
        return self._is_open and all(each.is_settled for each in self._monitors.values())

    def kind(self, api_version: str, name: str) -> Kind | None:
        """The kind that a reference names, if the server serves it."""
        return self._served.get((api_version, name))

    def wake(self, nodes: Iterable[Node], why: str) -> None:
        """Have objects looked at."""
        if self._sink is None or not self._is_open:
            return
        for node in nodes:
            self._sink.wake(key_of(node), Cause(why, node.kind.name, node.key))

    @override
    async def run(self, sink: Sink) -> None:
        self._sink, self._is_open = sink, False
        try:
            async with asyncio.TaskGroup() as group:
                while True:
                    self._news.clear()
                    pause = await self._look(group)
                    if await self._is_told(pause):
                        await self._look(group)
                        await sink.clock.sleep(_SOON)
        finally:
            for kind in tuple(self._monitors):
                self._stop(kind)
            self._sink = None

    async def _look(self, group: asyncio.TaskGroup) -> timedelta:
        """Ask which kinds there are, and watch those; returns when to ask again."""
        try:
            found = await survey(self._client)
        except (ApiError, ConnectionFailedError) as error:
            _log.warning("Which kinds there are could not be learnt, and is asked again: %s", error)
            return _UNKNOWN
        known = {each.kind for each in found.served}
        kept = {kind for kind in self._monitors if kind.api_version in found.unknown}
        self._served = {(kind.api_version, kind.name): kind for kind in (*kept, *known)}
        wanted = dict.fromkeys([*kept, *deletable(found.served, found.unknown)])
        for kind in [each for each in self._monitors if each not in wanted]:
            self.wake(self._stop(kind), "kind gone")
        new = [kind for kind in wanted if kind not in self._monitors]
        for kind in new:
            group.create_task(self._settle(self._start(kind)))
        if new and self._is_open:
            self.wake(self._graph.suspects(), "kinds changed")
        return _UNKNOWN if found.unknown else _LATER

    async def _is_told(self, pause: timedelta) -> bool:
        """Wait for a definition to change; whether one did before the pause was over."""
        assert self._sink is not None  # noqa: S101 - for the type checker
        try:
            await within(self._sink.clock, pause, self._news.wait())
        except TimeoutError:
            return False
        return True

    def _start(self, kind: Kind) -> Monitor:
        informer = self._cache.informer(Untyped.of(kind), _METADATA)
        monitor = self._monitors[kind] = Monitor(informer, informer.listen(self._hear))
        return monitor

    def _stop(self, kind: Kind) -> Sequence[Node]:
        monitor = self._monitors.pop(kind)
        monitor.dismiss()
        if monitor.informer in self._cache.informers:
            self._cache.remove(monitor.informer)
        return self._graph.lose(kind)

    async def _settle(self, monitor: Monitor) -> None:
        """Wait for all objects of a kind, and look at everything once none is waited for any more."""
        assert self._sink is not None  # noqa: S101 - for the type checker
        try:
            await within(self._sink.clock, _PATIENCE, monitor.informer.synced())
        except TimeoutError:
            _log.warning("%s cannot be listed: garbage is collected without it", monitor.informer)
        monitor.is_settled = True
        if all(each.is_settled for each in self._monitors.values()):
            self._is_open = True
            self.wake(self._graph.suspects(), "all kinds listed")

    def _hear(self, change: Change[Any]) -> None:
        kind, latest = change.kind.__kind__, change.latest.metadata
        if kind.resource in _DEFINING:
            self._news.set()
        if change.new is not None:
            self.wake(self._graph.observe(node_of(kind, change.key, latest)), change.event)
            return
        uid = str(latest["uid"])
        if not change.listed:  # the server said so itself, of this very object
            self._absentees.add(
                Reference(uid, kind.api_version, kind.name, change.key.name), change.key.namespace
            )
        self.wake(self._graph.forget(uid, kind), "gone")


def key_of(node: Node) -> Key:
    """By what a queue knows an object: its uid; the namespace only makes for a fair order."""
    return Key(node.key.namespace, node.uid)


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
