from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.controller.acts import ContextActs
from windlass.controller.reads import ContextReads, key_in
from windlass.controller.subject import Subject
from windlass.controller.writer import Writer
from windlass.controller.writes import ContextWrites
from windlass.reconcile import Cause, Context

if TYPE_CHECKING:
    import logging
    from collections.abc import Sequence
    from datetime import datetime, timedelta
    from logging import LoggerAdapter

    from windlass.api import Json, Key, Kind, Resource
    from windlass.client import Client, Impersonation
    from windlass.controller.environment import EffectResult
    from windlass.controller.facilities import Facilities
    from windlass.controller.journal import Recorder

_MOST_ARRIVED = 1000
_MORE = Cause("more than could be kept")


class Running(Subject):
    """One run of a reconciler for one object: what it saw, what it did, and the means to do it.

    `missing` is a kind that it needs and that is not served. `warnings` are the notes of the Warning
    events that it recorded about our object. `read_count` counts the objects that were listed. `superseded`
    is set once the object has a new generation, or is being deleted.
    """

    def __init__(
        self,
        facilities: Facilities,
        key: Key,
        causes: Sequence[Cause],
        recorder: Recorder,
        log: LoggerAdapter[Any],
    ) -> None:
        super().__init__(facilities, key, recorder, log)
        self.warnings: set[str] = set()
        self.causes = causes
        self.applied: set[tuple[str, str, Key]] = set()
        self.missing: Kind | None = None
        self.arrived: list[Cause] = []
        self.read_count = 0
        self.superseded = asyncio.Event()

    def arrive(self, cause: Cause) -> None:
        """Keep what concerns our object meanwhile: the first of very much, and that there was more."""
        if len(self.arrived) < _MOST_ARRIVED:
            self.arrived.append(cause)
        elif self.arrived[-1] is not _MORE:
            self.arrived.append(_MORE)
        if self._is_superseded_by(cause):
            self.superseded.set()

    def _is_superseded_by(self, cause: Cause) -> bool:
        change, kind = cause.change, self.shared.kind
        if change is None or kind is None or change.key != self.key:
            return False
        if change.kind.__kind__ != kind.__kind__:
            return False
        if change.new is None:
            return True
        began, now = self.object["metadata"], change.new.metadata
        is_deleted = bool(now.get("deletionTimestamp")) and not began.get("deletionTimestamp")
        return is_deleted or now.get("generation") != self.generation

    def key_of(self, kind: type[Resource], name: str, namespace: str) -> Key:
        """Where an object lies that our object names.

        Raises:
            ValueError: there is no telling, since the name or the namespace is missing.
        """
        key = self.place_of(kind, name, namespace)
        if not key.name:
            raise ValueError(
                f"{kind.__name__} without a name: what is applied again and again needs one; "
                "a generateName is for what is created once"
            )
        return key

    def place_of(self, kind: type[Resource], name: str, namespace: str) -> Key:
        """Where an object lies whose name the server may have to find.

        Raises:
            ValueError: there is no telling, since the namespace is missing.
        """
        key = key_in(kind, name, namespace or self.key.namespace)
        if kind.__kind__.namespaced and not key.namespace:
            raise ValueError(f"{kind.__name__} {name} lies in a namespace, and {self.key} in none: say which")
        return key

    def wrote(self, verb: str, kind: type[Resource], key: Key, states: tuple[Json | None, Json]) -> None:
        """Record a write of ours, and let the cache and the watch know whose it was.

        It may be our own object that was patched: then the status goes on top of that, unless somebody else
        has changed the status.
        """
        old, new = states
        informer = self.shared.declared.find(kind, key)
        kept = informer.as_kept(new, old) if informer else new
        self.recorder.wrote(verb, kind, key, old, kept)
        self._log_write(verb, kind, key, (old, kept))
        self._know(kind, key, states)
        ours = kind is self.shared.kind and key == self.key
        if ours and states[1].get("status") == self.object.get("status"):
            self.object = states[1]

    def deleted(self, kind: type[Resource], key: Key, uid: str, left: Json | None) -> None:
        """Record a deletion of ours; `left` is what waits for somebody else's finalizer."""
        if left is not None:
            self.wrote("delete", kind, key, (None, left))
            return
        self.recorder.wrote("delete", kind, key, None, None)
        if self.shared.writer.is_dry or not uid:
            return
        self.shared.authors.note(kind, key, uid, self.key)
        for informer in self.shared.declared.around(kind, key):
            informer.deleted(key, uid)

    def is_news(self, kind: type[Resource], key: Key, states: tuple[Json | None, Json]) -> bool:
        """Whether a write of ours changed an object, as far as its version tells."""
        old, new = states
        version = str(new["metadata"].get("resourceVersion", ""))
        if old is None:
            return not self.shared.authors.knows(kind, key, version)
        return bool(old["metadata"].get("resourceVersion") != version)

    def _log_write(self, verb: str, kind: type[Resource], key: Key, states: tuple[Json | None, Json]) -> None:
        old, new = states
        if verb == "delete" or not self.is_news(kind, key, states):
            return
        if old is not None:
            self.activity.updated(kind, key, old, new)
        elif verb == "create" or (verb == "apply" and _is_created(new)):
            self.activity.created(kind, key)
        elif verb != "patch":  # of which the caller knows the fields
            self.activity.updated_fields(kind, key, ())

    def did(self, what: str, result: EffectResult, took: timedelta, why: str = "") -> None:
        """Record something that was done outside the cluster, or was to be."""
        self.activity.effect(what, result, took)
        self.recorder.effect(what, f"{result}: {why}" if why else result)
        self.shared.observer.effect(result)


def _is_created(new: Json) -> bool:
    """Whether an object of which nothing was known was created by the write that has this answer."""
    metadata = new["metadata"]
    made = metadata.get("creationTimestamp")
    return all(each.get("time") == made for each in metadata.get("managedFields") or ())


class RunContext(ContextReads, ContextWrites, ContextActs, Context):
    """What a reconcile is given."""

    def __init__(
        self, run: Running, log: logging.LoggerAdapter[Any], acting: tuple[Client, Writer] | None = None
    ) -> None:
        self._run = run
        self._log = log
        self._client, self._writer = acting or (run.shared.client, run.shared.writer)

    @override
    def acting_as(self, user: Impersonation) -> Context:
        client = self._run.shared.client.acting_as(user)
        return RunContext(self._run, self._log, (client, Writer(client)))

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
