"""Certificates made on the spot, and servers on loopback that say what a test wants them to say."""

from __future__ import annotations

import asyncio
import ssl
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
    from pathlib import Path

    Key = ec.EllipticCurvePrivateKey
    Handler = Callable[[StreamReader, StreamWriter], Awaitable[None]]
    Answer = Callable[[str, dict[str, str], bytes], bytes]


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _pem(key: Key) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


class Authority:
    def __init__(self, name: str) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name(name)
        extension = x509.BasicConstraints(ca=True, path_length=None)
        self.pem = self._signed(self._name, self._key, timedelta(days=30), extension)

    def issue(self, names: Sequence[str], lifetime: timedelta) -> tuple[bytes, bytes]:
        """A certificate for names and addresses, and its key; a negative lifetime makes an expired one."""
        key = ec.generate_private_key(ec.SECP256R1())
        alternatives: list[x509.GeneralName] = [
            x509.IPAddress(ip_address(name)) if name[0].isdigit() else x509.DNSName(name) for name in names
        ]
        extension = x509.SubjectAlternativeName(alternatives)
        return self._signed(_name(names[0]), key, lifetime, extension), _pem(key)

    def _signed(self, name: x509.Name, key: Key, lifetime: timedelta, extension: x509.ExtensionType) -> bytes:
        now = datetime.now(UTC)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=10))
            .not_valid_after(now + lifetime)
            .add_extension(extension, critical=isinstance(extension, x509.BasicConstraints))
            .sign(self._key, hashes.SHA256())
        )
        return certificate.public_bytes(Encoding.PEM)


@pytest.fixture(scope="session")
def authority() -> Authority:
    return Authority("test authority")


@pytest.fixture(scope="session")
def ca(authority: Authority) -> bytes:
    """The CA that signs what `issue` makes."""
    return authority.pem


@pytest.fixture(scope="session")
def other_ca() -> bytes:
    """A CA that signs nothing."""
    return Authority("other authority").pem


@pytest.fixture
def issue(authority: Authority) -> Callable[..., tuple[bytes, bytes]]:
    """Make a certificate and its key: `issue("127.0.0.1", lifetime=timedelta(days=1))`."""

    def issue(*names: str, lifetime: timedelta = timedelta(days=1)) -> tuple[bytes, bytes]:
        return authority.issue(names, lifetime)

    return issue


@pytest.fixture
def tls(
    issue: Callable[..., tuple[bytes, bytes]], authority: Authority, tmp_path: Path
) -> Callable[..., ssl.SSLContext]:
    """The server side of TLS, for names and addresses; it can demand client certificates."""

    def tls(*names: str, lifetime: timedelta = timedelta(days=1), clients: bool = False) -> ssl.SSLContext:
        chain, key = issue(*names, lifetime=lifetime)
        file = tmp_path / f"{names[0]}.pem"
        file.write_bytes(chain + key)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        if clients:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(cadata=authority.pem.decode())
        return context

    return tls


@pytest.fixture
async def listen() -> AsyncIterator[Callable[..., Awaitable[int]]]:
    """Listen on a loopback port, and handle each connection with a function; all ends with the test."""
    tasks: set[asyncio.Task[None]] = set()
    servers: list[asyncio.Server] = []

    async def listen(handle: Handler, context: ssl.SSLContext | None = None) -> int:
        async def connected(reader: StreamReader, writer: StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            tasks.add(task)
            try:
                await handle(reader, writer)
            finally:
                tasks.discard(task)
                writer.close()
                with suppress(OSError, asyncio.CancelledError):
                    await writer.wait_closed()

        server = await asyncio.start_server(connected, "127.0.0.1", 0, ssl=context)
        servers.append(server)
        return int(server.sockets[0].getsockname()[1])

    yield listen
    for server in servers:
        server.close()
    pending = [*tasks]
    for task in pending:
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)


@pytest.fixture
def serve(listen: Callable[..., Awaitable[int]]) -> Callable[..., Awaitable[int]]:
    """Serve HTTP: a function of request line, headers (lower case) and body gives the raw answers."""

    async def serve(answer: Answer, context: ssl.SSLContext | None = None) -> int:
        async def handle(reader: StreamReader, writer: StreamWriter) -> None:
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                while True:
                    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
                    headers = {
                        name.lower(): value
                        for name, _, value in (line.partition(": ") for line in head[1:-2])
                    }
                    body = await reader.readexactly(int(headers.get("content-length", 0)))
                    writer.write(answer(head[0], headers, body))
                    await writer.drain()

        return await listen(handle, context)

    return serve
