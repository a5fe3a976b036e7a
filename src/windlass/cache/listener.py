from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from windlass.api import Change, Key, Resource, Snapshot

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.cache.store import Store

R = TypeVar("R", bound=Resource)


class Listener(Generic[R]):
    """One who is told of changes. One who comes late is first given what there is, a little at a time.

    While that lasts, a change of an object that it has not been given is told as that object being there.
    """

    def __init__(self, kind: type[R], callback: Callable[[Change[R]], None], told: Store) -> None:
        self._kind = kind
        self._callback = callback
        self._told = told
        self._owed: dict[str, set[str]] = told.names()

    @property
    def is_waiting(self) -> bool:
        """Whether it has yet to be given something."""
        return bool(self._owed)

    def tell(self, change: Change[R]) -> None:
        """Tell of a change."""
        if self._owed and self._settled(change.key):
            if change.new is not None:
                self._give(change.key, change.new)
            return
        self._callback(change)

    def give_one(self) -> None:
        """Give it one object that it is owed."""
        namespace, names = next(iter(self._owed.items()))
        key = Key(namespace, next(iter(names)))
        self._settled(key)
        snapshot = self._told.snapshot(self._kind, key)
        if snapshot is not None:
            self._give(key, snapshot)

    def dismiss(self) -> None:
        """Tell it nothing more."""
        self._owed.clear()
        self._callback = lambda _: None

    def _give(self, key: Key, snapshot: Snapshot[R]) -> None:
        self._callback(Change(self._kind, key, (None, snapshot), listed=True))

    def _settled(self, key: Key) -> bool:
        """Whether an object was owed; it no longer is."""
        names = self._owed.get(key.namespace)
        if names is None or key.name not in names:
            return False
        names.discard(key.name)
        if not names:
            del self._owed[key.namespace]
        return True
