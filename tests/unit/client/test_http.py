from __future__ import annotations

import asyncio
import gzip
import sys
import warnings
import zlib
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from windlass.aio import ManualClock
from windlass.client.certificate import ClientCertificate
from windlass.client.config import ClusterConfig, Impersonation
from windlass.client.credentials import CertificateFiles, Credentials, FixedCredentials, TokenFile
from windlass.client.exec_plugin import API_VERSIONS, ExecPlugin, InteractiveMode
from windlass.client.http import HttpTransport
from windlass.client.transport import Request
from windlass.errors import ConfigError, ConnectionFailedError

if TYPE_CHECKING:
    import ssl
    from asyncio import StreamReader, StreamWriter
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    Issue = Callable[..., tuple[bytes, bytes]]
    Serve = Callable[..., Awaitable[int]]
    Tls = Callable[..., ssl.SSLContext]
    Open = Callable[..., HttpTransport]
    Secure = Callable[..., Awaitable[ClusterConfig]]

GET = Request(method="GET", path="/api/v1/pods")


def ok(body: bytes = b"{}", *headers: str, status: str = "200 OK") -> bytes:
    """A whole answer."""
    head = "\r\n".join([f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers])
    return f"{head}\r\n\r\n".encode() + body


@pytest.fixture
async def connect() -> AsyncIterator[Open]:
    """Make transports that are closed when the test ends."""
    made: list[HttpTransport] = []

    def connect(config: ClusterConfig, clock: ManualClock | None = None) -> HttpTransport:
        made.append(HttpTransport(config, clock=clock))
        return made[-1]

    yield connect
    for transport in made:
        await transport.close()


def plain(port: int, credentials: Credentials | None = None) -> ClusterConfig:
    return ClusterConfig(
        server=f"http://127.0.0.1:{port}", credentials=credentials or FixedCredentials.anonymous()
    )


async def test_an_answer_is_returned_whole(serve: Serve, connect: Open) -> None:
    headers = ("X-One: 1", "Warning: 299 - first", "Warning: 299 - second")
    port = await serve(lambda *_: ok(b"hello", *headers, status="418 Teapot"))
    response = await connect(plain(port)).send(GET)
    assert (response.status, response.body) == (418, b"hello")
    assert response.headers["x-one"] == "1"
    assert response.warnings == ("299 - first", "299 - second")


async def test_a_request_arrives_as_it_was_meant(serve: Serve, connect: Open) -> None:
    seen: list[tuple[str, dict[str, str], bytes]] = []

    def answer(*request: object) -> bytes:
        seen.append(request)  # type: ignore[arg-type]
        return ok()

    port = await serve(answer)
    config = replace(
        plain(port, FixedCredentials.token("t")),
        server=f"http://127.0.0.1:{port}/prefix/",
        user_agent="me/1",
        impersonate=Impersonation(user="bob"),
    )
    query = (("labelSelector", "a in (b,c)"), ("limit", "1"))
    await connect(config).send(
        Request(
            method="PATCH",
            path="/apis/a:b/é%2F x",
            query=query,
            headers={"Content-Type": "application/json"},
            body=b"{}",
        )
    )
    assert seen == [
        (
            "PATCH /prefix/apis/a:b/%C3%A9%2F%20x?labelSelector=a+in+%28b%2Cc%29&limit=1 HTTP/1.1",
            {
                "host": f"127.0.0.1:{port}",
                "user-agent": "me/1",
                "authorization": "Bearer t",
                "accept-encoding": "gzip",
                "impersonate-user": "bob",
                "content-type": "application/json",
                "content-length": "2",
            },
            b"{}",
        )
    ]


async def test_compression_is_asked_for_unless_it_is_unwanted(serve: Serve, connect: Open) -> None:
    def answer(_: str, headers: dict[str, str], __: bytes) -> bytes:
        if headers.get("accept-encoding") == "gzip":
            return ok(gzip.compress(b"squeezed"), "Content-Encoding: gzip")
        return ok(headers.get("accept-encoding", "none").encode())

    config = plain(await serve(answer))
    assert (await connect(config).send(GET)).body == b"squeezed"
    assert (await connect(replace(config, compression=False)).send(GET)).body == b"none"


async def test_an_answer_stays_packed_for_those_who_can_unpack_it(serve: Serve, connect: Open) -> None:
    packed = gzip.compress(b"squeezed")
    port = await serve(lambda *_: ok(packed, "Content-Encoding: GZIP"))
    transport = connect(plain(port))

    kept = await transport.send(replace(GET, packed=True))
    assert (kept.body, kept.packing) == (packed, "gzip")
    unpacked = await transport.send(GET)
    assert (unpacked.body, unpacked.packing) == (b"squeezed", "")


async def test_an_answer_that_is_not_packed_is_as_it_is(serve: Serve, connect: Open) -> None:
    answers = iter(
        (ok(b"plain"), ok(b"same", "Content-Encoding: identity"), ok(b"", "Content-Encoding: gzip"))
    )
    transport = connect(plain(await serve(lambda *_: next(answers))))

    found = [await transport.send(replace(GET, packed=True)) for _ in range(3)]

    assert [(each.body, each.packing) for each in found] == [(b"plain", ""), (b"same", ""), (b"", "")]


@pytest.mark.parametrize(("packing", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
async def test_a_refusal_is_always_unpacked(
    packing: str, pack: Callable[[bytes], bytes], serve: Serve, connect: Open
) -> None:
    refusal = ok(pack(b"never"), f"Content-Encoding: {packing}", status="403 Forbidden")
    port = await serve(lambda *_: refusal)

    refused = await connect(plain(port)).send(replace(GET, packed=True))

    assert (refused.status, refused.body, refused.packing) == (403, b"never", "")


async def test_a_large_body_is_sent_without_a_warning(serve: Serve, connect: Open) -> None:
    port = await serve(lambda _, __, body: ok(str(len(body)).encode()))
    large = Request(method="POST", path="/", body=b"x" * 3_000_000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (await connect(plain(port)).send(large)).body == b"3000000"


async def test_redirects_and_cookies_are_left_alone(serve: Serve, connect: Open) -> None:
    seen: list[dict[str, str]] = []

    def answer(_: str, headers: dict[str, str], __: bytes) -> bytes:
        seen.append(headers)
        return ok(b"", "Location: /elsewhere", "Set-Cookie: a=b", status="302 Found")

    # Under a name, because aiohttp would not keep the cookies of an address in any case.
    transport = connect(ClusterConfig(server=f"http://localhost:{await serve(answer)}"))
    assert (await transport.send(GET)).status == 302
    await transport.send(GET)
    assert len(seen) == 2
    assert "cookie" not in seen[1]


async def test_connections_are_kept_and_bounded(listen: Serve, connect: Open) -> None:
    connections = open_now = most = 0

    async def handle(reader: StreamReader, writer: StreamWriter) -> None:
        nonlocal connections, open_now, most
        connections += 1
        while await reader.readuntil(b"\r\n\r\n"):
            open_now += 1
            most = max(most, open_now)
            await asyncio.sleep(0)
            open_now -= 1
            writer.write(ok())

    transport = connect(replace(plain(await listen(handle)), connections=3))
    await asyncio.gather(*(transport.send(GET) for _ in range(20)))
    assert connections <= 3
    assert most <= 3


async def test_a_refused_token_is_read_again_and_the_request_repeated_once(
    serve: Serve, connect: Open, tmp_path: Path
) -> None:
    seen: list[str] = []

    def answer(_: str, headers: dict[str, str], __: bytes) -> bytes:
        seen.append(headers["authorization"])
        return ok() if seen[-1] == "Bearer new" else ok(status="401 Unauthorized")

    file = tmp_path / "token"
    file.write_text("old")
    transport = connect(plain(await serve(answer), TokenFile(path=file, where="user")))
    assert (await transport.send(GET)).status == 401, "there is nothing newer, so it is not repeated"
    file.write_text("new")
    assert (await transport.send(GET)).status == 200
    file.write_text("newer")
    async with transport.stream(GET) as stream:
        assert stream.status == 200
    assert seen == ["Bearer old", "Bearer old", "Bearer new", "Bearer new"]


async def test_a_refused_stream_is_repeated_with_a_newer_token(
    serve: Serve, connect: Open, tmp_path: Path
) -> None:
    def answer(_: str, headers: dict[str, str], __: bytes) -> bytes:
        return ok(b"a\nb\n") if headers["authorization"] == "Bearer new" else ok(status="401 Unauthorized")

    file = tmp_path / "token"
    file.write_text("old")
    transport = connect(plain(await serve(answer), TokenFile(path=file, where="user")))
    async with transport.stream(GET) as stream:
        assert stream.status == 401
    file.write_text("new")
    async with transport.stream(GET) as stream:
        assert [line async for line in stream.lines()] == [b"a", b"b"]


async def test_a_second_refusal_is_returned(serve: Serve, connect: Open, tmp_path: Path) -> None:
    count = 0

    def answer(*_: object) -> bytes:
        nonlocal count
        count += 1
        (tmp_path / "token").write_text(f"t{count}")
        return ok(status="401 Unauthorized")

    (tmp_path / "token").write_text("t0")
    transport = connect(plain(await serve(answer), TokenFile(path=tmp_path / "token", where="user")))
    assert (await transport.send(GET)).status == 401
    assert count == 2


async def test_twenty_refused_requests_run_an_exec_plugin_once_more(
    serve: Serve, connect: Open, tmp_path: Path
) -> None:
    script, calls = tmp_path / "login", tmp_path / "calls"
    credential = '{"apiVersion": "%s", "kind": "ExecCredential", "status": {"token": "t%s"}}'
    printed = (credential % (API_VERSIONS[0], "'$n'")).replace('"', '\\"')
    script.write_text(
        f'#!/bin/sh\necho run >> {calls}\nn=$(wc -l < {calls})\necho "{printed}"\n'.replace("'", "")
    )
    script.chmod(0o755)
    plugin = ExecPlugin(command=str(script), api_version=API_VERSIONS[0], mode=InteractiveMode.NEVER)

    def answer(_: str, headers: dict[str, str], __: bytes) -> bytes:
        return ok() if headers["authorization"] == "Bearer t2" else ok(status="401 Unauthorized")

    transport = connect(plain(await serve(answer), plugin))
    responses = await asyncio.gather(*(transport.send(GET) for _ in range(20)))
    assert {response.status for response in responses} == {200}
    assert calls.read_text().split() == ["run", "run"]


@pytest.fixture
def secure(serve: Serve, listen: Serve, tls: Tls, ca: bytes) -> Secure:
    """Start an HTTPS server, which answers 200 unless it is told otherwise; how to reach it."""

    async def secure(
        *, status: str = "200 OK", handle: object = None, name: str = "127.0.0.1", clients: bool = False
    ) -> ClusterConfig:
        context = tls(name, clients=clients)
        port = await (listen(handle, context) if handle else serve(lambda *_: ok(status=status), context))
        return ClusterConfig(server=f"https://127.0.0.1:{port}", ca=ca)

    return secure


async def test_a_server_is_trusted_by_its_authority(connect: Open, secure: Secure) -> None:
    config = await secure()
    assert (await connect(config).send(GET)).status == 200
    assert (await connect(replace(config, ca=None, verify=False)).send(GET)).status == 200


async def test_the_scheme_of_an_address_may_be_in_capitals(connect: Open, secure: Secure) -> None:
    config = await secure()
    shouted = replace(config, server=config.server.replace("https", "HTTPS"))
    assert (await connect(shouted).send(GET)).status == 200
    assert (await connect(replace(shouted, ca=None, verify=False)).send(GET)).status == 200


async def test_another_name_can_be_expected_of_the_server(connect: Open, secure: Secure) -> None:
    config = await secure(name="kubernetes.default")
    assert (await connect(replace(config, tls_server_name="kubernetes.default")).send(GET)).status == 200
    with pytest.raises(ConnectionFailedError, match=r"for other names, not for other\.default"):
        await connect(replace(config, tls_server_name="other.default")).send(GET)


async def test_a_client_certificate_is_presented_and_leaves_no_file(
    connect: Open, secure: Secure, issue: Issue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    certificate = ClientCertificate.parse(*issue("alice"), "user")
    config = replace(await secure(clients=True), credentials=FixedCredentials.certificate(certificate))
    assert (await connect(config).send(GET)).status == 200
    assert list(folder.iterdir()) == []


async def test_an_expired_client_certificate_is_found_before_and_after_connecting(
    connect: Open, secure: Secure, issue: Issue
) -> None:
    clock = ManualClock(datetime.now(UTC))
    certificate = ClientCertificate.parse(*issue("alice", lifetime=timedelta(hours=1)), "user")
    credentials = FixedCredentials.certificate(certificate)
    config = replace(await secure(status="401 Unauthorized"), credentials=credentials)
    connected = connect(config, clock)
    assert (await connected.send(GET)).status == 401
    await clock.advance(timedelta(hours=2))
    welcoming = replace(config, server=(await secure()).server)
    for transport in (connected, connect(welcoming, clock)):
        with pytest.raises(ConfigError, match="user: the client certificate expired on"):
            await transport.send(GET)
        with pytest.raises(ConfigError, match="user: the client certificate expired on"):
            async with transport.stream(GET):
                pass


class Subjects:
    """Handles connections: notes whose certificate each presents, and holds back the end of a watch."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.released = asyncio.Event()

    async def __call__(self, reader: StreamReader, writer: StreamWriter) -> None:
        self.seen.append(writer.get_extra_info("peercert")["subject"][0][0][1])
        with suppress(asyncio.IncompleteReadError):
            while request := await reader.readuntil(b"\r\n\r\n"):
                if b"watch" not in request:
                    writer.write(ok())
                    continue
                writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\na\n\r\n")
                await self.released.wait()
                writer.write(b"2\r\nb\n\r\n0\r\n\r\n")


async def test_a_rotated_client_certificate_is_used_for_new_connections(
    connect: Open, secure: Secure, issue: Issue, tmp_path: Path
) -> None:
    files = CertificateFiles(chain=tmp_path / "chain", key=tmp_path / "key", where="user")

    def rotate(name: str) -> None:
        for path, data in zip((files.chain, files.key), issue(name), strict=True):
            path.write_bytes(data)

    rotate("alice")
    subjects, clock = Subjects(), ManualClock(datetime.now(UTC))
    config = await secure(handle=subjects, clients=True)
    transport = connect(replace(config, credentials=files), clock)
    watch = replace(GET, query=(("watch", "1"),))
    async with transport.stream(watch) as stream:
        lines = stream.lines()
        async with transport.stream(watch):
            assert await anext(lines) == b"a"
            rotate("alice-2")
            await clock.advance(timedelta(minutes=1))
            await transport.send(GET)
        await transport.send(GET)
        subjects.released.set()
        assert await anext(lines) == b"b", "a stream under way ends on its old connection"
    assert subjects.seen == ["alice", "alice", "alice-2"]


async def test_a_rotated_authority_is_trusted(
    connect: Open, secure: Secure, ca: bytes, other_ca: bytes, tmp_path: Path
) -> None:
    authority, clock = tmp_path / "ca.crt", ManualClock()
    authority.write_bytes(other_ca)
    transport = connect(replace(await secure(), ca=authority), clock)
    with pytest.raises(ConnectionFailedError):
        await transport.send(GET)
    authority.write_bytes(ca)
    await clock.advance(timedelta(minutes=1))
    assert (await transport.send(GET)).status == 200


@pytest.mark.parametrize("half_done", [b"", b"-----BEGIN CERTIFICATE-----\nMII"])
async def test_an_authority_that_is_just_being_rotated_changes_nothing(
    connect: Open, secure: Secure, ca: bytes, tmp_path: Path, half_done: bytes
) -> None:
    authority, clock = tmp_path / "ca.crt", ManualClock()
    authority.write_bytes(ca)
    transport = connect(replace(await secure(), ca=authority), clock)
    assert (await transport.send(GET)).status == 200
    authority.write_bytes(half_done)
    await clock.advance(timedelta(minutes=1))
    assert (await transport.send(GET)).status == 200


@pytest.mark.parametrize("pem", [b"", b"\n", b"rubbish", b"-----BEGIN CERTIFICATE-----\nMII"])
async def test_an_authority_that_is_none_is_refused_at_once(pem: bytes, tmp_path: Path) -> None:
    config = ClusterConfig(server="https://127.0.0.1:1", ca=pem, origin='context "dev" of config')
    with pytest.raises(ConfigError, match=r'^context "dev" of config: .*no CA certificate in PEM form'):
        HttpTransport(config)
    file = tmp_path / "ca.crt"
    file.write_bytes(pem)
    with pytest.raises(ConfigError, match=rf'^context "dev" of config: {file}: no CA certificate'):
        HttpTransport(replace(config, ca=file))


async def test_closing_twice_is_no_fault_and_a_closed_transport_says_so(serve: Serve) -> None:
    transport = HttpTransport(plain(await serve(lambda *_: ok())))
    await transport.send(GET)
    await transport.close()
    await transport.close()
    with pytest.raises(ConnectionFailedError, match="was closed") as refusal:
        await transport.send(GET)
    assert not refusal.value.sent
    assert refusal.value.lasting


async def test_importing_the_transport_brings_no_http_library_along() -> None:
    program = "import sys, windlass.client.http, windlass.client.loader; print('aiohttp' in sys.modules)"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE
    )
    printed, _ = await process.communicate()
    assert printed == b"False\n"
