from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.api import Key

_MOST: Final = 10_000
_NONE: Final[frozenset[str]] = frozenset()


class Buried:
    """Objects that we deleted, by uid: one never comes back, whatever a watch that lags still tells of it.

    That the watch told of an end proves nothing: an object may have left the selection only, to come back,
    or the watch was quicker than the answer to us. So what is not there is forgotten after two bookmarks, and
    sooner when there are too many.
    """

    def __init__(self) -> None:
        self._young: dict[Key, frozenset[str]] = {}
        self._old: dict[Key, frozenset[str]] = {}

    def __bool__(self) -> bool:
        return bool(self._young or self._old)

    def uids(self, key: Key) -> frozenset[str]:
        """What we deleted at this place."""
        return self._young.get(key, _NONE) | self._old.get(key, _NONE)

    def add(self, key: Key, uid: str) -> None:
        """We deleted an object."""
        self._young[key] = self._young.get(key, _NONE) | {uid}
        if len(self._young) > _MOST:
            del self._young[next(iter(self._young))]

    def age(self, present: Callable[[Key], str]) -> None:
        """A bookmark came; `present` is the uid that the watch told last of a place."""
        kept = {key: uids for key, uids in self._old.items() if present(key) in uids}
        for key, uids in self._young.items():
            kept[key] = uids | kept.get(key, _NONE)
        self._old, self._young = kept, {}
