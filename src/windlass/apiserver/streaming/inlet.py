"""What came on a stream and was not read yet."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

_FULL: Final = 256 * 1024


class Inlet:
    """Bytes on their way to a reader; whoever brings them waits while the reader is far behind."""

    def __init__(self) -> None:
        self._pieces: deque[bytes] = deque()
        self._size = 0
        self._ended = False
        self._there = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    async def feed(self, data: bytes) -> None:
        """Bring something, once there is room for it; after the end it is dropped."""
        await self._room.wait()
        if data and not self._ended:
            self._pieces.append(data)
            self._size += len(data)
            self._note()

    def close(self) -> None:
        """Nothing more comes."""
        self._ended = True
        self._note()

    async def read(self) -> bytes:
        """What came, in the pieces in which it came; empty once nothing more comes."""
        await self._there.wait()
        if not self._pieces:
            return b""
        data = self._pieces.popleft()
        self._size -= len(data)
        self._note()
        return data

    def _note(self) -> None:
        _set(self._there, on=bool(self._pieces) or self._ended)
        _set(self._room, on=self._size < _FULL or self._ended)


def _set(event: asyncio.Event, *, on: bool) -> None:
    if on:
        event.set()
    else:
        event.clear()
