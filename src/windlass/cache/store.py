from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from windlass.api import Key, Resource, Snapshot
from windlass.cache.phrases import Phrases

if TYPE_CHECKING:
    from collections.abc import Iterator

R = TypeVar("R", bound=Resource)

_OVERHEAD = 150
"""What an object costs besides its text and its name: two headers, and its share of a dictionary."""


class Store:
    """The texts of objects by namespace and name, and what they weigh; what many share is kept once."""

    def __init__(self) -> None:
        self._spaces: dict[str, dict[str, bytes]] = {}
        self._phrases = Phrases()
        self._restore = self._phrases.restore
        self.size = 0

    def __len__(self) -> int:
        return sum(map(len, self._spaces.values()))

    def get(self, key: Key) -> bytes | None:
        """The text of an object."""
        space = self._spaces.get(key[0])
        kept = None if space is None else space.get(key[1])
        return None if kept is None else self._restore(kept)

    def snapshot(self, kind: type[R], key: Key, version: str = "") -> Snapshot[R] | None:
        """An object whose text is restored when it is looked at, so that who keeps many keeps no other."""
        space = self._spaces.get(key[0])
        kept = None if space is None else space.get(key[1])
        return None if kept is None else Snapshot(kind, kept, version, key=key, restore=self._restore)

    def put(self, key: Key, raw: bytes) -> bytes | None:
        """Keep a text; returns the one that it replaces."""
        namespace, name = key
        space = self._spaces.get(namespace)
        if space is None:
            space = self._spaces[namespace] = {}
        old = space.get(name)
        kept = self._phrases.shorten(raw)
        if kept is raw:  # orjson allocated generously, and would keep it; a copy has the exact size
            kept = bytes(memoryview(raw))
        space[name] = kept
        if old is None:
            self.size += len(kept) + len(name) + _OVERHEAD
            self._phrases.hear(kept)
            return None
        self.size += len(kept) - len(old)
        return self._restore(old)

    def pop(self, key: Key) -> bytes | None:
        """Let go of a text."""
        namespace, name = key
        space = self._spaces.get(namespace)
        old = None if space is None else space.pop(name, None)
        if space is None or old is None:
            return None
        if not space:
            del self._spaces[namespace]
        self.size -= len(old) + len(name) + _OVERHEAD
        return self._restore(old)

    def keys(self, namespace: str = "") -> Iterator[Key]:
        """The keys in a namespace, or all; the store may change meanwhile."""
        spaces = [namespace] if namespace else list(self._spaces)
        for space in spaces:
            for name in tuple(self._spaces.get(space, ())):
                yield Key(space, name)

    def names(self) -> dict[str, set[str]]:
        """The names by namespace, the caller's own."""
        return {namespace: set(space) for namespace, space in self._spaces.items()}

    def clear(self) -> None:
        """Let go of everything."""
        self._spaces.clear()
        self.size = 0
