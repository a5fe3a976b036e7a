from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.api import Key
from windlass.reconcile.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.reconcile.cause import Cause
    from windlass.reconcile.source import Sink


class Timer(Source):
    """Wakes by the clock: certain keys, or every object that is cached where it is given none."""

    def __init__(self, keys: Iterable[Key]) -> None:
        self.keys = tuple(keys)
        if not all(isinstance(each, Key) for each in self.keys):  # a Key is a tuple too, of two texts
            raise TypeError(
                f"{type(self).__name__}(keys={keys!r}): say keys=({Key('', 'all')!r},), with the comma"
            )

    def ring(self, sink: Sink, cause: Cause) -> None:
        """It is time."""
        if not self.keys:
            sink.wake_all(cause)
        for key in self.keys:
            sink.wake(key, cause)
