"""Commands and ports over connections in memory, with clients that misbehave."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typing_extensions import override

from polling import soon
from windlass.apiserver.kubelet import Command, Console, Duplex, Kubelet, KubeletRefusal, LogQuery, PodName
from windlass.apiserver.streaming import Forwarding, Running, command_upgrade, forward_upgrade
from wire import Messages, Pipe, SpdyClient, spdy, websocket

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

POD = PodName("default", "a")
V4, V5 = "v4.channel.k8s.io", "v5.channel.k8s.io"
PORT_FORWARD = "portforward.k8s.io"


class Echo(Kubelet):
    """A kubelet that says everything again; it counts what it has begun and not ended."""

    def __init__(self) -> None:
        self.busy = 0

    @override
    async def logs(self, pod: PodName, container: str, query: LogQuery) -> AsyncGenerator[bytes, None]:
        yield b""

    @override
    async def run(self, pod: PodName, container: str, command: Command, console: Console) -> int:
        self.busy += 1
        try:
            while data := await console.read():
                await console.write(data)
        finally:
            self.busy -= 1
        return 0

    @override
    async def forward(self, pod: PodName, port: int, connection: Duplex) -> None:
        self.busy += 1
        try:
            while data := await connection.read():
                await connection.write(data)
        finally:
            self.busy -= 1


def running(kubelet: Kubelet, *, stdin: bool = True) -> Running:
    return Running(kubelet=kubelet, pod=POD, container="main", command=Command(argv=("cat",), stdin=stdin))


def lowered(headers: dict[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


async def served(kubelet: Kubelet, data: bytes, protocol: str) -> None:
    """Serve a client that says this and goes."""
    ours, theirs = Pipe.pair()
    if protocol == PORT_FORWARD:
        asking = spdy("", protocol)
        upgrade = forward_upgrade(lowered(asking.headers), Forwarding(kubelet=kubelet, pod=POD), [])
    elif protocol == V4:
        upgrade = command_upgrade(lowered(spdy("", protocol).headers), running(kubelet))
    else:
        upgrade = command_upgrade(lowered(websocket("", protocol).headers), running(kubelet))
    await ours.write(data)
    ours.hang_up()
    async with asyncio.timeout(10):
        await upgrade.serve(theirs)


@pytest.mark.parametrize("protocol", [V5, V4, PORT_FORWARD])
def test_whatever_a_client_says_its_connection_ends_with_it(protocol: str) -> None:
    @given(st.binary(max_size=200))
    @settings(deadline=None)
    def check(data: bytes) -> None:
        kubelet = Echo()
        asyncio.run(served(kubelet, data, protocol))
        assert kubelet.busy == 0

    check()


async def test_a_command_without_stdin_reads_nothing() -> None:
    ours, theirs = Pipe.pair()
    upgrade = command_upgrade(lowered(websocket("", V5).headers), running(Echo(), stdin=False))
    serving = asyncio.create_task(upgrade.serve(theirs))
    came = await Messages(ours).finish()
    await serving

    assert came[3] == b'{"metadata":{},"status":"Success"}'


async def test_connections_are_carried_side_by_side_and_end_with_the_client() -> None:
    kubelet, (ours, theirs) = Echo(), Pipe.pair()
    upgrade = forward_upgrade(
        lowered(spdy("", PORT_FORWARD).headers), Forwarding(kubelet=kubelet, pod=POD), []
    )
    serving = asyncio.create_task(upgrade.serve(theirs))
    client, streams = SpdyClient(ours), []
    for number in range(3):
        await client.open(streamtype="error", port="80", requestid=str(number))
        streams.append(await client.open(streamtype="data", port="80", requestid=str(number)))
    for stream in reversed(streams):
        await client.send(stream, b"hello")
    await client.until(lambda: all(client.came.get(stream) == b"hello" for stream in streams))
    assert kubelet.busy == 3

    ours.hang_up()
    await serving

    assert kubelet.busy == 0


async def test_a_reader_that_is_slow_does_not_lose_anything() -> None:
    kubelet, (ours, theirs) = Echo(), Pipe.pair()
    upgrade = forward_upgrade(
        lowered(spdy("", PORT_FORWARD).headers), Forwarding(kubelet=kubelet, pod=POD), []
    )
    serving = asyncio.create_task(upgrade.serve(theirs))
    client = SpdyClient(ours)
    await client.open(streamtype="error", port="80", requestid="0")
    stream = await client.open(streamtype="data", port="80", requestid="0")
    data = bytes(range(256)) * 8192
    sending = asyncio.create_task(client.send(stream, data, fin=True))
    await soon(lambda: kubelet.busy)
    await client.until(lambda: stream in client.finished)
    await sending
    ours.hang_up()
    await serving

    assert client.came[stream] == data


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"upgrade": "websocket", "sec-websocket-protocol": "v9.channel.k8s.io"}, 403),
        ({"upgrade": "SPDY/3.1", "x-stream-protocol-version": "v9"}, 403),
        ({"upgrade": "SPDY/3.1"}, 400),
        ({"upgrade": "h2c"}, 400),
    ],
)
def test_who_speaks_nothing_that_is_known_is_refused(headers: dict[str, str], status: int) -> None:
    with pytest.raises(KubeletRefusal) as refused:
        command_upgrade(headers, running(Echo()))

    assert refused.value.status == status


def test_headers_that_came_several_times_are_all_offered() -> None:
    headers = {"upgrade": "SPDY/3.1", "x-stream-protocol-version": "v9\nv3.channel.k8s.io, channel.k8s.io"}

    upgrade = command_upgrade(headers, running(Echo()))

    assert upgrade.headers["X-Stream-Protocol-Version"] == "v3.channel.k8s.io"


def test_an_older_client_must_say_which_ports_it_wants() -> None:
    with pytest.raises(KubeletRefusal, match='query parameter "port" is required'):
        forward_upgrade({"upgrade": "websocket"}, Forwarding(kubelet=Echo(), pod=POD), [])
