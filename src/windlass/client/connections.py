from __future__ import annotations

import asyncio
import socket
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, cast
from urllib.parse import quote, urlencode
from weakref import WeakSet

import aiohttp
from typing_extensions import override
from yarl import URL

from windlass.client.failure import failure
from windlass.client.transport import Response, Stream
from windlass.client.unpack import pieces
from windlass.errors import ConnectionFailedError

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator, Callable, Mapping
    from datetime import timedelta

    from aiohttp import AddrInfoType, ClientHandlerType, ClientMiddlewareType, ClientRequest, ClientResponse
    from aiohttp.connector import Connection
    from multidict import CIMultiDict

    from windlass.client.config import ClusterConfig
    from windlass.client.transport import Packing, Request

_FAILURES = (aiohttp.ClientError, OSError)

# Shorter than any server or load balancer waits, so that we end an idle connection before they do.
_IDLE_SECONDS = 30

# A path arrives ready for the wire; only what would break the request line is quoted.
_PATH_SAFE = "/%:@!$&'()*+,;=~"

# aiohttp warns about bytes above this size, and writes a file-like object in pieces instead.
_LARGE_BODY = 2**20

# Of a request's time, connecting may take this share. What could not even connect is then known not to have
# been sent, because it fails before the whole time is over.
_CONNECT_SHARE = 0.9

# aiohttp sends these again when a kept connection turns out to be dead, as HTTP allows. But the first one may
# have arrived, and a second delete then answers "not found". Whether to try again is for the caller to say.
_REPEATED_WRITES = frozenset({"PUT", "DELETE"})

# The loop sees the end of a shut socket in its next turn, and closes it within a few more.
_TURNS_TO_CLOSE = 20

# A watch may be silent for minutes, and a server without power is silent for ever; these find out within a
# minute that the other side is gone. Each system knows its own: macOS calls the first one TCP_KEEPALIVE, and
# the last one, which counts for what was sent and not acknowledged too, is Linux's alone.
_KEEPALIVE = (
    ("TCP_KEEPIDLE", 30),
    ("TCP_KEEPALIVE", 30),
    ("TCP_KEEPINTVL", 10),
    ("TCP_KEEPCNT", 3),
    ("TCP_USER_TIMEOUT", 60_000),
)


class Connections:
    """Connections to one server that trust one authority and present one certificate.

    Each method turns every failure into a `ConnectionFailedError`. Must be made inside the event loop.
    """

    def __init__(self, config: ClusterConfig, context: ssl.SSLContext | None) -> None:
        self._config = config
        self._base = config.server.rstrip("/")
        self._proxy = URL(config.proxy.url) if config.proxy else None
        self._busy = 0
        self._retired = False
        self._closed = False
        self._answers: set[ClientResponse] = set()
        self._sockets: WeakSet[socket.socket] = WeakSet()
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=0,
                ssl=True if context is None else context,
                keepalive_timeout=_IDLE_SECONDS,
                socket_factory=self._opened,
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            request_class=_PlainRequest,
        )

    async def send(self, request: Request, headers: CIMultiDict[str]) -> Response:
        """Send a request and read the whole answer."""
        # A context manager shared with `stream` would read better, and cost a tenth of a request.
        self._busy += 1
        try:
            answer = await self._request(request, headers, streamed=False)
            self._answers.add(answer)
            try:
                body = await answer.read()
            except _FAILURES as error:
                raise self.explain(error, request) from error
            finally:
                self._answers.discard(answer)
        finally:
            await self._done()
        response = Response(
            status=answer.status,
            headers=_lower(answer),
            body=body,
            warnings=_warnings(answer),
            packing=_packing(answer) if request.packed and body else "",
        )
        if response.packing and not answer.ok:
            return replace(response, body=b"".join(pieces(request, response)), packing="")
        return response

    @asynccontextmanager
    async def stream(self, request: Request, headers: CIMultiDict[str]) -> AsyncIterator[HttpStream]:
        """Send a request whose answer is read bit by bit.

        At the end of the block the connection is kept if the answer was read to its end, and closed if not.
        """
        self._busy += 1
        try:
            answer = await self._request(request, headers, streamed=True)
            self._answers.add(answer)
            try:
                yield HttpStream(self, request, answer)
            finally:
                self._answers.discard(answer)
                _let_go(answer)
        finally:
            await self._done()

    @property
    def closed(self) -> bool:
        """Whether nothing is left of them."""
        return self._closed

    async def retire(self) -> None:
        """Take no further requests, and close when those under way are done."""
        self._retired = True
        if not self._busy:
            await self.close()

    async def close(self) -> None:
        """Close at once; requests under way fail."""
        self._closed = True
        # Closing the session alone would leave whoever waits for the rest of an answer waiting forever.
        for answer in tuple(self._answers):
            answer.close()
        await self._session.close()
        await self._abandon()

    def explain(self, error: Exception, request: Request) -> ConnectionFailedError:
        """The error to raise for one of the HTTP library; it names the request, which may have happened."""
        if self._closed:
            return self._was_closed(request)
        found = failure(error, self._config, request.timeout)
        return ConnectionFailedError(f"{request}: {found}", sent=found.sent, lasting=found.lasting)

    def _was_closed(self, request: Request) -> ConnectionFailedError:
        return ConnectionFailedError(
            f"{request}: {self._base}: this client was closed", sent=True, lasting=True
        )

    def _opened(self, address: AddrInfoType) -> socket.socket:
        made = _watched_socket(address)
        self._sockets.add(made)
        return made

    async def _abandon(self) -> None:
        """End the connections that the HTTP library does not know of, or still says goodbye on.

        The event loop goes on with a handshake whose request was cancelled before it began, and nobody has
        the connection then. Once the socket is shut, the loop sees its end and closes it.
        """
        for each in self._sockets:
            with suppress(OSError):  # it is not connected, or not any more
                each.shutdown(socket.SHUT_RDWR)
        for _ in range(_TURNS_TO_CLOSE):
            if all(each.fileno() < 0 for each in self._sockets):
                return
            await asyncio.sleep(0)

    async def _done(self) -> None:
        self._busy -= 1
        if self._retired and not self._busy:
            await self.close()

    async def _request(
        self, request: Request, headers: CIMultiDict[str], *, streamed: bool
    ) -> ClientResponse:
        body = request.body
        try:
            answer = await self._session.request(
                request.method,
                self._url(request),
                headers=headers,
                data=(BytesIO(body) if len(body) > _LARGE_BODY else body) or None,
                timeout=_timeout(request.timeout, self._config.connect_timeout, streamed=streamed),
                allow_redirects=False,
                proxy=self._proxy,
                server_hostname=self._config.tls_server_name or None,
                middlewares=self._middlewares(request),
                auto_decompress=not request.packed,
            )
        except _FAILURES as error:
            raise self.explain(error, request) from error
        if self._closed:  # while this one was on its way
            answer.close()
            raise self._was_closed(request)
        return answer

    def _middlewares(self, request: Request) -> tuple[ClientMiddlewareType, ...] | None:
        once = (self._once(request),) if request.method in _REPEATED_WRITES else ()
        guarded = (_guarded(request.guard),) if request.guard else ()
        return once + guarded or None

    def _once(self, request: Request) -> ClientMiddlewareType:
        async def once(prepared: ClientRequest, handler: ClientHandlerType) -> ClientResponse:
            try:
                return await handler(prepared)
            except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
                raise self.explain(error, request) from error

        return once

    def _url(self, request: Request) -> URL:
        return URL(
            f"{self._base}{quote(request.path, safe=_PATH_SAFE)}{_encoded(request.query)}", encoded=True
        )


class HttpStream(Stream):
    """An answer that is still arriving over HTTP."""

    def __init__(self, connections: Connections, request: Request, answer: ClientResponse) -> None:
        self._connections = connections
        self._request = request
        self._answer = answer
        self._headers = _lower(answer)

    @property
    @override
    def status(self) -> int:
        return self._answer.status

    @property
    @override
    def headers(self) -> Mapping[str, str]:
        return self._headers

    @property
    @override
    def warnings(self) -> tuple[str, ...]:
        return _warnings(self._answer)

    @override
    async def lines(self) -> AsyncIterator[bytes]:
        read = self._answer.content.readany
        unfinished: list[bytes] = []
        try:
            while chunk := await read():
                *complete, rest = chunk.split(b"\n")
                if complete:
                    if unfinished:
                        complete[0] = b"".join((*unfinished, complete[0]))
                        unfinished.clear()
                    for line in complete:
                        yield line
                if rest:
                    unfinished.append(rest)
        except _FAILURES as error:
            raise self._connections.explain(error, self._request) from error
        if unfinished:
            yield b"".join(unfinished)


class _PlainRequest(aiohttp.ClientRequest):
    """A request with our headers alone. To add none is also cheaper than to have them skipped by name."""

    DEFAULT_HEADERS = {}
    guard: Callable[[], None] | None = None

    @override
    async def send(self, conn: Connection) -> ClientResponse:
        if self.guard is not None:
            self.guard()
        return await super().send(conn)


def _guarded(guard: Callable[[], None]) -> ClientMiddlewareType:
    async def guarded(prepared: ClientRequest, handler: ClientHandlerType) -> ClientResponse:
        cast("_PlainRequest", prepared).guard = guard  # the session makes no others
        return await handler(prepared)

    return guarded


@lru_cache(maxsize=64)
def _encoded(query: tuple[tuple[str, str], ...]) -> str:
    """The query with its question mark; writes of one manager all have the same."""
    return f"?{urlencode(query)}" if query else ""


@lru_cache(maxsize=64)
def _timeout(limit: timedelta | None, connect: timedelta, *, streamed: bool) -> aiohttp.ClientTimeout:
    """The limits of a request: on the whole of it, or for a stream on each silence."""
    seconds = limit.total_seconds() if limit is not None else None
    most = connect.total_seconds()
    return aiohttp.ClientTimeout(
        total=None if streamed else seconds,
        sock_read=seconds if streamed else None,
        sock_connect=most if seconds is None else min(most, seconds * _CONNECT_SHARE),
    )


def _let_go(answer: ClientResponse) -> None:
    """Keep the connection of an answer that was read to its end, and break that of one that was not.

    aiohttp would say goodbye politely, in the background, and a loop that ends soon after would warn of a
    socket that nobody closed.
    """
    if not answer.content.at_eof() and answer.connection and answer.connection.transport:
        answer.connection.transport.abort()
    answer.release()


def _lower(answer: ClientResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in answer.headers.items()}


def _packing(answer: ClientResponse) -> Packing:
    """How a body that was left as it came is compressed."""
    match answer.headers.get("Content-Encoding", "").lower():
        case "gzip" | "deflate" as packing:
            return packing
    return ""


def _warnings(answer: ClientResponse) -> tuple[str, ...]:
    return tuple(answer.headers.getall("Warning", ()))


def _watched_socket(address: AddrInfoType) -> socket.socket:
    """A socket that notices when the other side is gone without a word."""
    family, kind, protocol, _, _ = address
    made = socket.socket(family, kind, protocol)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE:
        if hasattr(socket, name):
            made.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    return made
