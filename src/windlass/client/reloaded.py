from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Generic, TypeVar

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.aio import Clock

T = TypeVar("T")

_EVERY = timedelta(minutes=1).total_seconds()
_log = logging.getLogger(__name__)


class Reloaded(Generic[T]):
    """A value kept in files that others rotate: read at once, then again every minute.

    A reading that fails later changes nothing, because a rotation may be half done; the value that was
    read last stays in use, and the next minute tries again. An unchanged value stays the same object.
    The files are a few kilobytes on a local disk, so they are read on the event loop.

    Raises:
        ConfigError: the first reading failed, and there is no `fallback`.
    """

    def __init__(self, read: Callable[[], T], clock: Clock, fallback: T | None = None) -> None:
        self._read = read
        self._clock = clock
        self._due = clock.monotonic() + _EVERY
        try:
            self._value = read()
        except ConfigError:
            if fallback is None:
                raise
            self._value = fallback

    def value(self) -> T:
        """The value, at most a minute old."""
        if self._clock.monotonic() >= self._due:
            self.reload()
        return self._value

    def reload(self) -> None:
        """Read now, whatever the time."""
        self._due = self._clock.monotonic() + _EVERY
        try:
            fresh = self._read()
        except ConfigError as error:
            _log.warning("%s (what was read before stays in use)", error)
            return
        if fresh != self._value:
            self._value = fresh
