"""portforward: connections to ports of a pod."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from wire import Messages, SpdyClient, spdy, websocket

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from kubelet_site import Site
    from windlass.apiserver.kubelet import Duplex

SPDY = "portforward.k8s.io"
TUNNEL = f"SPDY/3.1+{SPDY}"
CLOSED = "error forwarding port 81 to pod a, uid : nobody listens on port 81"


@pytest.fixture(autouse=True)
async def echoing(site: Site) -> AsyncIterator[None]:
    """Somebody on port 80 of the pod, who says everything again in capitals."""

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data.upper())
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    site.kubelet.ports[80] = server.sockets[0].getsockname()[1]
    yield
    server.close()


async def forwarded(client: SpdyClient, port: int, data: bytes, request: str = "0") -> tuple[bytes, str]:
    """What comes back from a port, and what went wrong, over a connection of its own."""
    error = await client.open(fin=True, streamtype="error", port=str(port), requestid=request)
    stream = await client.open(streamtype="data", port=str(port), requestid=request)
    await client.send(stream, data, fin=True)
    await client.until(lambda: {error, stream} <= client.finished)
    return client.came.get(stream, b""), client.came.get(error, b"").decode()


class Tunnelled:
    """The bytes in the messages of a WebSocket, seen from the client."""

    def __init__(self, connection: Duplex) -> None:
        self._messages = Messages(connection)

    async def read(self) -> bytes:
        return await self._messages.receive()

    async def write(self, data: bytes) -> None:
        for at in range(0, len(data), 30_000):
            await self._messages.send(data[at : at + 30_000])


async def test_several_connections_are_carried_over_spdy(site: Site) -> None:
    async with site.open(spdy(f"{site.pod}/portforward", SPDY)) as opened:
        assert (opened.status, opened.headers["x-stream-protocol-version"]) == (101, SPDY)
        client = SpdyClient(opened.connection)

        assert await forwarded(client, 80, b"a") == (b"A", "")
        assert await forwarded(client, 80, b"b" * 300_000, "1") == (b"B" * 300_000, "")


async def test_a_port_where_nobody_listens_is_an_error_of_its_own(site: Site) -> None:
    async with site.open(spdy(f"{site.pod}/portforward", SPDY)) as opened:
        client = SpdyClient(opened.connection)

        assert await forwarded(client, 81, b"a") == (b"", CLOSED)
        assert await forwarded(client, 80, b"a", "1") == (b"A", "")


async def test_somebody_is_at_the_other_end_of_spdy(site: Site) -> None:
    async with site.open(spdy(f"{site.pod}/portforward", SPDY)) as opened:
        client = SpdyClient(opened.connection)
        await client.ping(7)
        await client.until(lambda: client.pings == [7])


async def test_spdy_goes_through_a_websocket(site: Site) -> None:
    async with site.open(websocket(f"{site.pod}/portforward", TUNNEL)) as opened:
        assert (opened.status, opened.headers["sec-websocket-protocol"]) == (101, TUNNEL)
        client = SpdyClient(Tunnelled(opened.connection))

        assert await forwarded(client, 80, b"a" * 100_000) == (b"A" * 100_000, "")
        assert await forwarded(client, 81, b"a", "1") == (b"", CLOSED)


async def test_older_clients_have_two_channels_for_each_port(site: Site) -> None:
    ports = [("ports", "80"), ("ports", "81")]
    async with site.open(websocket(f"{site.pod}/portforward", "v4.channel.k8s.io", query=ports)) as opened:
        messages = Messages(opened.connection)
        await messages.send(b"\x00hello")
        await messages.until(0, b"HELLO")
        await messages.until(3, b"81")

    begin = {channel: int.from_bytes(data[:2], "little") for channel, data in messages.channels.items()}
    assert begin == {0: 80, 1: 80, 2: 81, 3: 81}
    assert messages.channels[3][2:].decode() == CLOSED


async def test_a_stream_that_is_neither_data_nor_error_is_refused(site: Site) -> None:
    async with site.open(spdy(f"{site.pod}/portforward", SPDY)) as opened:
        client = SpdyClient(opened.connection)
        stream = await client.open(streamtype="other", port="80", requestid="0")

        assert stream in client.reset
