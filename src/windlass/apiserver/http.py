"""The server on a port, over TLS."""

from __future__ import annotations

import asyncio
import ssl
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any, Final, Protocol
from urllib.parse import parse_qsl

from aiohttp import web
from typing_extensions import override

from windlass.apiserver.access.certificate import certified_user
from windlass.apiserver.exchange import BROKEN_ESCAPE, Call, Cut, Query
from windlass.apiserver.pace import Pace
from windlass.apiserver.server import LARGEST_BODY
from windlass.apiserver.streaming.hijack import hijack

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from multidict import CIMultiDict

    from windlass.apiserver.exchange import Reply, User
    from windlass.pki import KeyPair

_REPEATED: Final = ("impersonate-", "x-stream-protocol-version", "sec-websocket-protocol")
_READING: Final[Mapping[str, Any]] = {
    "access_log": None,
    "auto_decompress": False,  # nobody on the real server looks at Content-Encoding
    "max_line_size": 2**20,  # selectors and tokens may be long
    "max_field_size": 2**20,
    "max_headers": 2**14,  # one for each group of whoever is impersonated
}
_AT_ONCE: Final = 0.001  # aiohttp takes nought for no limit at all


@dataclass(frozen=True, slots=True, kw_only=True)
class Listening:
    """A server that listens; `close` ends it and every answer that is still being given."""

    host: str
    port: int
    server: asyncio.Server
    web_server: web.Server

    @property
    def url(self) -> str:
        """Where it is."""
        return f"https://{self.host}:{self.port}"

    async def close(self) -> None:
        """Stop listening, and end every connection."""
        self.server.close()
        transports = [each.transport for each in self.web_server.connections]
        await self.web_server.shutdown(_AT_ONCE)
        for transport in filter(None, transports):
            transport.abort()  # over TLS, closing would wait for clients to say goodbye
        await self.server.wait_closed()


class Answering(Protocol):
    """Whoever answers requests, such as an API server."""

    async def handle(self, call: Call) -> Reply:
        """The answer to a request.

        Raises:
            Cut: there is none; the connection is to break.
        """


async def listen(server: Answering, certificate: KeyPair, authority: str = "", port: int = 0) -> Listening:
    """Serve on a loopback port, a free one if none is given.

    `authority` are the certificates, as PEM text, by which those of clients are known; without any, clients
    are not asked for theirs.
    """
    handler = _Handler(server)
    web_server = web.Server(handler.handle, request_factory=_request, handler_cancellation=True)
    context = _tls(certificate, authority)
    loop = asyncio.get_running_loop()
    protocol = partial(_Protocol, web_server, loop=loop, **_READING)
    listening = await loop.create_server(protocol, "127.0.0.1", port, ssl=context, backlog=1024)
    host, actual = listening.sockets[0].getsockname()[:2]
    return Listening(host=host, port=actual, server=listening, web_server=web_server)


class _Protocol(web.RequestHandler):
    """Says no more than Go does of what is no request, and does not log it as an error of ours."""

    __slots__ = ()

    @override
    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        if status != HTTPStatus.BAD_REQUEST:
            return super().handle_error(request, status, exc, message)
        response = web.Response(status=status, text="400 Bad Request")
        response.force_close()
        return response


class _Handler:
    def __init__(self, server: Answering) -> None:
        self._server = server
        self._pace = Pace()

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        try:
            body = await request.read()
        except web.HTTPRequestEntityTooLarge:
            body = bytes(LARGEST_BODY + 1)  # which is refused as any other, whatever it was
        try:
            reply = await self._server.handle(_call(request, body))
            if reply.upgrade is not None:
                return await hijack(request, reply.upgrade)
            if reply.chunks is None:
                return _whole(reply)
            with self._pace.stream():
                return await self._streamed(request, reply, reply.chunks)
        except (Cut, ConnectionResetError):  # the latter: the client has gone
            return _aborted(request)

    async def _streamed(
        self, request: web.BaseRequest, reply: Reply, chunks: AsyncGenerator[bytes, None]
    ) -> web.StreamResponse:
        response = web.StreamResponse(status=reply.status, headers=_headers(reply))
        response.enable_chunked_encoding()
        await response.prepare(request)
        async with aclosing(chunks):
            async for chunk in chunks:
                if chunk:
                    await response.write(chunk)
                    await self._pace.rest(len(chunk))
        await response.write_eof()
        return response


def _request(message: Any, payload: Any, protocol: Any, writer: Any, task: Any) -> web.BaseRequest:
    """A request as aiohttp makes it, whose body may be larger."""
    loop = asyncio.get_running_loop()
    return web.BaseRequest(message, payload, protocol, writer, task, loop, client_max_size=LARGEST_BODY + 1)


def _call(request: web.BaseRequest, body: bytes) -> Call:
    url = request.rel_url
    return Call(
        method=request.method,
        path=url.raw_path,
        query=_query(request.raw_path.partition("?")[2]),
        headers=_received(request),
        body=body,
        certified=_certified(request),
        source=request.remote or "",
        connection=request.protocol,
    )


def _query(text: str) -> Query:
    """The parameters of a request; what Go cannot read is left out, as if it had not been sent."""
    if not text:
        return Query()
    if ";" in text or BROKEN_ESCAPE.search(text):
        pairs = [pair for pair in text.split("&") if ";" not in pair and not BROKEN_ESCAPE.search(pair)]
        text = "&".join(pairs)
    return Query(parse_qsl(text, keep_blank_values=True, errors="replace"))


def _received(request: web.BaseRequest) -> dict[str, str]:
    """The headers of a request: those that may come several times in lines, of others the first."""
    headers: dict[str, str] = {}
    for name, value in request.headers.items():
        key = name.lower()
        if key not in headers:
            headers[key] = _readable(value)
        elif key.startswith(_REPEATED):
            headers[key] += f"\n{_readable(value)}"
    return headers


def _readable(text: str) -> str:
    """A text without the bytes that are none, which could not be written into an answer."""
    return text if text.isascii() else text.encode(errors="surrogateescape").decode(errors="replace")


def _certified(request: web.BaseRequest) -> User | None:
    """The user that the connection's certificate names."""
    transport = request.transport
    certificate = transport.get_extra_info("peercert") if transport else None
    if not certificate or transport is None:
        return None
    der = transport.get_extra_info("ssl_object").getpeercert(binary_form=True)
    return certified_user(certificate, der)


def _whole(reply: Reply) -> web.Response:
    return web.Response(status=reply.status, body=reply.body, headers=_headers(reply))


def _aborted(request: web.BaseRequest) -> web.Response:
    """Break a connection; what is returned goes nowhere."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


def _headers(reply: Reply) -> CIMultiDict[str]:
    from multidict import CIMultiDict

    headers: CIMultiDict[str] = CIMultiDict(reply.headers)
    if reply.content_type:
        headers.setdefault("Content-Type", reply.content_type)
    for text in reply.warnings:
        headers.add("Warning", text)
    return headers


def _tls(certificate: KeyPair, authority: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if authority:
        context.verify_mode = ssl.CERT_OPTIONAL
        context.load_verify_locations(cadata=authority)
    with NamedTemporaryFile("w", suffix=".pem") as file:  # ssl reads keys from files only
        file.write(certificate.certificate + certificate.key)
        file.flush()
        context.load_cert_chain(file.name)
    return context
