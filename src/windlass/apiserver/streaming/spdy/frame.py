"""How frames are cut out of bytes, and made of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from struct import Struct
from typing import TYPE_CHECKING, Final

from windlass.apiserver.streaming.spdy.header import MalformedFrame

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEAD: Final = Struct("!II")
_CONTROL: Final = 0x80000000
_VERSION: Final = 3
_LENGTH: Final = 0xFFFFFF
_LARGEST_CONTROL: Final = 64 * 1024
_LARGEST_DATA: Final = 64 * 1024
STREAM: Final = 0x7FFFFFFF
"""The bits of a word that are the number of a stream."""
FIN: Final = 1
"""The flag of the last frame of a stream."""


class Kind(IntEnum):
    """What a control frame is about."""

    SYN_STREAM = 1
    SYN_REPLY = 2
    RST_STREAM = 3
    SETTINGS = 4
    PING = 6
    GOAWAY = 7
    HEADERS = 8
    WINDOW_UPDATE = 9


@dataclass(frozen=True, slots=True)
class Control:
    """A control frame; its body is as it came."""

    kind: int
    flags: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Data:
    """A piece of a stream; a large frame arrives in several."""

    stream: int
    data: bytes
    fin: bool


class FrameReader:
    """Cuts frames out of the bytes of a connection. It keeps no more of them than a control frame has."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._stream = 0
        self._left = 0
        self._fin = False

    def feed(self, data: bytes) -> Iterator[Control | Data]:
        """Every frame that is there now; the pieces of a data frame as they come.

        Raises:
            MalformedFrame: what comes next is none.
        """
        self._buffer += data
        while self._buffer:
            if self._left:
                yield self._piece()
                continue
            frame = self._frame()
            if frame is None:
                return
            if not self._left:
                yield frame

    def _frame(self) -> Control | Data | None:
        """The frame that begins here; `None` while it is not whole."""
        if len(self._buffer) < _HEAD.size:
            return None
        first, second = _HEAD.unpack_from(self._buffer)
        flags, length = second >> 24, second & _LENGTH
        if not first & _CONTROL:
            del self._buffer[: _HEAD.size]
            self._stream, self._left, self._fin = first, length, bool(flags & FIN)
            return Data(first, b"", fin=self._fin)
        version, kind = (first >> 16) & 0x7FFF, first & 0xFFFF
        if version != _VERSION:
            raise MalformedFrame(f"version {version} of SPDY is not spoken here")
        if length > _LARGEST_CONTROL:
            raise MalformedFrame(f"a control frame of {length} bytes is larger than {_LARGEST_CONTROL}")
        end = _HEAD.size + length
        if len(self._buffer) < end:
            return None
        body = bytes(self._buffer[_HEAD.size : end])
        del self._buffer[:end]
        return Control(kind, flags, body)

    def _piece(self) -> Data:
        data = bytes(self._buffer[: min(self._left, _LARGEST_DATA)])
        del self._buffer[: len(data)]
        self._left -= len(data)
        return Data(self._stream, data, fin=self._fin and not self._left)


def control_frame(kind: Kind, body: bytes, flags: int = 0) -> bytes:
    """The bytes of a control frame."""
    return _HEAD.pack(_CONTROL | _VERSION << 16 | kind, flags << 24 | len(body)) + body


def data_frames(stream: int, data: bytes, *, fin: bool) -> bytes:
    """The bytes of a stream in frames, the last of which may end it."""
    pieces = [data[at : at + _LARGEST_DATA] for at in range(0, len(data), _LARGEST_DATA)] or [b""]
    last = len(pieces) - 1
    return b"".join(
        _HEAD.pack(stream, (FIN if fin and at == last else 0) << 24 | len(piece)) + piece
        for at, piece in enumerate(pieces)
    )
