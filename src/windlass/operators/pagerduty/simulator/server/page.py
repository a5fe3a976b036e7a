"""The page that shows an account, and what a person may do there; it needs no key."""

from __future__ import annotations

import json
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from aiohttp import web

from windlass.operators.pagerduty.simulator.refusal import Refusal
from windlass.operators.pagerduty.simulator.server.snapshot import WEATHERS, snapshot

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from windlass.api import Json
    from windlass.operators.pagerduty.simulator.account import Account

    Handler = Callable[[web.Request], Awaitable[web.Response]]

_ROOT = "/_simulator"
_TYPES = {"page.css": "text/css", "page.js": "text/javascript", "picture.js": "text/javascript"}
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}


def page_routes(account: Account) -> list[web.RouteDef]:
    """Where the page finds what it shows, and does what it is told."""
    return [
        web.get(f"{_ROOT}/account", _state(account)),
        web.patch(f"{_ROOT}/objects/{{id}}", _edit(account)),
        web.delete(f"{_ROOT}/objects/{{id}}", _delete(account)),
        web.put(f"{_ROOT}/objects/{{id}}/trouble", _trouble(account)),
        web.put(f"{_ROOT}/weather", _weather(account)),
        web.get(f"{_ROOT}/{{name}}", _asset),
    ]


def front() -> web.Response:
    """The page itself."""
    return _file("page.html", "text/html")


async def _asset(request: web.Request) -> web.Response:
    name = request.match_info["name"]
    if name not in _TYPES:
        raise web.HTTPNotFound
    return _file(name, _TYPES[name])


def _file(name: str, kind: str) -> web.Response:
    text = (files("windlass.operators.pagerduty.simulator.server") / "assets" / name).read_text(
        encoding="utf-8"
    )
    return web.Response(text=text, content_type=kind, charset="utf-8", headers=_HEADERS)


def _state(account: Account) -> Handler:
    async def handle(request: web.Request) -> web.Response:
        body = json.dumps(snapshot(account)).encode()
        tag = f'"{sha256(body).hexdigest()[:16]}"'
        headers = {**_HEADERS, "ETag": tag}
        if request.headers.get("If-None-Match") == tag:
            return web.Response(status=304, headers=headers)
        return web.Response(body=body, content_type="application/json", headers=headers)

    return handle


def _edit(account: Account) -> Handler:
    async def handle(request: web.Request) -> web.Response:
        given = await _given(request)
        return _told(lambda: account.by_hand.edit(request.match_info["id"], **given))

    return handle


def _delete(account: Account) -> Handler:
    async def handle(request: web.Request) -> web.Response:
        return _told(lambda: account.by_hand.remove(request.match_info["id"]))

    return handle


def _trouble(account: Account) -> Handler:
    async def handle(request: web.Request) -> web.Response:
        state = (await _given(request)).get("state")
        if state not in (None, "warning", "critical"):
            raise web.HTTPBadRequest(text="state must be warning, critical or null")
        return _told(lambda: account.by_hand.trouble(request.match_info["id"], state))

    return handle


def _weather(account: Account) -> Handler:
    async def handle(request: web.Request) -> web.Response:
        chosen = WEATHERS.get(str((await _given(request)).get("name")))
        if chosen is None:
            raise web.HTTPBadRequest(text=f"the weather must be one of {', '.join(WEATHERS)}")
        account.faults.weather = chosen
        return web.Response(status=204)

    return handle


async def _given(request: web.Request) -> Json:
    """The object in the body. It must say that it is JSON, which a page of another origin cannot say."""
    if request.content_type != "application/json":
        raise web.HTTPUnsupportedMediaType
    try:
        given: Any = await request.json()
    except ValueError as error:
        raise web.HTTPBadRequest(text=f"the body is no JSON: {error}") from error
    if not isinstance(given, dict):
        raise web.HTTPBadRequest(text="the body must be an object")
    return given


def _told(act: Callable[[], object]) -> web.Response:
    """Do it, and tell what came of it."""
    try:
        act()
    except Refusal as refusal:
        return web.json_response(refusal.body, status=refusal.status)
    return web.Response(status=204)
