from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from windlass.client import Request
from windlass.controller.activity import Activity
from windlass.controller.outcome import transition
from windlass.controller.status import Seen, beyond_loop, merge_patch, reporting
from windlass.errors import Conflict, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable
    from logging import LoggerAdapter

    from windlass.api import Json, Key, Resource, Snapshot
    from windlass.controller.facilities import Facilities
    from windlass.controller.journal import Recorder

    Log = LoggerAdapter[Any]

_ATTEMPTS = 4


class Subject:
    """The object that a run is about: `object` is what the server last answered, and here it is written.

    `generation` is the one that the run has seen, whatever the server has by now.
    """

    def __init__(self, facilities: Facilities, key: Key, recorder: Recorder, log: Log) -> None:
        self.shared = facilities
        self.key = key
        self.recorder = recorder
        self.log = log
        self.activity = Activity(log, silent=facilities.writer.is_dry)
        self.object: Json = {"metadata": {}}
        self.generation: int | None = None

    def begin(self, snapshot: Snapshot[Any]) -> None:
        """This is our object as the cache has it."""
        self.object = snapshot.data
        self.generation = snapshot.metadata.get("generation")

    def seen(self) -> Seen:
        """What a status that is written now tells about."""
        return Seen(self.generation, self.shared.clock.now(), self.shared.status_type)

    @property
    def uid(self) -> str:
        """The identity of our object."""
        return str(self.object["metadata"].get("uid", ""))

    @property
    def kind(self) -> type[Resource]:
        """The kind of our object.

        Raises:
            TypeError: there is none, only a key.
        """
        if self.shared.kind is None:
            raise TypeError("a reconciler of keys has no object to report on or to own others")
        return self.shared.kind

    async def report(self, status_of: Callable[[Json], Json], *, failed: bool = False) -> None:
        """Write our object's status, if it differs; `status_of` is asked again when the object moved on.

        `failed` tells that a run failed, which is an event of its own. Nothing is written to an object that
        is gone, or to another one of the same name.

        Raises:
            Conflict: another process wrote the status meanwhile, such as the leader before us while our cache
                lags; what was returned rests on the old one and would undo that. The next run sees it.
        """
        for attempt in range(_ATTEMPTS):
            before, seen = self.object, self.object.get("status") or {}
            patch = merge_patch(seen, status_of(self.object))
            if not patch:
                return
            try:
                await self.write_self({"status": patch}, reporting(self.kind).subresource)
            except NotFound:
                return
            except Conflict:
                if attempt == _ATTEMPTS - 1:
                    raise
                if not await self._refreshed():
                    return
                if beyond_loop(self.kind, self.object) != beyond_loop(self.kind, {"status": seen}):
                    raise
            else:
                self._tell_transition(before, failed=failed)
                return

    async def promise(self, status_of: Callable[[Json], Json]) -> None:
        """Write our object's status, if it differs, on top of the status that this run has seen and no other.

        What a run does next rests on that: whoever sees an old status would do a second time what is done.

        Raises:
            Conflict: the status is another one by now; the next run sees it.
            NotFound: the object is gone.
        """
        for attempt in range(_ATTEMPTS):
            before, seen = self.object, self.object.get("status") or {}
            patch = merge_patch(seen, status_of(self.object))
            if not patch:
                return
            try:
                await self.write_self({"status": patch}, reporting(self.kind).subresource)
            except Conflict:
                same = await self._refreshed() and (self.object.get("status") or {}) == seen
                if attempt == _ATTEMPTS - 1 or not same:
                    raise
            else:
                self._tell_transition(before)
                return

    async def write_self(self, content: Json, subresource: str = "") -> None:
        """Change our object by a merge patch, if it is still the version that we know.

        Raises:
            Conflict: it is not.
        """
        metadata = {
            **content.get("metadata", {}),
            "resourceVersion": self.object["metadata"]["resourceVersion"],
        }
        body = {**content, "metadata": metadata}
        answer = await self.shared.writer.merge(self.kind, self.key, body, subresource)
        before = {name: self.object[name] for name in content if name in self.object}
        after = {name: answer[name] for name in content if name in answer}
        self.recorder.wrote("patch", self.kind, self.key, before, after)
        if answer["metadata"].get("resourceVersion") != metadata["resourceVersion"]:
            self.activity.updated(self.kind, self.key, before, after)
        self._know(self.kind, self.key, (self.object, answer))
        self.object = answer

    def _tell_transition(self, before: Json, *, failed: bool = False) -> None:
        """Log a change of the ready condition, and record it as an event unless the failure is one."""
        found = None if self.shared.writer.is_dry else transition(self.kind, before, self.object)
        if found is None:
            return
        self.log.log(logging.INFO if found.is_new else logging.DEBUG, "%s", found)
        if found.is_new and (found.is_ready or not failed):
            self.shared.observer.event(found.reason, warning=False)
            self.shared.events.event(self.kind, self.object, found.reason, found.note)

    def _know(self, kind: type[Resource], key: Key, states: tuple[Json | None, Json]) -> None:
        """Let the cache have what we wrote, and the loop know whose write it was."""
        if self.shared.writer.is_dry:
            return
        old, new = states
        version = str(new["metadata"].get("resourceVersion", ""))
        changed = old is None or old["metadata"].get("resourceVersion") != version
        if changed and not self._is_regenerated(kind, key, new):
            self.shared.authors.note(kind, key, version, self.key)
        for informer in self.shared.declared.around(kind, key):
            informer.wrote(new)

    def _is_regenerated(self, kind: type[Resource], key: Key, new: Json) -> bool:
        """Whether our own object has a new generation, which no run has seen yet.

        Where the status is a part of the object, each report makes one.
        """
        is_ours = kind is self.shared.kind and key == self.key and bool(reporting(kind).subresource)
        return is_ours and new["metadata"].get("generation") != self.generation

    async def _refreshed(self) -> bool:
        """Ask for our object as it is now; whether it is still the same one."""
        path = self.kind.__kind__.path(self.key.name, self.key.namespace)
        request = Request(method="GET", path=path, headers={"Accept": "application/json"})
        try:
            found: Json = await self.shared.client.json(request)
        except NotFound:
            return False
        same = bool(found["metadata"].get("uid") == self.uid)
        if same:
            self.object = found
            informer = self.shared.declared.find(self.kind, self.key)
            if informer:
                informer.wrote(found)  # so that the next run does not see an older one
        return same
