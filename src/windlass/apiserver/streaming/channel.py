"""The channels of a command, and how a WebSocket carries them."""

from __future__ import annotations

import asyncio
import base64
import binascii
from enum import IntEnum
from typing import TYPE_CHECKING, Final, Protocol

import orjson
from typing_extensions import override

from windlass.apiserver.kubelet import Console
from windlass.apiserver.streaming.inlet import Inlet
from windlass.apiserver.streaming.outcome import translated
from windlass.apiserver.streaming.websocket import MalformedMessage, WebSocket

if TYPE_CHECKING:
    from windlass.apiserver.kubelet import Duplex
    from windlass.apiserver.streaming.outcome import Object

_CLOSING: Final = 255
_FIRST_DIGIT: Final = ord("0")
V5: Final = "v5.channel.k8s.io"
V4: Final = "v4.channel.k8s.io"
BASE64_V4: Final = "v4.base64.channel.k8s.io"
WEBSOCKET_PROTOCOLS: Final = (V5, V4, BASE64_V4, "channel.k8s.io", "base64.channel.k8s.io")
"""What a WebSocket client may ask for; the last two, and none at all, have no Status at the end."""


class Channel(IntEnum):
    """Which stream of a command something belongs to."""

    STDIN = 0
    STDOUT = 1
    STDERR = 2
    ERROR = 3
    RESIZE = 4


class Channels(Protocol):
    """The streams of one command, whatever carries them."""

    stdin: Inlet
    sizes: Inlet

    async def listen(self) -> None:
        """Take what comes, until the connection ends."""

    async def write(self, channel: Channel, data: bytes) -> None:
        """Send something on a channel."""

    async def finish(self, status: Object) -> None:
        """Say how the command ended, and that nothing more comes."""


class RemoteConsole(Console):
    """The person at the other end of the channels; `shown` are those that they want to see."""

    def __init__(self, channels: Channels, shown: frozenset[Channel]) -> None:
        self._channels = channels
        self._shown = shown

    @override
    async def read(self) -> bytes:
        return await self._channels.stdin.read()

    @override
    async def write(self, data: bytes, *, error: bool = False) -> None:
        channel = Channel.STDERR if error else Channel.STDOUT
        if channel in self._shown and data:
            await self._channels.write(channel, data)

    @override
    async def resized(self) -> tuple[int, int]:
        while True:
            said = await self._channels.sizes.read()
            if not said:
                await asyncio.Event().wait()  # the terminal keeps its size from now on
            size = _size(said)
            if size is not None:
                return size


class WebSocketChannels(Channels):
    """Each message begins with the number of its channel."""

    def __init__(self, connection: Duplex, protocol: str, first: Channel) -> None:
        self.stdin = Inlet()
        self.sizes = Inlet()
        self._connection = connection
        self._socket = WebSocket()
        self._protocol = protocol
        self._encoded = "base64" in protocol
        self._has_status = protocol in (V5, V4, BASE64_V4)
        self._first = first

    @override
    async def listen(self) -> None:
        await self.write(self._first, b"")  # this tells the client that it is connected
        try:
            while not self._socket.closed and (data := await self._connection.read()):
                for message in self._socket.receive(data):
                    await self._take(message)
                await self._flush()
        except MalformedMessage:
            return  # who sends such things is not answered

    @override
    async def write(self, channel: Channel, data: bytes) -> None:
        if self._encoded:
            self._socket.send(bytes([_FIRST_DIGIT + channel]) + base64.b64encode(data), text=True)
        else:
            self._socket.send(bytes([channel]) + data)
        await self._flush()

    @override
    async def finish(self, status: Object) -> None:
        if self._has_status:
            said = translated(status) if self._protocol == V5 else status
            await self.write(Channel.ERROR, orjson.dumps(said))
        elif "message" in status:
            await self.write(Channel.ERROR, status["message"].encode())
        self._socket.close()
        await self._flush()

    async def _take(self, message: bytes) -> None:
        if not message:
            return
        number, data = message[0], message[1:]
        if number == _CLOSING:
            if data[:1] == bytes([Channel.STDIN]):
                self.stdin.close()
            return
        if self._encoded:
            try:
                number, data = number - _FIRST_DIGIT, base64.b64decode(data, validate=True)
            except binascii.Error as error:
                raise MalformedMessage(f"a message is not base64: {error}") from error
        if number == Channel.STDIN:
            await self.stdin.feed(data)
        elif number == Channel.RESIZE:
            await self.sizes.feed(data)

    async def _flush(self) -> None:
        data = self._socket.pending()
        if data:
            await self._connection.write(data)


def _size(said: bytes) -> tuple[int, int] | None:
    """Columns and rows, if that is what was said; of several the last."""
    try:
        found = orjson.loads(said.rstrip().rpartition(b"\n")[2])
        return int(found["Width"]), int(found["Height"])
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        return None
