from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from windlass.api import Key

_FEW: Final = 32
_FOR_EACH: Final = timedelta(milliseconds=4)
_LONGEST: Final = timedelta(seconds=5)
_AT_ONCE: Final = timedelta()


class Burden:
    """How much the reconcile of an object reads: one that reads much is not run for each change of it.

    A thousand objects that change one after the other would each have all thousand read again. So changes are
    collected, for longer the more there is to read. Where little is read, nothing waits.
    """

    def __init__(self) -> None:
        self._read: dict[Key, int] = {}

    def ran(self, key: Key, read: int) -> None:
        """A run has read so many objects."""
        if read > _FEW:
            self._read[key] = read
        else:
            self._read.pop(key, None)

    def collect(self, key: Key) -> timedelta:
        """For how long changes of what an object reads are collected before it is run."""
        read = self._read.get(key)
        return _AT_ONCE if read is None else min(_FOR_EACH * read, _LONGEST)
