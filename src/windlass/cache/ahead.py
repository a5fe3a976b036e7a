from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.api import Key

_MOST: Final = 10_000
"""So many own writes are remembered; more are under way only when the watch is dead."""


@dataclass(frozen=True, slots=True)
class Own:
    """What a write of ours made of an object: a text, or None when it can no longer be seen.

    `version` is that of the write. A deletion has none; it holds for one `uid`, which never comes back.
    """

    raw: bytes | None
    version: int | None = None
    uid: str = ""


class Ahead:
    """Own writes that the watch has not reported yet."""

    def __init__(self) -> None:
        self._writes: dict[Key, Own] = {}

    def __len__(self) -> int:
        return len(self._writes)

    def __iter__(self) -> Iterator[tuple[Key, Own]]:
        return iter(tuple(self._writes.items()))

    def get(self, key: Key) -> Own | None:
        """What we made of an object."""
        return self._writes.get(key)

    def put(self, key: Key, own: Own) -> Key | None:
        """Remember a write; returns the key whose write is forgotten in its place, if there are too many."""
        self._writes.pop(key, None)
        self._writes[key] = own
        if len(self._writes) <= _MOST:
            return None
        oldest = next(iter(self._writes))
        del self._writes[oldest]
        return oldest

    def drop(self, key: Key) -> None:
        """The watch has reported it, or something newer."""
        self._writes.pop(key, None)
