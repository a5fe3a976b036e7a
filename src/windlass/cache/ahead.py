from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.api import Key


@dataclass(frozen=True, slots=True)
class Own:
    """What a write of ours made of an object: a text, or None when it can no longer be seen.

    `version` is that of the write. A deletion has the `uid` that was deleted, which never comes back, and the
    last version that was known of it: the server does not say that of the deletion.
    """

    raw: bytes | None
    version: int
    uid: str = ""

    def is_over(self, version: int | None, uid: str = "", *, gone: bool = False) -> bool:
        """Whether it counts no longer when the watch tells of this version of the object, or of its end."""
        if self.uid and self.uid == uid:
            return gone  # what was told before the end does not bring it back
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
