from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.apiserver.store.collection import Collection

if TYPE_CHECKING:
    from collections.abc import Iterable


class Store:
    """All collections, and the counter that orders every write to any of them.

    It belongs to one event loop and is never awaited: what happens between two awaits of a caller is a
    transaction.
    """

    def __init__(self, history: int = 10_000) -> None:
        self._history = history
        self._collections: dict[str, Collection] = {}
        self._revision = 1

    @property
    def revision(self) -> int:
        """The revision of the newest write."""
        return self._revision

    def advance(self) -> int:
        """The next revision."""
        self._revision += 1
        return self._revision

    def collection(self, name: str) -> Collection:
        """The collection of this name, made when there is none; names are `group/plural`."""
        found = self._collections.get(name)
        if found is None:
            found = self._collections[name] = Collection(self, self._history)
        return found

    def remove(self, name: str) -> None:
        """Forget a collection with its history; who watches it is told that it ended."""
        found = self._collections.pop(name, None)
        if found is not None:
            found.closed = True
            found.dismiss()

    def dismiss(self) -> None:
        """Tell everybody who listens to any collection to stop; what is stored stays."""
        for collection in self._collections.values():
            collection.dismiss()

    def compact(self) -> None:
        """Forget the history of every collection, as etcd does when it is told to."""
        for collection in self._collections.values():
            collection.compact()

    def collections(self) -> Iterable[tuple[str, Collection]]:
        """Each collection with its name."""
        return tuple(self._collections.items())
