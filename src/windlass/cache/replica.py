from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, TypeVar

from windlass.api import Key, Resource, Snapshot, write_json
from windlass.cache.ahead import Ahead, Own
from windlass.cache.buried import Buried
from windlass.cache.index import Index, Owners, Sight
from windlass.cache.store import Store
from windlass.cache.version import metadata_of, number, uid_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.api import Json
    from windlass.cache.form import Form

R = TypeVar("R", bound=Resource)
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
        self.buried = Buried()
        self.owners = Owners()
        self.indexes: dict[str, Index] = {}
        self.index_anew = False
        """Whether objects that did not change are to be indexed when they are told again."""
        self.is_reforming = False
        """Whether there are objects yet to be brought into the present form."""

    def get(self, key: Key) -> bytes | None:
        """The newest text that is known of an object."""
        own = self.ahead.get(key) if self.ahead else None
        raw = self.told.get(key) if own is None else own.raw
        if raw is not None and self.buried and (uids := self.buried.uids(key)) and uid_of(raw) in uids:
            return None
        return raw

    def keys(self, namespace: str = "") -> Iterator[Key]:
        """The keys in a namespace, or all."""
        if not self.ahead and not self.buried:
            yield from self.told.keys(namespace)
            return
        own = {key: None for key, _ in self.ahead if not namespace or key.namespace == namespace}
        for key in (*own, *(key for key in self.told.keys(namespace) if key not in own)):
            if self.get(key) is not None:
                yield key

    def put(self, key: Key, raw: bytes, obj: Json) -> bytes | None:
        """The watch says that an object is this; returns what it said before.

        `obj` is the same as it was received, but for what packing took out.
        """
        if self.ahead or self.buried:
            before = self.get(key)
            old = self.told.put(key, raw)
            self._settle(key, number(obj["metadata"].get("resourceVersion", "")))
            after = self.get(key)
            self._reindex(key, before, after, obj if after == raw else None)
            return old
        old = self.told.put(key, raw)
        if old != raw or self.index_anew:
            self._reindex(key, old, raw, obj)
        return old

    def drop(self, key: Key, version: int | None) -> bytes | None:
        """The watch says that an object is gone; returns what it said before."""
        before = self.get(key)
        old = self.told.pop(key)
        self._settle(key, version)
        self._reindex(key, before, self.get(key), None)
        return old

    def lead(self, key: Key, own: Own, obj: Json | None = None) -> None:
        """We made this of an object, which the watch has yet to tell."""
        before = self.get(key)
        self.ahead.put(key, own)
        self._reindex(key, before, own.raw, obj)
        if len(self.ahead) > _MOST_AHEAD:
            self._forget(self.ahead.oldest)

    def replace(self, key: Key, raw: bytes, version: str, obj: Json | None = None) -> bool:
        """Keep more or less of an object than was kept so far; whether it is still the same version."""
        own = self.ahead.get(key) if self.ahead else None
        before = self.get(key)
        if before is None or metadata_of(before).get("resourceVersion", "") != version:
            return False
        if own is not None:
            self.ahead.put(key, Own(raw, own.version))
        else:
            self.told.put(key, raw)
        self._reindex(key, before, raw, obj)
        return True

    def bury(self, key: Key, uid: str) -> None:
        """We deleted an object, of whose end the watch has yet to tell."""
        before = self.get(key)
        self.buried.add(key, uid)
        self._reindex(key, before, self.get(key), None)

    def unseen(self, version: int | None) -> list[tuple[Key, bytes]]:
        """Own writes up to a version of which nothing was told: if a list is whole, they are gone."""
        return [
            (key, own.raw)
            for key, own in self.ahead
            if own.raw is not None
            and own.is_over(version)
            and self.told.get(key) is None
            and self.get(key) is not None
        ]

    def passed(self, version: int | None) -> None:
        """The watch has told everything up to a version, and own writes that are not newer are over.

        Without a version all of them are, as when the server's versions began anew.
        """
        for key, own in self.ahead:
            if own.is_over(version):
                self._forget(key)
        if self.buried:
            self.buried.age(self._told_uid)

    def reform(self) -> Iterator[None]:
        """Bring everything into the present form; each step does so with one object."""
        for key, own in self.ahead:
            if own.raw is not None:
                self.ahead.put(key, Own(self.form.repack(own.raw), own.version))
        for key in self.told.keys():  # noqa: SIM118 - not a dictionary
            raw = self.told.get(key)
            if raw is not None:
                self.told.put(key, self.form.repack(raw))
            yield

    def clear(self) -> None:
        """Let go of everything."""
        self.told, self.ahead, self.buried, self.owners = Store(), Ahead(), Buried(), Owners()
        self.indexes = {}

    def _told_uid(self, key: Key) -> str:
        raw = self.told.get(key)
        return "" if raw is None else uid_of(raw)

    def _settle(self, key: Key, version: int | None) -> None:
        own = self.ahead.get(key)
        if own is not None and own.is_over(version):
            self.ahead.drop(key)

    def _forget(self, key: Key) -> None:
        before = self.get(key)
        self.ahead.drop(key)
        self._reindex(key, before, self.get(key), None)

    def _reindex(self, key: Key, old: bytes | None, new: bytes | None, obj: Json | None) -> None:
        """An object is looked up as something else now.

        Where more is received than kept, an object that is only kept cannot be indexed; it stays as it is.
        """
        if old == new and not self.index_anew:
            return
        self.owners.move(key, old, new, obj)
        if not self.indexes or (new is not None and obj is None and self.form.receives_more):
            return
        sight = None if new is None else self._sight(key, new, obj)
        for index in self.indexes.values():
            index.set(key, sight)

    def _sight(self, key: Key, raw: bytes, obj: Json | None) -> Sight:
        withheld = obj is not None and self.form.withholds(key, obj["metadata"])
        if obj is not None and self.form.receives_more:
            raw = write_json(self.form.redacted(obj) if withheld else obj)
        if withheld:
            obj = None  # it has values that the text does not have
        return Sight(Snapshot(self.kind, raw, key=key), obj)
