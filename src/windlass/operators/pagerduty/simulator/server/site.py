"""An account over HTTP: PagerDuty's REST API for programs, a page for people."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from aiohttp import web

from windlass.errors import ConnectionFailedError
from windlass.operators.pagerduty.api import Call
from windlass.operators.pagerduty.simulator.refusal import Refusal
from windlass.operators.pagerduty.simulator.server.page import front, page_routes
from windlass.operators.pagerduty.simulator.wire import AccountWire

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from ssl import SSLContext

    from windlass.api import Json
    from windlass.operators.pagerduty.api import Wire
    from windlass.operators.pagerduty.simulator.account import Account


@asynccontextmanager
async def serving(
    account: Account, *, host: str = "127.0.0.1", port: int = 0, tls: SSLContext | None = None
) -> AsyncIterator[str]:
    """Serve an account until the end of the block, which gets the address; port 0 is a free one.

    The account's objects then say that they are found at this address. With `tls` it is served over HTTPS,
    without which PagerDuty's own client asks nobody.

    Raises:
        OSError: the port cannot be had.
    """
    application = web.Application()
    application.add_routes([*page_routes(account), web.route("*", "/{path:.*}", _api(AccountWire(account)))])
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port, ssl_context=tls)
        await site.start()
        bound: int = runner.addresses[0][1]
        url = f"{'http' if tls is None else 'https'}://{host}:{bound}"
        account.books.api_url = account.books.web_url = url
        yield url
    finally:
        await runner.cleanup()


def _api(wire: Wire) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    async def handle(request: web.Request) -> web.StreamResponse:
        if request.method == "GET" and "text/html" in request.headers.get("Accept", ""):
            return front()
        try:
            reply = await wire.send(await _call(request))
        except Refusal as refusal:
            return web.json_response(refusal.body, status=refusal.status)
        except ConnectionFailedError:
            return _cut(request)
        return web.Response(status=reply.status, headers=reply.headers, body=reply.body)

    return handle


async def _call(request: web.Request) -> Call:
    return Call(
        method=request.method,
        path=request.path,
        query=tuple(request.query.items()),
        body=await _body(request),
        headers=dict(request.headers),
    )


async def _body(request: web.Request) -> Json | None:
    text = await request.read()
    if not text:
        return None
    if request.content_type != "application/json":
        raise Refusal.invalid("the Content-Type header must be application/json")
    try:
        body: Any = json.loads(text)
    except ValueError as error:
        raise Refusal.invalid(f"the body is no JSON: {error}") from error
    if not isinstance(body, dict):
        raise Refusal.invalid("the body must be an object")
    return body


def _cut(request: web.Request) -> web.StreamResponse:
    """End the connection without a word; what is returned goes nowhere."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()
