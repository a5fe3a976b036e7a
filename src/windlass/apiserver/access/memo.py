from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.apiserver.store import Collection

V = TypeVar("V")

_MOST: Final = 10_000


class Memo(Generic[V]):
    """What is made of a collection's objects, by key, until the collection changes."""

    def __init__(self, collection: Collection, make: Callable[[Collection, str], V]) -> None:
        self._collection = collection
        self._make = make
        self._values: dict[str, V] = {}
        self._end = -1

    def __getitem__(self, key: str) -> V:
        # Keys come from requests, so that their number needs a limit.
        if self._end != self._collection.end or len(self._values) > _MOST:
            self._values.clear()
            self._end = self._collection.end
        try:
            return self._values[key]
        except KeyError:
            value = self._values[key] = self._make(self._collection, key)
            return value
