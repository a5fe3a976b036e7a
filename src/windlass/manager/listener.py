"""Pages on a port."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs

from aiohttp import web

from windlass.errors import ConfigError
from windlass.manager.address import Address, is_loopback
from windlass.manager.page import Ask, Page

if TYPE_CHECKING:
    import ssl
    from collections.abc import Awaitable, Callable, Mapping

    from windlass.manager.page import Handler

_AT_ONCE: Final = 0.001  # aiohttp takes nought for no limit at all
_LAST_WORDS: Final = 1.0
_WORTH_PACKING: Final = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Listener:
    """A port that is listened on."""

    address: Address
    server: asyncio.Server
    web_server: web.Server

    async def close(self, grace: timedelta = timedelta()) -> None:
        """Stop listening, let requests be answered for some time, and end every connection."""
        self.server.close()
        transports = [each.transport for each in self.web_server.connections]
        self.web_server.pre_shutdown()  # those that are idle need no time
        await self.web_server.shutdown(grace.total_seconds() or _AT_ONCE)
        for transport in filter(None, transports):
            transport.abort()  # over TLS, closing would wait for clients to say goodbye
        if hasattr(self.server, "abort_clients"):  # neither before Python 3.13 nor on uvloop
            self.server.abort_clients()
        # Else it waits for handshakes that clients do not go on with, and there is no way to end them.
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WORDS):
                await self.server.wait_closed()


async def listen(address: Address, pages: Mapping[str, Handler], tls: ssl.SSLContext | None) -> Listener:
    """Serve pages; one whose path ends in a slash has everything below it, too.

    Raises:
        ConfigError: the address cannot be listened on.
    """

    async def handle(request: web.BaseRequest) -> web.StreamResponse:
        return _response(request, await _answer(request, pages))

    return await open_port(address, handle, tls)


async def open_port(
    address: Address,
    handle: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]],
    tls: ssl.SSLContext | None,
) -> Listener:
    """Have whatever comes to an address answered.

    Raises:
        ConfigError: the address cannot be listened on.
    """
    web_server = web.Server(handle, access_log=None)
    try:
        where: dict[str, Any] = {"host": address.host or None, "port": address.port}
        if not address.host and not address.port:
            where = {"sock": _free_port()}
        server = await asyncio.get_running_loop().create_server(web_server, ssl=tls, **where)
    except OSError as error:
        raise ConfigError(
            f"cannot listen on {address}: {error.strerror or error}; choose another address, or 0 for none"
        ) from error
    actual = Address(address.host, server.sockets[0].getsockname()[1])
    return Listener(address=actual, server=server, web_server=web_server)


def _free_port() -> socket.socket:
    """A socket of a free port on all interfaces: asyncio would take another one for IPv6 than for IPv4."""
    if socket.has_dualstack_ipv6():
        return socket.create_server(("", 0), family=socket.AF_INET6, dualstack_ipv6=True)
    return socket.create_server(("", 0))


async def _answer(request: web.BaseRequest, pages: Mapping[str, Handler]) -> Page:
    if request.method not in ("GET", "HEAD"):
        return Page(405, b"405 only GET and HEAD\n")
    path = request.path
    handler = pages.get(path) or pages.get(path[: path.find("/", 1) + 1])
    if handler is None:
        return Page.not_found()
    ask = Ask(
        path=path,
        query=parse_qs(request.query_string, keep_blank_values=True),
        headers={name.lower(): value for name, value in request.headers.items()},
        is_local=_is_local(request.transport),
    )
    return await handler(ask)


def _is_local(transport: asyncio.Transport | None) -> bool:
    """Whether both ends of a connection are loopback: the other one alone is also that of a mesh's proxy."""
    if transport is None:
        return False
    ends = [transport.get_extra_info(name) for name in ("peername", "sockname")]
    return all(isinstance(end, tuple) and is_loopback(str(end[0])) for end in ends)


def _response(request: web.BaseRequest, page: Page) -> web.Response:
    headers = {"Content-Type": page.content_type, "X-Content-Type-Options": "nosniff"}
    response = web.Response(status=page.status, body=page.body, headers=headers)
    if len(page.body) > _WORTH_PACKING and "gzip" in request.headers.get("Accept-Encoding", ""):
        response.enable_compression(web.ContentCoding.gzip)
    return response
