"""How SPDY carries the channels of a command: each is a stream, whose headers say which."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import orjson
from typing_extensions import override

from windlass.apiserver.streaming.channel import Channel, Channels
from windlass.apiserver.streaming.inlet import Inlet
from windlass.apiserver.streaming.spdy import Closed, MalformedFrame, Opened, Received, Session

if TYPE_CHECKING:
    from windlass.apiserver.kubelet import Duplex
    from windlass.apiserver.streaming.outcome import Object
    from windlass.apiserver.streaming.spdy import Event

_V4: Final = "v4.channel.k8s.io"
RESIZABLE: Final = (_V4, "v3.channel.k8s.io")
"""Those in which a terminal has a stream for its size."""
SPDY_PROTOCOLS: Final = (*RESIZABLE, "v2.channel.k8s.io", "channel.k8s.io")
"""What a SPDY client may ask for; only the first has a Status at the end."""
STREAM_TYPE: Final = "streamtype"
"""The header of a stream that says what it is."""


class SpdyChannels(Channels):
    """Every channel that is expected must be opened by the client before anything is run."""

    def __init__(self, connection: Duplex, protocol: str, expected: frozenset[Channel]) -> None:
        self.stdin = Inlet()
        self.sizes = Inlet()
        self._connection = connection
        self._session = Session()
        self._has_status = protocol == _V4
        self._expected = expected
        self._streams: dict[Channel, int] = {}
        self._all_there = asyncio.Event()

    async def opened(self) -> None:
        """Wait until the client has opened every channel."""
        await self._all_there.wait()

    @override
    async def listen(self) -> None:
        try:
            while data := await self._connection.read():
                for event in self._session.receive(data):
                    await self._take(event)
                await self._flush()
        except MalformedFrame:
            return  # who sends such things is not answered

    @override
    async def write(self, channel: Channel, data: bytes) -> None:
        if channel in self._streams:
            self._session.send(self._streams[channel], data)
            await self._flush()

    @override
    async def finish(self, status: Object) -> None:
        if self._has_status:
            await self.write(Channel.ERROR, orjson.dumps(status))
        elif "message" in status:
            await self.write(Channel.ERROR, status["message"].encode())
        for stream in self._streams.values():
            self._session.finish(stream)
        await self._flush()

    async def _take(self, event: Event) -> None:
        match event:
            case Opened():
                self._open(event)
            case Received(stream=stream, data=data):
                inlet = self._inlet(stream)
                if inlet is not None:
                    await inlet.feed(data)
            case Closed(stream=stream):
                inlet = self._inlet(stream)
                if inlet is not None:
                    inlet.close()

    def _open(self, event: Opened) -> None:
        name = event.headers.get(STREAM_TYPE, "").upper()
        channel = Channel.__members__.get(name)
        if channel is None or channel not in self._expected or channel in self._streams:
            self._session.reset(event.stream)
            return
        self._session.accept(event.stream)
        self._streams[channel] = event.stream
        if len(self._streams) == len(self._expected):
            self._all_there.set()

    def _inlet(self, stream: int) -> Inlet | None:
        if stream == self._streams.get(Channel.STDIN):
            return self.stdin
        return self.sizes if stream == self._streams.get(Channel.RESIZE) else None

    async def _flush(self) -> None:
        data = self._session.pending()
        if data:
            await self._connection.write(data)
