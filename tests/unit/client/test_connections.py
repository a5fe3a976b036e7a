from __future__ import annotations

import asyncio
import socket
import time
from base64 import b64encode
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

import aiohttp
import pytest

from windlass.client.config import ClusterConfig
from windlass.client.credentials import TokenFile
from windlass.client.http import HttpTransport
from windlass.client.proxy import Proxy
from windlass.client.transport import Request
from windlass.errors import ConnectionFailedError, NotLeadingError

if TYPE_CHECKING:
    import ssl
    from asyncio import StreamReader, StreamWriter
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    Listen = Callable[..., Awaitable[int]]
    Tls = Callable[..., ssl.SSLContext]
    Pieces = Callable[..., Awaitable[HttpTransport]]

WATCH = Request(method="GET", path="/api/v1/pods", query=(("watch", "1"),))
HEAD = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Kind: Watch\r\n\r\n"


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


@pytest.fixture
async def streaming(listen: Listen) -> AsyncIterator[Pieces]:
    """A transport to a server that answers each request with these pieces, and then ends the answer."""
    made = []

    async def streaming(*pieces: bytes, cut: bool = False) -> HttpTransport:
        async def handle(reader: StreamReader, writer: StreamWriter) -> None:
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                while await reader.readuntil(b"\r\n\r\n"):
                    writer.write(HEAD)
                    for piece in pieces:
                        writer.write(chunk(piece))
                        await writer.drain()
                    if cut:
                        return
                    writer.write(b"0\r\n\r\n")

        made.append(HttpTransport(ClusterConfig(server=f"http://127.0.0.1:{await listen(handle)}")))
        return made[-1]

    yield streaming
    for transport in made:
        await transport.close()


async def read(transport: HttpTransport) -> list[bytes]:
    async with transport.stream(WATCH) as stream:
        return [line async for line in stream.lines()]


@pytest.mark.parametrize(
    ("pieces", "lines"),
    [
        ((b"one\ntwo\n",), [b"one", b"two"]),
        ((b"o", b"n", b"e\nt", b"wo\n"), [b"one", b"two"]),
        ((b"one", b"\n", b"two", b"\n"), [b"one", b"two"]),
        ((b"one\n\n\ntwo\n",), [b"one", b"", b"", b"two"]),
        ((b"one\ntwo",), [b"one", b"two"]),
        ((b"one\r\n",), [b"one\r"]),
        ((b"\n",), [b""]),
        ((), []),
    ],
)
async def test_lines_come_out_whole_however_they_arrive(
    streaming: Pieces, pieces: tuple[bytes, ...], lines: list[bytes]
) -> None:
    assert await read(await streaming(*pieces)) == lines


async def test_a_line_of_ten_megabytes_comes_out_whole(streaming: Pieces) -> None:
    line = b"x" * 10_000_000
    assert await read(await streaming(b"a\n", line, b"\nb\n")) == [b"a", line, b"b"]


async def test_lines_take_linear_time(streaming: Pieces) -> None:
    async def cost(pieces: int) -> float:
        transport = await streaming(*[(b"x" * 100 + b"\n") * 1000] * pieces)
        started = time.process_time()
        assert await read(transport) == [b"x" * 100] * 1000 * pieces
        return time.process_time() - started

    few = min([await cost(20) for _ in range(3)])
    assert await cost(160) < 4 * 8 * few, "eight times the lines: eight times the work, not sixty-four"


async def test_status_and_headers_are_known_before_the_lines(streaming: Pieces) -> None:
    transport = await streaming(b"a\n")
    async with transport.stream(WATCH) as stream:
        assert (stream.status, stream.headers["x-kind"]) == (200, "Watch")


async def test_a_stream_that_is_cut_says_so_after_the_lines_that_came(streaming: Pieces) -> None:
    transport = await streaming(b"one\ntw", cut=True)
    async with transport.stream(WATCH) as stream:
        lines = stream.lines()
        assert await anext(lines) == b"one"
        with pytest.raises(ConnectionFailedError, match="cut in the middle") as failed:
            await anext(lines)
    assert failed.value.sent


class Endless:
    """A server whose streams never end, and which notices when they are left."""

    def __init__(self) -> None:
        self.connections = 0
        self.left = asyncio.Event()

    async def __call__(self, reader: StreamReader, writer: StreamWriter) -> None:
        self.connections += 1
        await reader.readuntil(b"\r\n\r\n")
        writer.write(HEAD + chunk(b"one\n"))
        with suppress(ConnectionError):
            await reader.read()
        self.left.set()


@pytest.mark.parametrize("secure", [False, True])
async def test_leaving_a_stream_early_closes_its_connection(
    listen: Listen, tls: Tls, ca: bytes, secure: bool  # noqa: FBT001
) -> None:  # fmt: skip
    server = Endless()
    port = await listen(server, tls("127.0.0.1") if secure else None)
    scheme = "https" if secure else "http"
    transport = HttpTransport(ClusterConfig(server=f"{scheme}://127.0.0.1:{port}", ca=ca))
    async with transport.stream(WATCH) as stream:
        async for line in stream.lines():
            assert line == b"one"
            break
    await asyncio.wait_for(server.left.wait(), 10)
    await transport.close()


@pytest.mark.parametrize("secure", [False, True])
async def test_cancelling_a_stream_closes_its_connection(
    listen: Listen, tls: Tls, ca: bytes, secure: bool  # noqa: FBT001
) -> None:  # fmt: skip
    server = Endless()
    port = await listen(server, tls("127.0.0.1") if secure else None)
    scheme = "https" if secure else "http"
    transport = HttpTransport(ClusterConfig(server=f"{scheme}://127.0.0.1:{port}", ca=ca))
    started = asyncio.Event()

    async def follow() -> None:
        async with transport.stream(WATCH) as stream:
            async for _ in stream.lines():
                started.set()

    task = asyncio.create_task(follow())
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(server.left.wait(), 10)
    await transport.close()


async def test_silence_in_a_stream_can_be_bounded(listen: Listen) -> None:
    transport = HttpTransport(ClusterConfig(server=f"http://127.0.0.1:{await listen(Endless())}"))
    short = Request(method="GET", path="/", timeout=timedelta(seconds=0.5))
    async with transport.stream(short) as stream:
        lines = stream.lines()
        assert await anext(lines) == b"one"
        with pytest.raises(ConnectionFailedError, match=r"did not answer within 0\.5 s"):
            await anext(lines)
    await transport.close()


async def test_closing_the_transport_ends_its_streams(listen: Listen) -> None:
    transport = HttpTransport(ClusterConfig(server=f"http://127.0.0.1:{await listen(Endless())}"))
    async with transport.stream(WATCH) as stream:
        lines = stream.lines()
        assert await anext(lines) == b"one"
        await transport.close()
        with pytest.raises(ConnectionFailedError):
            await anext(lines)


async def test_closing_the_transport_wakes_who_waits_for_a_line(listen: Listen) -> None:
    transport = HttpTransport(ClusterConfig(server=f"http://127.0.0.1:{await listen(Endless())}"))
    waiting = asyncio.Event()

    async def follow() -> None:
        async with transport.stream(WATCH) as stream:
            async for _ in stream.lines():
                waiting.set()

    task = asyncio.create_task(follow())
    await waiting.wait()
    await asyncio.sleep(0)
    await transport.close()
    with pytest.raises(ConnectionFailedError):
        await asyncio.wait_for(task, 10)


async def test_the_connection_of_a_finished_stream_is_used_again(listen: Listen) -> None:
    connections = 0

    async def handle(reader: StreamReader, writer: StreamWriter) -> None:
        nonlocal connections
        connections += 1
        with suppress(asyncio.IncompleteReadError):
            while await reader.readuntil(b"\r\n\r\n"):
                writer.write(HEAD + chunk(b"one\n") + b"0\r\n\r\n")

    transport = HttpTransport(ClusterConfig(server=f"http://127.0.0.1:{await listen(handle)}"))
    for _ in range(3):
        assert await read(transport) == [b"one"]
    await transport.close()
    assert connections == 1


async def test_streams_do_not_take_the_turns_of_requests(listen: Listen) -> None:
    endless = Endless()

    async def handle(reader: StreamReader, writer: StreamWriter) -> None:
        if endless.connections == 0:
            await endless(reader, writer)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    server = f"http://127.0.0.1:{await listen(handle)}"
    transport = HttpTransport(ClusterConfig(server=server, connections=1))
    async with transport.stream(WATCH):
        assert (await transport.send(Request(method="GET", path="/"))).status == 200
        assert not endless.left.is_set()
    await transport.close()


class ConnectProxy:
    """A proxy that knows CONNECT only, and leads everywhere to one port."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.asked: list[bytes] = []

    async def __call__(self, reader: StreamReader, writer: StreamWriter) -> None:
        self.asked.append(await reader.readuntil(b"\r\n\r\n"))
        there, back = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        try:
            await asyncio.gather(self._copy(reader, back), self._copy(there, writer))
        finally:
            back.close()

    async def _copy(self, source: StreamReader, target: StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65536):
                target.write(data)
            target.close()


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_server_is_reached_through_a_proxy(
    listen: Listen, serve: Listen, tls: Tls, ca: bytes, scheme: str
) -> None:
    answered = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
    proxy = ConnectProxy(await serve(lambda *_: answered, tls("api.example.com")))
    port = await listen(proxy, tls("127.0.0.1") if scheme == "https" else None)
    config = ClusterConfig(
        server="https://api.example.com:6443", ca=ca, proxy=Proxy(f"{scheme}://user:pass@127.0.0.1:{port}")
    )
    transport = HttpTransport(config)
    assert (await transport.send(WATCH)).body == b"hi"
    assert (await transport.send(WATCH)).body == b"hi"
    await transport.close()
    (asked,) = proxy.asked
    assert asked.startswith(b"CONNECT api.example.com:6443 HTTP/1.1\r\n")
    assert b"Proxy-Authorization: Basic " + b64encode(b"user:pass") in asked
    assert b"\r\nAuthorization" not in asked


@pytest.mark.parametrize("secure", [False, True])
async def test_every_connection_asks_the_system_to_notice_when_the_other_side_is_gone(
    serve: Listen, tls: Tls, ca: bytes, secure: bool  # noqa: FBT001
) -> None:  # fmt: skip
    answered = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    port = await serve(lambda *_: answered, tls("127.0.0.1") if secure else None)
    server = f"{'https' if secure else 'http'}://127.0.0.1:{port}"
    transport = HttpTransport(ClusterConfig(server=server, ca=ca if secure else None))
    await transport.send(WATCH)
    assert transport._wire is not None
    connector = transport._wire.connections._session.connector
    assert isinstance(connector, aiohttp.TCPConnector)
    (((kept, *_),),) = connector._conns.values()
    assert kept.transport is not None
    used = kept.transport.get_extra_info("socket")

    assert used.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        assert used.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 30
        assert used.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 60_000
    await transport.close()


async def test_the_warnings_of_a_stream_are_known_before_its_lines(serve: Listen) -> None:
    warned = b'HTTP/1.1 200 OK\r\nWarning: 299 - "a"\r\nWarning: 299 - "b"\r\nContent-Length: 0\r\n\r\n'
    transport = HttpTransport(ClusterConfig(server=f"http://127.0.0.1:{await serve(lambda *_: warned)}"))
    async with transport.stream(WATCH) as stream:
        assert stream.warnings == ('299 - "a"', '299 - "b"')
    await transport.close()


WRITES = ("POST", "PUT", "PATCH", "DELETE")


class Witness:
    """A server that keeps what it is asked, and can be late in taking connections."""

    def __init__(self) -> None:
        self.connections = 0
        self.asked: list[str] = []

    async def __call__(self, reader: StreamReader, writer: StreamWriter) -> None:
        self.connections += 1
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                self.asked.append(head.decode().partition(" ")[0])
                if b"Content-Length: 2" in head:
                    await reader.readexactly(2)
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")


@pytest.mark.parametrize("method", WRITES)
async def test_a_request_whose_guard_refuses_does_not_leave(listen: Listen, method: str) -> None:
    server = Witness()
    transport = HttpTransport(ClusterConfig(server=f"http://127.0.0.1:{await listen(server)}"))
    connected: list[int] = []

    def refuse() -> None:
        connected.append(server.connections)
        raise NotLeadingError("no longer")

    with pytest.raises(NotLeadingError, match="no longer"):
        await transport.send(Request(method=method, path="/", body=b"{}", guard=refuse))
    await transport.send(Request(method=method, path="/", body=b"{}", guard=lambda: None))
    await transport.close()

    assert server.asked == [method]
    assert len(connected) == 1


async def test_a_guard_is_asked_after_the_wait_for_a_connection(listen: Listen, tls: Tls, ca: bytes) -> None:
    server, order = Witness(), list[str]()
    port = await listen(server, tls("127.0.0.1"))
    transport = HttpTransport(ClusterConfig(server=f"https://127.0.0.1:{port}", ca=ca))

    # The handshake of a fresh connection takes turns of the loop; the guard sees what happened in them.
    sending = asyncio.create_task(
        transport.send(Request(method="POST", path="/", body=b"{}", guard=lambda: order.append("guard")))
    )
    await asyncio.sleep(0)
    order.append("waiting")
    await sending
    await transport.close()

    assert order == ["waiting", "guard"]
    assert server.asked == ["POST"]


async def test_the_guard_of_a_request_that_is_repeated_is_asked_each_time(
    serve: Listen, tmp_path: Path
) -> None:
    token, asked = tmp_path / "token", list[str]()
    token.write_text("old")

    def answer(_line: str, headers: dict[str, str], _body: bytes) -> bytes:
        token.write_text("new")
        code = b"401 Unauthorized" if headers["authorization"].endswith("old") else b"200 OK"
        return b"HTTP/1.1 " + code + b"\r\nContent-Length: 0\r\n\r\n"

    server = f"http://127.0.0.1:{await serve(answer)}"
    transport = HttpTransport(ClusterConfig(server=server, credentials=TokenFile(path=token, where="test")))
    answered = await transport.send(
        Request(method="PUT", path="/", body=b"{}", guard=lambda: asked.append("guard"))
    )
    await transport.close()

    assert answered.status == 200
    assert asked == ["guard", "guard"]


@pytest.mark.parametrize("turns", range(0, 60, 2))
async def test_a_request_that_is_cancelled_at_any_moment_leaves_no_connection_behind(
    serve: Listen, tls: Tls, ca: bytes, turns: int
) -> None:
    port = await serve(lambda *_: b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", tls("127.0.0.1"))
    transport = HttpTransport(ClusterConfig(server=f"https://127.0.0.1:{port}", ca=ca))
    sending = asyncio.ensure_future(transport.send(WATCH))
    for _ in range(turns):
        await asyncio.sleep(0)
    opened = list(transport._wire.connections._sockets) if transport._wire else []
    sending.cancel()
    await asyncio.wait([sending])
    await transport.close()

    assert [each for each in opened if each.fileno() >= 0] == []
