"""WebSocket frames (RFC 6455), as the server reads and writes them: bytes in, messages out."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Final

from windlass.errors import WindlassError

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAGIC: Final = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_CONTINUED, _TEXT, _BINARY, _CLOSE, _PING, _PONG = 0, 1, 2, 8, 9, 10
_KNOWN: Final = frozenset({_CONTINUED, _TEXT, _BINARY, _CLOSE, _PING, _PONG})
_FIN: Final = 0x80
_RESERVED: Final = 0x70
_MASKED: Final = 0x80
_SHORT: Final = 125
_MEDIUM: Final = 0xFFFF
_LARGEST_MESSAGE: Final = 4 * 1024 * 1024
NORMAL: Final = 1000
"""The code of an end with which nothing is wrong."""


class MalformedMessage(WindlassError):
    """What came is not what a WebSocket client sends; the connection is of no use any more."""


def accept_key(key: str) -> str:
    """What a server answers to the key of a client, to show that it knows what a WebSocket is."""
    return base64.b64encode(hashlib.sha1(f"{key}{_MAGIC}".encode()).digest()).decode()  # noqa: S324 - so RFC 6455


class WebSocket:
    """One connection: what comes in, and what is to be sent; `closed` once the client said goodbye."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._message = bytearray()
        self._begun = False
        self._out = bytearray()
        self.closed = False

    def receive(self, data: bytes) -> Iterator[bytes]:
        """The messages that are whole with these bytes. `pending` has the answer to what is none.

        Raises:
            MalformedMessage: they are no frames of a client.
        """
        self._buffer += data
        while not self.closed and (frame := self._frame()) is not None:
            code, fin, payload = frame
            if code == _CLOSE:
                self.closed = True
                self.close(int.from_bytes(payload[:2], "big") or NORMAL)
            elif code == _PING:
                self._put(_PONG, payload)
            elif code != _PONG:
                yield from self._assembled(code, payload, fin=fin)

    def pending(self) -> bytes:
        """What is to be sent now; it is forgotten here."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def send(self, message: bytes, *, text: bool = False) -> None:
        """Send a message."""
        self._put(_TEXT if text else _BINARY, message)

    def close(self, code: int = NORMAL) -> None:
        """Say goodbye."""
        self._put(_CLOSE, code.to_bytes(2, "big"))

    def _put(self, code: int, payload: bytes) -> None:
        size = len(payload)
        self._out.append(_FIN | code)
        if size <= _SHORT:
            self._out.append(size)
        elif size <= _MEDIUM:
            self._out += bytes([_SHORT + 1]) + size.to_bytes(2, "big")
        else:
            self._out += bytes([_SHORT + 2]) + size.to_bytes(8, "big")
        self._out += payload

    def _frame(self) -> tuple[int, bool, bytes] | None:
        """The frame that begins here: its code, whether it ends its message, and what it holds."""
        buffer = self._buffer
        if len(buffer) < 2:  # noqa: PLR2004 - flags and length
            return None
        code, size, at = buffer[0] & 0xF, buffer[1] & ~_MASKED, 2
        if not buffer[1] & _MASKED or buffer[0] & _RESERVED or code not in _KNOWN:
            raise MalformedMessage("a frame is not masked, or of no kind that is known")
        if code >= _CLOSE and (size > _SHORT or not buffer[0] & _FIN):
            raise MalformedMessage("a control frame is too long")
        if size > _SHORT:
            width = 2 if size == _SHORT + 1 else 8
            if len(buffer) < at + width:
                return None
            size, at = int.from_bytes(buffer[at : at + width], "big"), at + width
        if size + len(self._message) > _LARGEST_MESSAGE:
            raise MalformedMessage(f"a message is larger than {_LARGEST_MESSAGE} bytes")
        if len(buffer) < at + 4 + size:
            return None
        payload = _unmasked(bytes(buffer[at + 4 : at + 4 + size]), bytes(buffer[at : at + 4]))
        last = bool(buffer[0] & _FIN)
        del buffer[: at + 4 + size]
        return code, last, payload

    def _assembled(self, code: int, payload: bytes, *, fin: bool) -> Iterator[bytes]:
        if (code == _CONTINUED) is not self._begun:
            raise MalformedMessage("a message begins within another, or goes on without a beginning")
        self._message += payload
        self._begun = not fin
        if fin:
            message = bytes(self._message)
            self._message.clear()
            yield message


def _unmasked(payload: bytes, mask: bytes) -> bytes:
    size = len(payload)
    whole = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
    return (int.from_bytes(payload, "big") ^ whole).to_bytes(size, "big")
