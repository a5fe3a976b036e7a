"""Ports of a pod as channels of a WebSocket, two for each, as older clients have them."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from windlass.apiserver.kubelet import Duplex
from windlass.apiserver.streaming.connected import while_connected
from windlass.apiserver.streaming.inlet import Inlet
from windlass.apiserver.streaming.websocket import MalformedMessage, WebSocket

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.apiserver.streaming.port_forward import Forwarding

PROTOCOLS: Final = ("", "v4.channel.k8s.io", "v4.base64.channel.k8s.io")
_FIRST_DIGIT: Final = ord("0")


async def forward_channels(
    forwarding: Forwarding, ports: Sequence[int], connection: Duplex, protocol: str
) -> None:
    """Carry one connection to each port, until the client has gone or all have ended."""
    wire = _Wire(connection, len(ports), encoded="base64" in protocol)

    async def carry(number: int, port: int) -> None:
        for channel in (2 * number, 2 * number + 1):
            await wire.send(channel, port.to_bytes(2, "little"))  # so that the client knows which is which
        problem = await forwarding.carry(port, _Port(wire, number))
        wire.inlets[number].close()
        if problem:
            await wire.send(2 * number + 1, problem.encode())

    async def carry_all() -> None:
        async with asyncio.TaskGroup() as group:
            for number, port in enumerate(ports):
                group.create_task(carry(number, port))
        await wire.close()

    await while_connected(wire.listen(), carry_all())


class _Wire:
    def __init__(self, connection: Duplex, ports: int, *, encoded: bool) -> None:
        self.inlets = [Inlet() for _ in range(ports)]
        self._connection = connection
        self._socket = WebSocket()
        self._encoded = encoded

    async def listen(self) -> None:
        try:
            while not self._socket.closed and (data := await self._connection.read()):
                for message in self._socket.receive(data):
                    await self._take(message)
                await self._flush()
        except (MalformedMessage, ValueError):
            return  # who sends such things is not answered

    async def send(self, channel: int, data: bytes) -> None:
        if self._encoded:
            self._socket.send(bytes([_FIRST_DIGIT + channel]) + base64.b64encode(data), text=True)
        else:
            self._socket.send(bytes([channel]) + data)
        await self._flush()

    async def close(self) -> None:
        self._socket.close()
        await self._flush()

    async def _take(self, message: bytes) -> None:
        if not message:
            return
        channel, data = message[0], message[1:]
        if self._encoded:
            channel, data = channel - _FIRST_DIGIT, base64.b64decode(data, validate=True)
        if channel % 2 == 0 and 0 <= channel // 2 < len(self.inlets):
            await self.inlets[channel // 2].feed(data)

    async def _flush(self) -> None:
        data = self._socket.pending()
        if data:
            await self._connection.write(data)


class _Port(Duplex):
    def __init__(self, wire: _Wire, number: int) -> None:
        self._wire = wire
        self._number = number

    @override
    async def read(self) -> bytes:
        return await self._wire.inlets[self._number].read()

    @override
    async def write(self, data: bytes) -> None:
        await self._wire.send(2 * self._number, data)
