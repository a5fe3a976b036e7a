from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.api import Key


@dataclass(frozen=True, slots=True)
class Own:
    """What a write of ours made of an object: a text, or None when it is no longer selected."""

    raw: bytes | None
    version: int

    def is_over(self, version: int | None) -> bool:
        """Whether it counts no longer, since the watch has come to this version."""
        return version is None or version >= self.version


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

    @property
    def oldest(self) -> Key:
        """The object that we wrote before all others."""
        return next(iter(self._writes))

    def put(self, key: Key, own: Own) -> None:
        """Remember a write."""
        self._writes.pop(key, None)
        self._writes[key] = own

    def drop(self, key: Key) -> None:
        """The watch has reported it, or something newer."""
        self._writes.pop(key, None)
