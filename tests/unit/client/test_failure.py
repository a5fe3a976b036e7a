from __future__ import annotations

import asyncio
import errno
import socket
import ssl
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

import aiohttp
import pytest
from aiohttp.client_reqrep import ConnectionKey

from windlass.client.config import ClusterConfig
from windlass.client.failure import failure
from windlass.client.http import HttpTransport
from windlass.client.proxy import Proxy
from windlass.client.transport import Request
from windlass.errors import ConnectionFailedError

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter
    from collections.abc import Awaitable, Callable, Iterator

    Serve = Callable[..., Awaitable[int]]
    Tls = Callable[..., ssl.SSLContext]

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


def get(seconds: float | None = None) -> Request:
    limit = None if seconds is None else timedelta(seconds=seconds)
    return Request(method="GET", path="/api", timeout=limit)


async def fail(config: ClusterConfig, request: Request | None = None) -> ConnectionFailedError:
    """The failure of a request that cannot succeed."""
    transport = HttpTransport(config)
    try:
        with pytest.raises(ConnectionFailedError) as failed:
            await transport.send(request or get())
    finally:
        await transport.close()
    assert str(failed.value).startswith(f"{request or get()}: {config.server}: ")
    return failed.value


def https(port: int, ca: bytes | None = None) -> ClusterConfig:
    return ClusterConfig(server=f"https://127.0.0.1:{port}", ca=ca)


def http(port: int) -> ClusterConfig:
    return ClusterConfig(server=f"http://127.0.0.1:{port}")


@pytest.fixture
def refused_port() -> Iterator[int]:
    """A port that is taken, but that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


async def test_a_refused_port(refused_port: int) -> None:
    config = ClusterConfig(server=f"https://127.0.0.1:{refused_port}", origin='context "dev" of config')
    error = await fail(config)
    assert "refused: nothing listens there; check that the API server runs" in str(error)
    assert str(error).endswith('(the address is that of context "dev" of config)')
    assert not error.sent
    assert not error.lasting


async def test_a_name_that_cannot_be_resolved(monkeypatch: pytest.MonkeyPatch) -> None:
    async def getaddrinfo(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", getaddrinfo)
    error = await fail(ClusterConfig(server="https://api.example.invalid"))
    assert "the name api.example.invalid cannot be resolved" in str(error)
    assert not error.sent
    assert not error.lasting


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.EHOSTUNREACH, "no route to this host"),
        (errno.ENETUNREACH, "network cannot be reached"),
        (errno.ETIMEDOUT, "timed out"),
        (errno.EMFILE, "Too many open files"),
    ],
)
def test_an_unreachable_host(number: int, said: str) -> None:
    key = ConnectionKey("10.0.0.1", 443, True, True, None, None, None)  # noqa: FBT003
    cause = OSError(number, "Too many open files")
    error = failure(aiohttp.ClientConnectorError(key, cause), https(1), None)
    assert said in str(error)
    assert not error.sent
    assert not error.lasting


def test_an_address_that_the_library_refuses_was_not_sent_to() -> None:
    error = failure(aiohttp.InvalidUrlClientError("127.1", "is not canonical"), https(1), None)
    assert "cannot be used (127.1 - is not canonical)" in str(error)
    assert not error.sent
    assert error.lasting


def test_a_broken_record_on_a_standing_connection_may_have_been_sent() -> None:
    broken = aiohttp.ClientOSError(1, "bad record mac")
    broken.__cause__ = ssl.SSLError(1, "[SSL: SSLV3_ALERT_BAD_RECORD_MAC] bad record mac")
    error = failure(broken, https(1), None)
    assert error.sent
    assert not error.lasting


async def test_a_server_of_an_unknown_authority(serve: Serve, tls: Tls, other_ca: bytes) -> None:
    port = await serve(lambda *_: OK, tls("127.0.0.1"))
    error = await fail(https(port, other_ca))
    assert "certificate comes from an unknown authority; the certificate-authority of the kubeconfig" in str(
        error
    )
    assert not error.sent
    assert error.lasting
    assert "unknown authority" in str(await fail(https(port))), "the system does not know it either"


async def test_an_expired_server_certificate(serve: Serve, tls: Tls, ca: bytes) -> None:
    port = await serve(lambda *_: OK, tls("127.0.0.1", lifetime=timedelta(days=-1)))
    error = await fail(https(port, ca))
    assert "the server's certificate has expired; renew it on the server" in str(error)
    assert not error.sent
    assert error.lasting


async def test_a_certificate_for_other_addresses(serve: Serve, tls: Tls, ca: bytes) -> None:
    error = await fail(https(await serve(lambda *_: OK, tls("127.0.0.2")), ca))
    assert "for other addresses, not for this address; use a name that it holds as server" in str(error)
    assert "tls-server-name" in str(error)
    assert not error.sent
    assert error.lasting


async def test_a_server_that_does_not_speak_tls(listen: Serve, ca: bytes) -> None:
    async def handle(reader: StreamReader, writer: StreamWriter) -> None:
        await reader.read(10)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    error = await fail(https(await listen(handle), ca))
    assert "the server does not speak TLS; if it is meant to be reached without, write http://" in str(error)
    assert not error.sent
    assert error.lasting


async def test_a_connection_closed_in_the_handshake(listen: Serve, ca: bytes) -> None:
    async def handle(reader: StreamReader, _: StreamWriter) -> None:
        await reader.read(10)

    error = await fail(https(await listen(handle), ca))
    assert "the connection failed while it was made" in str(error)
    assert not error.sent
    assert not error.lasting


async def test_a_missing_client_certificate(listen: Serve, tls: Tls, ca: bytes) -> None:
    context = tls("127.0.0.1", clients=True)

    async def handle(reader: StreamReader, writer: StreamWriter) -> None:
        # By hand, because asyncio's own server closes such a connection without a word.
        received, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
        handshake = context.wrap_bio(received, sent, server_side=True)
        with suppress(ConnectionError):
            while True:
                received.write(await reader.read(65536))
                try:
                    handshake.do_handshake()
                except ssl.SSLWantReadError:
                    writer.write(sent.read())
                except ssl.SSLError:
                    writer.write(sent.read())
                    await silent(reader, writer)
                    return

    port = await listen(handle)
    for method in ("GET", "POST", "DELETE"):
        error = await fail(https(port, ca), Request(method=method, path="/"))
        assert "the server refused the TLS connection (certificate required)" in str(error)
        assert not error.sent
        assert error.lasting


async def silent(reader: StreamReader, _: StreamWriter) -> None:
    """Read everything, say nothing."""
    while await reader.read(1000):
        pass


async def test_a_slow_answer(listen: Serve) -> None:
    error = await fail(http(await listen(silent)), get(0.1))
    assert "the server did not answer within 0.1 s" in str(error)
    assert error.sent


async def test_a_connection_that_takes_too_long_was_not_sent_on(listen: Serve, ca: bytes) -> None:
    port = await listen(silent)
    error = await fail(https(port, ca), get(1))
    assert "no connection came about in time" in str(error)
    assert not error.sent
    impatient = ClusterConfig(server=f"https://127.0.0.1:{port}", connect_timeout=timedelta(seconds=0.1))
    assert not (await fail(impatient)).sent


async def test_an_answer_cut_in_the_middle(listen: Serve) -> None:
    async def handle(reader: StreamReader, writer: StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")

    error = await fail(http(await listen(handle)))
    assert "the connection was cut in the middle of the answer" in str(error)
    assert error.sent


async def test_an_answer_that_is_not_http(listen: Serve) -> None:
    async def handle(reader: StreamReader, writer: StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"SSH-2.0-OpenSSH\r\n\r\n")

    error = await fail(http(await listen(handle)))
    assert "the answer is not HTTP" in str(error)
    assert error.sent


@pytest.mark.parametrize(
    ("method", "times"), [("GET", 2), ("PUT", 1), ("DELETE", 1), ("POST", 1), ("PATCH", 1)]
)
async def test_on_a_kept_connection_that_died_only_reads_are_repeated(
    listen: Serve, method: str, times: int
) -> None:
    seen = []

    async def handle(reader: StreamReader, writer: StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                if b"/first" not in head:
                    seen.append(head)
                    return
                writer.write(OK)

    transport = HttpTransport(http(await listen(handle)))
    await transport.send(Request(method="GET", path="/first"))
    with pytest.raises(
        ConnectionFailedError, match=f"^{method} /second: .* closed the connection without an answer"
    ) as failed:
        await transport.send(Request(method=method, path="/second"))
    await transport.close()
    assert failed.value.sent
    assert len(seen) == times


def proxied(proxy: str) -> ClusterConfig:
    return ClusterConfig(server="https://10.255.255.1:6443", proxy=Proxy(proxy))


async def test_a_proxy_that_refuses(serve: Serve) -> None:
    forbidden = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"
    port = await serve(lambda *_: forbidden)
    error = await fail(proxied(f"http://user:s3cret@127.0.0.1:{port}"))
    assert f"the proxy http://127.0.0.1:{port} refused to connect (403 Forbidden)" in str(error)
    assert "s3cret" not in str(error)
    assert not error.sent


async def test_a_proxy_that_cannot_be_reached(refused_port: int) -> None:
    error = await fail(proxied(f"http://127.0.0.1:{refused_port}"))
    assert f"the proxy http://127.0.0.1:{refused_port} cannot be reached" in str(error)
    assert not error.sent


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"])
async def test_closing_the_transport_ends_requests_under_way(listen: Serve, said: bytes) -> None:
    arrived = asyncio.Event()

    async def handle(reader: StreamReader, writer: StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(said)
        arrived.set()
        await silent(reader, writer)

    transport = HttpTransport(http(await listen(handle)))
    request = asyncio.create_task(transport.send(get()))
    await arrived.wait()
    await transport.close()
    with pytest.raises(ConnectionFailedError, match=r"^GET /api: .* this client was closed") as failed:
        await request
    assert failed.value.sent
    assert failed.value.lasting
