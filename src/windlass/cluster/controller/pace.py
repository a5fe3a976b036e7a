from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import datetime

    from windlass.api import Key

_EACH: Final = timedelta(milliseconds=1)


class Pace:
    """Lets an object with many pods rest after a look at them, a millisecond for each.

    A look costs as much as there are pods, and each pod that changes asks for one. Without a rest, ten
    thousand that start one after the other would cost ten thousand times ten thousand.
    """

    def __init__(self) -> None:
        self._rests: dict[Key, datetime] = {}

    def rest(self, key: Key, now: datetime) -> timedelta | None:
        """How long an object has yet to rest."""
        until = self._rests.get(key)
        return until - now if until is not None and until > now else None

    def looked(self, key: Key, pods: int, now: datetime) -> None:
        """A look at so many pods has ended, and well: what failed is tried again in its own time."""
        self._rests[key] = now + pods * _EACH

    def forget(self, key: Key) -> None:
        """An object is gone."""
        self._rests.pop(key, None)
