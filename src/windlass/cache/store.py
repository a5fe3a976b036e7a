from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.api import Key

if TYPE_CHECKING:
    from collections.abc import Iterator

_OVERHEAD = 150
"""What an object costs besides its text and its name: two headers, and its share of a dictionary."""


class Store:
    """The texts of objects by namespace and name, and what they weigh."""

    def __init__(self) -> None:
        self._spaces: dict[str, dict[str, bytes]] = {}
        self.size = 0

    def __len__(self) -> int:
        return sum(map(len, self._spaces.values()))

    def get(self, key: Key) -> bytes | None:
        """The text of an object."""
        space = self._spaces.get(key[0])
        return None if space is None else space.get(key[1])

    def put(self, key: Key, raw: bytes) -> bytes | None:
        """Keep a text; returns the one that it replaces."""
        namespace, name = key
        space = self._spaces.get(namespace)
        if space is None:
            space = self._spaces[namespace] = {}
        old = space.get(name)
        space[name] = raw
        self.size += len(raw) - len(old) if old is not None else len(raw) + len(name) + _OVERHEAD
        return old

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
        return old

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
