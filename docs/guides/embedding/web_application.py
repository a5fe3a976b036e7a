"""A controller beside a web application, in one event loop."""

import asyncio
from collections.abc import AsyncIterator

from aiohttp import web
from minimal import Greeting, GreetingController

from windlass import Client, Key, Manager, ManagerOptions, ObjectMeta
from windlass.reconcile import Channel

MANAGER = web.AppKey("manager", Manager)
PUSHED = Channel()


class WokenController(GreetingController):
    """Looks at a greeting whenever the application says so."""

    sources = (PUSHED,)


def application(client: Client) -> web.Application:
    """What is served; the operator lives as long as it does."""
    manager = Manager(client, ManagerOptions(name="greeter"))
    manager.add(WokenController())

    async def operate(_: web.Application) -> AsyncIterator[None]:
        running = asyncio.create_task(manager.run())
        yield
        running.cancel()
        await asyncio.wait([running])

    app = web.Application()
    app[MANAGER] = manager
    app.cleanup_ctx.append(operate)
    app.add_routes(
        [web.post("/greetings/{name}", create), web.post("/push/{name}", push), web.get("/metrics", metrics)]
    )
    return app


async def create(request: web.Request) -> web.Response:
    """Have somebody greeted: a request makes an object, and the operator does the rest."""
    metadata = ObjectMeta(name=request.match_info["name"], namespace="default")
    await request.app[MANAGER].client.apply(Greeting(metadata=metadata))
    return web.Response(status=202)


async def push(request: web.Request) -> web.Response:
    """Have a greeting looked at now: something outside the cluster has changed."""
    PUSHED.send(Key("default", request.match_info["name"]), "push")
    return web.Response(status=202)


async def metrics(request: web.Request) -> web.Response:
    """Show the operator's metrics beside the application's own."""
    shown = request.app[MANAGER].metrics.expose(request.headers.get("Accept", ""))
    return web.Response(body=shown.body, headers={"Content-Type": shown.content_type})
