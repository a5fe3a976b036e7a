from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final, Generic, TypeVar

import orjson

from windlass.api import Key, Resource
from windlass.cache.ahead import Ahead, Own
from windlass.cache.index import Index, Owners
from windlass.cache.store import Store
from windlass.cache.version import metadata_of, number
from windlass.errors import UndecodableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.api import Json
    from windlass.cache.form import Form

R = TypeVar("R", bound=Resource)
_log = logging.getLogger("windlass.cache")
_MOST_AHEAD: Final = 10_000
"""So many own writes are remembered; there are more only when the watch is dead."""


class Replica(Generic[R]):
    """The objects of one selection: as the watch told of them, and ahead of that as we wrote them.

    What is looked up is the newer of the two. Indexes follow what is looked up.
    """

    def __init__(self, kind: type[R], form: Form) -> None:
        self.kind = kind
        self.form = form
        self.told = Store()
        self.ahead = Ahead()
        self.owners = Owners()
        self.indexes: dict[str, Index] = {}
        self.index_anew = False
        """Whether objects that did not change are to be indexed when they are told again."""
        self.is_reforming = False
        """Whether there are objects yet to be brought into the present form."""

    def get(self, key: Key) -> bytes | None:
        """The newest text that is known of an object."""
        if self.ahead and (own := self.ahead.get(key)):
            return own.raw
        return self.told.get(key)

    def keys(self, namespace: str = "") -> Iterator[Key]:
        """The keys in a namespace, or all."""
        own = {key: write for key, write in self.ahead if not namespace or key.namespace == namespace}
        for key in self.told.keys(namespace):
            if key not in own:
                yield key
        yield from (key for key, write in own.items() if write.raw is not None)

    def put(self, key: Key, raw: bytes, obj: Json) -> bytes | None:
        """The watch says that an object is this; returns what it said before.

        `obj` is the same as it was received, but for what packing took out.
        """
        if self.ahead and self.ahead.get(key):
            before = self.get(key)
            old = self.told.put(key, raw)
            own, metadata = self.ahead.get(key), obj["metadata"]
            if own and own.is_over(number(metadata.get("resourceVersion", "")), metadata.get("uid", "")):
                self.ahead.drop(key)
            after = self.get(key)
            self._reindex(key, before, after, obj if after is raw else None)
            return old
        old = self.told.put(key, raw)
        if old != raw or self.index_anew:
            self._reindex(key, old, raw, obj)
        return old

    def drop(self, key: Key, version: int | None, uid: str = "") -> bytes | None:
        """The watch says that an object is gone; returns what it said before."""
        before = self.get(key)
        old = self.told.pop(key)
        own = self.ahead.get(key)
        if own and own.is_over(version, uid, gone=True):
            self.ahead.drop(key)
        self._reindex(key, before, self.get(key), None)
        return old

    def lead(self, key: Key, own: Own, obj: Json | None = None) -> None:
        """We made this of an object, which the watch has yet to tell."""
        before = self.get(key)
        self.ahead.put(key, own)
        self._reindex(key, before, own.raw, obj)
        if len(self.ahead) > _MOST_AHEAD:
            self._forget(self.ahead.oldest)

    def passed(self, version: int | None) -> None:
        """The watch has told everything up to a version: own writes that are not newer are over."""
        for key, own in self.ahead:
            told = self.told.get(key) if own.uid else None
            uid = "" if told is None else metadata_of(told).get("uid", "")
            if own.is_over(version, uid):
                self._forget(key)

    def forget_own(self) -> None:
        """Own writes count no longer: the server's versions began anew."""
        for key, _ in self.ahead:
            self._forget(key)

    def reform(self) -> Iterator[None]:
        """Bring everything into the present form; each step does so with one object."""
        for key, own in self.ahead:
            if own.raw is not None:
                self.ahead.put(key, Own(self.form.repack(own.raw), own.version, own.uid))
        for key in self.told.keys():  # noqa: SIM118 - not a dictionary
            raw = self.told.get(key)
            if raw is not None:
                self.told.put(key, self.form.repack(raw))
            yield

    def clear(self) -> None:
        """Let go of everything."""
        self.told, self.ahead, self.owners = Store(), Ahead(), Owners()
        self.indexes = {}

    def _forget(self, key: Key) -> None:
        before = self.get(key)
        self.ahead.drop(key)
        self._reindex(key, before, self.get(key), None)

    def _reindex(self, key: Key, old: bytes | None, new: bytes | None, obj: Json | None) -> None:
        """An object is looked up as something else now.

        Where more is received than kept, an object that is only kept cannot be indexed; it stays as it is.
        """
        if old is new and not self.index_anew:
            return
        self.owners.move(key, old, new)
        if not self.indexes or (new is not None and obj is None and self.form.receives_more):
            return
        resource = None if new is None else self._decoded(key, new, obj)
        for index in self.indexes.values():
            index.set(key, resource)

    def _decoded(self, key: Key, raw: bytes, obj: Json | None) -> R | None:
        if obj is None:
            obj = orjson.loads(raw)
        elif self.form.redactor is not None:
            obj = self.form.redactor.redact(obj)
        try:
            return self.kind.from_wire(obj)
        except UndecodableError as error:
            _log.warning("%s %s is in no index: %s", self.kind.__kind__.name, key, error)
            return None
