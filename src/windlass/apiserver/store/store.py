from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Self

from windlass.apiserver.store.collection import Collection, compact, restore, retire

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.apiserver.store.journal import Journal, Saved


class Store:
    """All collections, and the counter that orders every write to any of them.

    It belongs to one event loop and is never awaited: what happens between two awaits of a caller is a
    transaction. A `journal` is told of each change; without one, objects live as long as the process.
    """

    def __init__(self, history: int = 10_000, journal: Journal | None = None) -> None:
        self.journal = journal
        self._history = history
        self._collections: dict[str, Collection] = {}
        self._revision = 1

    @classmethod
    def restored(cls, saved: Saved, journal: Journal, history: int = 10_000) -> Self:
        """The store that a journal has kept, which goes on telling it."""
        store = cls(history, journal)
        store._revision = saved.revision
        in_collections = sorted(saved.versions, key=attrgetter("collection"))  # otherwise they stay in order
        versions = {name: list(those) for name, those in groupby(in_collections, attrgetter("collection"))}
        for name, floor in saved.floors.items():
            found = store._collections[name] = Collection(store, history, name, journal)
            restore(found, floor, versions.get(name, ()))
        return store

    @property
    def revision(self) -> int:
        """The revision of the newest write."""
        return self._revision

    def advance(self) -> None:
        """Take the next revision."""
        self._revision += 1

    def collection(self, name: str) -> Collection:
        """The collection of this name, made when there is none; names are `group/plural`."""
        found = self._collections.get(name)
        if found is None:
            found = self._collections[name] = Collection(self, self._history, name, self.journal)
            if self.journal is not None:
                self.journal.keep(name, self._revision, ())
        return found

    def remove(self, name: str) -> None:
        """Forget a collection with its history; who watches it is told that it ended."""
        found = self._collections.pop(name, None)
        if found is not None:
            known = retire(found)
            if self.journal is not None:
                self.journal.keep(name, None, known)
            found.dismiss()

    def dismiss(self) -> None:
        """Tell everybody who listens to any collection to stop; what is stored stays."""
        for collection in self._collections.values():
            collection.dismiss()

    def compact(self) -> None:
        """Forget the history of every collection, as etcd does when it is told to."""
        for collection in self._collections.values():
            compact(collection)

    def collections(self) -> Iterable[tuple[str, Collection]]:
        """Each collection with its name."""
        return tuple(self._collections.items())
