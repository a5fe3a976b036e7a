"""What admission makes of stored objects, kept until they change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.apiserver.store import Collection

T = TypeVar("T")


class Derived(Generic[T]):
    """What a function makes of collections, of each server once until one of them changes."""

    def __init__(self, make: Callable[..., T]) -> None:
        self._make = make
        self._known: WeakKeyDictionary[Collection, tuple[tuple[int, ...], T]] = WeakKeyDictionary()

    def of(self, first: Collection, *others: Collection) -> T:
        """What is made of these collections, as they are now."""
        collections = (first, *others)
        ends = tuple(each.end for each in collections)
        known = self._known.get(first)
        if known is None or known[0] != ends:
            known = self._known[first] = (ends, self._make(*collections))
        return known[1]
