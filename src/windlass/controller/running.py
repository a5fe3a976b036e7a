from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.client import Request
from windlass.controller.acts import ContextActs
from windlass.controller.reads import ContextReads, key_in
from windlass.controller.status import merge_patch, reporting
from windlass.controller.writes import ContextWrites
from windlass.errors import Conflict, NotFound
from windlass.reconcile import Context

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from windlass.api import Json, Key, Resource, Snapshot
    from windlass.controller.environment import EffectResult
    from windlass.controller.facilities import Facilities
    from windlass.controller.journal import Recorder
    from windlass.reconcile import Cause

_ATTEMPTS = 4


class Running:
    """One run of a reconciler for one object: what it saw, what it did, and the means to do it.

    `object` is our object as the server last answered.
    """

    def __init__(
        self,
        facilities: Facilities,
        key: Key,
        causes: Sequence[Cause],
        recorder: Recorder,
    ) -> None:
        self.shared = facilities
        self.key = key
        self.causes = causes
        self.recorder = recorder
        self.object: Json = {"metadata": {}}
        self.applied: set[tuple[type[Resource], Key]] = set()
        self.arrived: list[Cause] = []

    def begin(self, snapshot: Snapshot[Any]) -> None:
        """This is our object as the cache has it."""
        self.object = snapshot.data

    @property
    def uid(self) -> str:
        """The identity of our object."""
        return str(self.object["metadata"].get("uid", ""))

    def key_of(self, kind: type[Resource], name: str, namespace: str) -> Key:
        """Where an object lies that our object names."""
        return key_in(kind, name, namespace or self.key.namespace)

    def wrote(self, verb: str, kind: type[Resource], key: Key, states: tuple[Json | None, Json]) -> None:
        """Record a write of ours, and let the cache and the watch know whose it was."""
        old, new = states
        self.recorder.wrote(verb, kind, key, old, new)
        self._know(kind, key, new)

    def _know(self, kind: type[Resource], key: Key, new: Json) -> None:
        """Let the cache have what we wrote, and the loop know whose write it was."""
        if self.shared.writer.is_dry:
            return
        self.shared.own.note(kind, key, str(new["metadata"].get("resourceVersion", "")), self.key)
        informer = self.shared.declared.find(kind, key)
        if informer:
            informer.wrote(new)

    def deleted(self, kind: type[Resource], key: Key, uid: str, left: Json | None) -> None:
        """Record a deletion of ours; `left` is what waits for somebody else's finalizer."""
        if left is not None:
            self.wrote("delete", kind, key, (None, left))
            return
        self.recorder.wrote("delete", kind, key, None, None)
        informer = self.shared.declared.find(kind, key)
        if not self.shared.writer.is_dry and informer and uid:
            self.shared.own.note(kind, key, uid, self.key)
            informer.deleted(key, uid)

    def did(self, what: str, result: EffectResult, why: str = "") -> None:
        """Record something that was done outside the cluster, or was to be."""
        self.recorder.effect(what, f"{result}: {why}" if why else result)
        self.shared.observer.effect(result)

    async def report(self, status_of: Callable[[Json], Json]) -> None:
        """Write our object's status, if it differs; `status_of` is asked again when the object moved on.

        Nothing is written to an object that is gone, or to another one of the same name.
        """
        for attempt in range(_ATTEMPTS):
            patch = merge_patch(self.object.get("status") or {}, status_of(self.object))
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
            else:
                return

    async def promise(self, status_of: Callable[[Json], Json]) -> None:
        """Write our object's status, if it differs, on top of the status that this run has seen and no other.

        What a run does next rests on that: whoever sees an old status would do a second time what is done.

        Raises:
            Conflict: the status is another one by now; the next run sees it.
            NotFound: the object is gone.
        """
        for attempt in range(_ATTEMPTS):
            seen = self.object.get("status") or {}
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
        self._know(self.kind, self.key, answer)
        self.object = answer

    @property
    def kind(self) -> type[Resource]:
        """The kind of our object.

        Raises:
            TypeError: there is none, only a key.
        """
        if self.shared.kind is None:
            raise TypeError("a reconciler of keys has no object to report on or to own others")
        return self.shared.kind

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


class RunContext(ContextReads, ContextWrites, ContextActs, Context):
    """What a reconcile is given."""

    def __init__(self, run: Running, log: logging.LoggerAdapter[Any]) -> None:
        self._run = run
        self._log = log

    @property
    @override
    def key(self) -> Key:
        return self._run.key

    @property
    @override
    def causes(self) -> Sequence[Cause]:
        return self._run.causes

    @property
    @override
    def log(self) -> logging.LoggerAdapter[Any]:
        return self._log

    @property
    @override
    def now(self) -> datetime:
        return self._run.shared.clock.now()
