"""How the API server gets to a webhook server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Final, Protocol

from typing_extensions import override

from windlass.manager import Page
from windlass.webhook.place import Place

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from aiohttp import web

    from windlass.client import Client
    from windlass.manager import Address
    from windlass.webhook.certificate import Certificates
    from windlass.webhook.options import WebhookOptions

Answering = Callable[[str, bytes], Awaitable[Page]]
"""From the path and the body of a POST to the answer."""

_log = logging.getLogger("windlass.webhook")
_HERE: Final = "127.0.0.1"


class Way(Protocol):
    """A way by which requests come in."""

    def open(self, answer: Answering, client: Client) -> AbstractAsyncContextManager[Place]:
        """Have requests answered until the block is left, at the place that the block is given.

        Requests that have come in are answered before it is left. `client` is there for whatever the way
        needs of the API server.
        """


class TlsPort(Way):
    """A port of this machine, over TLS."""

    def __init__(self, options: WebhookOptions, certificates: Certificates) -> None:
        self._options = options
        self._certificates = certificates

    @override
    @asynccontextmanager
    async def open(self, answer: Answering, client: Client) -> AsyncIterator[Place]:
        async with asyncio.TaskGroup() as group:
            keeping = group.create_task(self._certificates.run(client))
            await self._certificates.ready()
            async with self._listening(answer) as place:
                yield place
            keeping.cancel()

    @asynccontextmanager
    async def _listening(self, answer: Answering) -> AsyncIterator[Place]:
        from windlass.manager import open_port  # loads aiohttp
        from windlass.webhook.certificate import ProcessCertificates
        from windlass.webhook.cipher import restrict

        options, context = self._options, self._certificates.context
        restrict(context, options.min_tls_version, options.cipher_suites)

        async def handle(request: web.BaseRequest) -> web.StreamResponse:
            return await _handled(request, answer, options.limit())

        listener = await open_port(options.address, handle, context)
        _log.info("Serving webhooks", extra={"windlass": {"bindAddress": str(listener.address)}})
        try:
            yield Place(
                name=options.operator,
                service=options.service,
                url="" if options.service else options.url or _here(listener.address),
                bundle=self._certificates.bundle,
                kept=not isinstance(self._certificates, ProcessCertificates),
                listening=listener.address,
            )
        finally:
            await listener.close(options.grace)


def _here(address: Address) -> str:
    """Where a server is found on its own machine."""
    host = address.host or _HERE
    return f"https://{f'[{host}]' if ':' in host else host}:{address.port}"


async def _handled(request: web.BaseRequest, answer: Answering, largest: int) -> web.StreamResponse:
    from aiohttp import web

    if request.method != "POST":
        page = Page(405, b"405 only POST\n")
    elif (body := await _read(request, largest)) is None:
        page = Page(413, f"413 at most {largest} bytes\n".encode())
    else:
        page = await answer(request.path, body)
    return web.Response(status=page.status, body=page.body, headers={"Content-Type": page.content_type})


async def _read(request: web.BaseRequest, largest: int) -> bytes | None:
    """The body; None when it is too large, of which no more is read than that."""
    pieces, size = [], 0
    async for piece in request.content.iter_any():
        size += len(piece)
        if size > largest:
            return None
        pieces.append(piece)
    return b"".join(pieces)
