"""How many streams over sockets share the time of one event loop."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_MANY: Final = 16
_PAUSE: Final = 0.02
_LARGE: Final = 64 * 1024


class Pace:
    """Lets streams go on at once while they are few, and many of them together, fifty times a second.

    What happens in a pause is sent at its end in one piece, which is far cheaper than one by one. It goes by
    the time of the event loop, whatever clock the server has: sockets know no other.
    """

    def __init__(self) -> None:
        self._streams = 0
        self._end: asyncio.Event | None = None

    @contextmanager
    def stream(self) -> Iterator[None]:
        """One more stream, for the length of a block."""
        self._streams += 1
        try:
            yield
        finally:
            self._streams -= 1

    async def rest(self, sent: int) -> None:
        """Wait until a stream that has just sent so many bytes may go on: after large pieces, not at all."""
        if self._streams < _MANY or sent >= _LARGE:
            return
        if self._end is None:
            self._end = asyncio.Event()
            asyncio.get_running_loop().call_later(_PAUSE, self._go_on)
        await self._end.wait()

    def _go_on(self) -> None:
        if self._end is not None:
            self._end.set()
            self._end = None
